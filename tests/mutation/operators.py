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
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
TWINS = (
    ("min", "max"),
    ("amin", "amax"),
    ("argmin", "argmax"),
    ("sum", "mean"),
    ("all", "any"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("rand", "randn"),
    ("sin", "cos"),
    ("sqrt", "rsqrt"),
    ("sigmoid", "tanh"),
    ("softmax", "log_softmax"),
    ("tril", "triu"),
    ("cat", "stack"),
)
TAKEN_FOR = dict(TWINS) | {other: one for one, other in TWINS}
IN_PLACE = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
KEPT = (ast.FunctionDef, ast.ClassDef, ast.Return, ast.Pass)  # dropping these is another kind of mistake


@dataclass(frozen=True)
class Mutant:
    """A changed source; `change` names it, also when lines above it move."""

    change: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every small change of a definition, one at a time, each under a name of its own."""
    tree, seen = ast.parse(source), Counter()
    known = {ast.unparse(tree)}
    for holder, field, place in list(_places(tree)):
        node = _get(holder, field, place)
        for changed in _changes(node, holder, field, tree):
            before = _text(node)
            _set(holder, field, place, changed)
            after, result = _text(changed), ast.unparse(ast.fix_missing_locations(tree))
            _set(holder, field, place, node)
            if result in known:
                continue
            known.add(result)
            change = f"{before} → {after}"
            seen[change] += 1
            yield Mutant(change if seen[change] == 1 else f"{change} ({seen[change]})", result)


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where a node hangs: annotations, decorators, docstrings, devices and the words of an error are not looked at."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases") or isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Raise) and field == "exc":
            yield node, field, None
            continue
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if isinstance(child, ast.AST) and not _is_docstring(child) and not _is_device(child):
                yield node, field, place if isinstance(value, list) else None
                yield from _places(child)


def _changes(node: ast.AST, holder: ast.AST, field: str, tree: ast.Module) -> Iterator[ast.AST]:
    if type(node) in OTHER:
        yield OTHER[type(node)]()
    if isinstance(node, ast.stmt):
        yield from _other_statements(node)
    if isinstance(holder, ast.Raise) and field == "exc":
        yield from _other_errors(node)
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
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Load):
        for place in range(len(node.elts)):
            yield _with(node, elts=node.elts[:place] + node.elts[place + 1 :])
            yield _with(node, elts=_exchanged(node.elts, place))
    if isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[])
    if isinstance(node, ast.Call):
        yield from _other_calls(node)
        if isinstance(node.func, ast.Attribute) and _is_given(node.func.value, tree):
            yield _with(node, func=_with(node.func, attr=f"{node.func.attr}_"))
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
        if type(node.op) in IN_PLACE and _is_given(node.left, tree):
            yield _called(node.left, IN_PLACE[type(node.op)], node.right)
    if isinstance(node, ast.BoolOp):
        yield from node.values
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
    if isinstance(node, ast.Slice):
        yield from (_with(node, **{end: None}) for end in ("lower", "upper", "step") if getattr(node, end))
    if _is_a_count(node, holder):
        yield from (ast.BinOp(node, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, ast.Load()) for other in _names_beside(node, tree))
        if _is_given(node, tree) and not isinstance(holder, (ast.Attribute, ast.Return, ast.Compare)):
            yield _cut_off(node)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _is_self(node.value):
        yield from (ast.Attribute(node.value, other, ast.Load()) for other in _attributes(tree) if other != node.attr)
    if isinstance(holder, (ast.Return, ast.Assign)) and field == "value":
        yield from _other_results(node)


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """One left out; what it holds done without it, or once; what is added up forgotten."""
    if not isinstance(node, KEPT):
        yield ast.Pass()
    if isinstance(node, ast.With):
        yield ast.If(ast.Constant(True), node.body, [])
    if isinstance(node, ast.Try):
        yield ast.If(ast.Constant(True), node.body + node.finalbody, [])
    if isinstance(node, (ast.For, ast.While)):
        yield _with(node, body=[*node.body, ast.Break()])
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value)


def _other_errors(error: ast.expr) -> Iterator[ast.Call]:
    """Another kind; other words; the words without one of their numbers."""
    if not isinstance(error, ast.Call):
        return
    yield _with(error, func=ast.Name("RuntimeError", ast.Load()))
    for words in error.args:
        yield _with(error, args=[ast.Constant("wrong")])
        for part in getattr(words, "values", ()):
            if isinstance(part, ast.FormattedValue):
                yield _with(error, args=[_with(words, values=[other for other in words.values if other is not part])])


def _other_constants(value) -> tuple:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1)
    if isinstance(value, float):
        return (2 * value + 1, 0.0)
    if isinstance(value, str):
        return (TAKEN_FOR.get(value, f"{value}_"),) if " " not in value else ()  # a sentence says the same otherwise
    return ()


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    """Arguments exchanged, a keyword dropped, a method not called, a function left out, or taken for another."""
    for place in range(len(node.args) - 1):
        if not any(isinstance(arg, ast.Starred) for arg in node.args[place : place + 2]):
            yield _with(node, args=_exchanged(node.args, place))
    for place, keyword in enumerate(node.keywords):
        if not _is_device(keyword):
            yield _with(node, keywords=[*node.keywords[:place], *node.keywords[place + 1 :]])
    name = "attr" if isinstance(node.func, ast.Attribute) else "id"
    if getattr(node.func, name, None) in TAKEN_FOR:
        yield _with(node, func=_with(node.func, **{name: TAKEN_FOR[getattr(node.func, name)]}))
    if isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        return
    if isinstance(node.func, ast.Attribute) and not _is_library(node.func.value) and not _is_self(node.func.value):
        yield node.func.value
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


def _other_results(node: ast.expr) -> Iterator[ast.expr]:
    """A result that no gradient goes back from, or of another precision; of several, one."""
    if isinstance(node, ast.Tuple):
        for place, part in enumerate(node.elts):
            for changed in _other_results(part):
                yield _with(node, elts=[*node.elts[:place], changed, *node.elts[place + 1 :]])
    elif isinstance(node, (ast.Name, ast.BinOp, ast.Call)):
        yield from (_cut_off(node), _called(node, "double"))


def _called(node: ast.expr, method: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(node, method, ast.Load()), list(args), [])


def _cut_off(node: ast.expr) -> ast.Call:
    """No gradient goes back from here; an error where none could, from whole numbers and booleans."""
    return _called(_called(node, "detach"), "requires_grad_")


def _exchanged(parts: list, place: int) -> list:
    """The same, but one and the one behind it have changed places."""
    return [*parts[:place], *parts[place : place + 2][::-1], *parts[place + 2 :]]


def _functions_around(node: ast.AST, tree: ast.Module) -> list[ast.FunctionDef]:
    functions = (function for function in ast.walk(tree) if isinstance(function, ast.FunctionDef))
    return [function for function in functions if any(part is node for part in ast.walk(function))]


def _arguments(function: ast.FunctionDef) -> list[str]:
    return [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs) if arg.arg != "self"]


def _names_beside(node: ast.Name, tree: ast.Module) -> list[str]:
    """The other arguments and variables of the function that a name stands in."""
    for function in _functions_around(node, tree)[:1]:
        made = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        known = dict.fromkeys(_arguments(function) + made)
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


def _is_given(node: ast.AST, tree: ast.Module) -> bool:
    """An argument, or a part of the module: what an answer in place would change for others."""
    if isinstance(node, ast.Attribute):
        return _is_self(node.value)
    return isinstance(node, ast.Name) and any(node.id in _arguments(f) for f in _functions_around(node, tree))


def _is_a_count(node: ast.AST, holder: ast.AST) -> bool:
    """The end of a slice or of a range, where it is no plain number."""
    ends = isinstance(holder, ast.Slice) or (
        isinstance(holder, ast.Call)
        and node is not holder.func
        and getattr(holder.func, "id", getattr(holder.func, "attr", "")) in ("range", "arange")
    )
    return ends and isinstance(node, (ast.Name, ast.Call, ast.BinOp))


def _is_device(node: ast.AST) -> bool:
    """One device alone tells no difference."""
    return "device" in (getattr(node, "attr", ""), getattr(node, "arg", ""))


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
