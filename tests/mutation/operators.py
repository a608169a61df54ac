"""Small changes of a reference's syntax tree: what a slip of the hand, or of the mind, leaves behind."""

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

OTHER = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
KEPT = (ast.FunctionDef, ast.ClassDef, ast.Return, ast.Pass)  # dropping these is another kind of mistake


@dataclass(frozen=True)
class Mutant:
    """A changed source; `change` names it, also when lines above it move."""

    change: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every small change of a definition, one at a time, each under a name of its own."""
    tree, seen = ast.parse(source), Counter()
    whole = ast.unparse(tree)
    for holder, field, place in list(_places(tree)):
        node = _get(holder, field, place)
        for changed in _changes(node, holder, field, tree):
            before = _text(node)
            _set(holder, field, place, changed)
            after, result = _text(changed), ast.unparse(ast.fix_missing_locations(tree))
            _set(holder, field, place, node)
            if result == whole:
                continue
            change = f"{before} → {after}"
            seen[change] += 1
            yield Mutant(change if seen[change] == 1 else f"{change} ({seen[change]})", result)


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where a node hangs: annotations, decorators, docstrings and the words of an error are not looked at."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases") or isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Raise) and field == "exc":
            yield node, field, None
            continue
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield node, field, place if isinstance(value, list) else None
                yield from _places(child)


def _changes(node: ast.AST, holder: ast.AST, field: str, tree: ast.Module) -> Iterator[ast.AST]:
    if isinstance(node, ast.stmt) and not isinstance(node, KEPT):
        yield ast.Pass()
    if type(node) in OTHER:
        yield OTHER[type(node)]()
    if isinstance(holder, ast.Raise) and field == "exc":
        yield ast.Call(ast.Name("RuntimeError", ast.Load()), getattr(node, "args", []), [])
        if getattr(node, "args", []):
            yield ast.Call(node.func, [ast.Constant("wrong")], [])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not, ast.Invert)):
        yield node.operand
        if isinstance(node.op, ast.USub) and getattr(node.operand, "value", None) == 1:
            yield ast.UnaryOp(ast.USub(), ast.Constant(2))
            yield ast.Constant(0)
    if isinstance(node, ast.Constant):
        yield from map(ast.Constant, _other_constants(node.value))
    if isinstance(node, (ast.If, ast.IfExp)):
        for value in (True, False):
            yield _with(node, test=ast.Constant(value))
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
        yield _with(node, elts=node.elts[::-1])
    if isinstance(node, ast.Call):
        yield from _other_calls(node)
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, ast.Load()) for other in _names_beside(node, tree))
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _is_self(node.value):
        yield from (ast.Attribute(node.value, other, ast.Load()) for other in _attributes(tree) if other != node.attr)
    if (
        isinstance(node, ast.Return)
        and node.value is not None
        and isinstance(node.value, (ast.Name, ast.BinOp, ast.Call))
    ):
        yield ast.Return(ast.Call(ast.Attribute(node.value, "detach", ast.Load()), [], []))


def _other_constants(value) -> tuple:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1)
    if isinstance(value, float):
        return (2 * value + 1, 0.0)
    return ()


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    """Arguments swapped, a keyword dropped, a method not called, a function left out."""
    args = node.args
    for place in range(len(args) - 1):
        if not any(isinstance(arg, ast.Starred) for arg in args[place : place + 2]):
            yield _with(node, args=[*args[:place], args[place + 1], args[place], *args[place + 2 :]])
    for place, keyword in enumerate(node.keywords):
        if keyword.arg != "device":  # one device alone tells no difference
            yield _with(node, keywords=[*node.keywords[:place], *node.keywords[place + 1 :]])
    if isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        return
    if isinstance(node.func, ast.Attribute) and not _is_library(node.func.value) and not _is_self(node.func.value):
        yield node.func.value
    elif args and not isinstance(args[0], ast.Starred):
        yield args[0]


def _names_beside(node: ast.Name, tree: ast.Module) -> list[str]:
    """The other arguments and variables of the function that a name stands in."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and any(part is node for part in ast.walk(function)):
            given = [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs) if arg.arg != "self"]
            made = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            known = dict.fromkeys(given + made)
            return [name for name in known if name != node.id] if node.id in known else []
    return []


def _attributes(tree: ast.Module) -> list[str]:
    """What is assigned to `self`."""
    return list(
        dict.fromkeys(
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value)
        )
    )


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_library(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("torch", "nn", "F", "math")


def _with(node: ast.AST, **fields) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Pass):
        return "nothing"
    if isinstance(node, (ast.operator, ast.cmpop, ast.boolop)):
        return type(node).__name__
    head = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split("\n")
    return head[0] if len(head) == 1 else f"{head[0]} …"


def _get(holder: ast.AST, field: str, place: int | None):
    value = getattr(holder, field)
    return value if place is None else value[place]


def _set(holder: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[place] = node
