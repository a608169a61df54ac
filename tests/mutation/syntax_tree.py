"""A syntax tree: where its nodes hang, what stands around one, and how one is changed."""

import ast
import copy
from collections.abc import Iterator

LIBRARIES = ("torch", "nn", "F", "math", "jax", "jnp", "nnx", "optax")


def places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where a node hangs: annotations, decorators, docstrings, devices and the words of an error are not looked at."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases") or isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Raise) and field == "exc":
            yield node, field, None
            continue
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if isinstance(child, ast.AST) and not is_docstring(child) and not is_device(child):
                yield node, field, place if isinstance(value, list) else None
                yield from places(child)


def child(holder: ast.AST, field: str, place: int | None):
    value = getattr(holder, field)
    return value if place is None else value[place]


def put(holder: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[place] = node


def altered(node: ast.AST, **fields) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def called(node: ast.expr, method: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(node, method, ast.Load()), list(args), [])


def written(template: str, node: ast.expr) -> ast.expr:
    """An expression with this node where the template says `_`."""

    class Filled(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return node if name.id == "_" else name

    return Filled().visit(ast.parse(template, mode="eval").body)


def exchanged(parts: list, place: int) -> list:
    """The same, but one and the one behind it have changed places."""
    return [*parts[:place], *parts[place : place + 2][::-1], *parts[place + 2 :]]


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Pass):
        return "nothing"
    if isinstance(node, (ast.operator, ast.cmpop, ast.boolop)):
        return type(node).__name__
    head = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split("\n")
    return head[0] if len(head) == 1 else f"{head[0]} …"


def _functions_around(node: ast.AST, tree: ast.Module) -> list[ast.FunctionDef]:
    functions = (function for function in ast.walk(tree) if isinstance(function, ast.FunctionDef))
    return [function for function in functions if any(part is node for part in ast.walk(function))]


def _arguments(function: ast.FunctionDef) -> list[str]:
    return [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs) if arg.arg != "self"]


def names_beside(node: ast.Name, tree: ast.Module) -> list[str]:
    """The other arguments and variables of the function that a name stands in."""
    for function in _functions_around(node, tree)[:1]:
        made = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        known = dict.fromkeys(_arguments(function) + made)
        return [name for name in known if name != node.id] if node.id in known else []
    return []


def attributes(tree: ast.Module) -> list[str]:
    """What is assigned to `self`."""
    return list(
        dict.fromkeys(
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value)
        )
    )


def is_given(node: ast.AST, tree: ast.Module) -> bool:
    """An argument, or a part of the module: what an answer in place would change for others."""
    if isinstance(node, ast.Attribute):
        return is_self(node.value)
    return isinstance(node, ast.Name) and any(node.id in _arguments(f) for f in _functions_around(node, tree))


def is_a_count(node: ast.AST, holder: ast.AST) -> bool:
    """The end of a slice or of a range, unless it is a plain number."""
    ends = isinstance(holder, ast.Slice) or (
        isinstance(holder, ast.Call)
        and node is not holder.func
        and getattr(holder.func, "id", getattr(holder.func, "attr", "")) in ("range", "arange")
    )
    return ends and isinstance(node, (ast.Name, ast.Call, ast.BinOp))


def is_device(node: ast.AST) -> bool:
    """One device alone tells no difference."""
    return "device" in (getattr(node, "attr", ""), getattr(node, "arg", ""))


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def is_library(node: ast.AST) -> bool:
    """A package or a module in it: `torch`, `jax.nn`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in LIBRARIES
