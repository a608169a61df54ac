"""Small changes of a reference's syntax tree: what a typing error or a misunderstanding leaves behind."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.catalogue.replacements import OTHER, TAKEN_FOR
from tests.mutation.syntax_tree import (
    altered,
    attributes,
    called,
    child,
    exchanged,
    is_a_count,
    is_device,
    is_given,
    is_library,
    is_self,
    names_beside,
    places,
    put,
    text_of,
    written,
)

IN_PLACE = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
KEPT = (ast.FunctionDef, ast.ClassDef, ast.Return, ast.Pass)  # dropping these is another kind of mistake


@dataclass(frozen=True)
class Framework:
    """What goes wrong with arrays in one framework; `_` is the array.

    Attributes:
        cut_off: no gradient goes back from here; an error where none could, from whole numbers and booleans.
        other_precision: the numbers in another dtype.
        in_place: whether an array can be changed where it is.
    """

    cut_off: str
    other_precision: str
    in_place: bool


FRAMEWORKS = {
    "torch": Framework("_.detach().requires_grad_()", "_.double()", in_place=True),
    "jax": Framework("jax.lax.stop_gradient(-(-_))", "_.astype(jnp.bfloat16)", in_place=False),
}


@dataclass(frozen=True)
class Mutant:
    """A changed source; `change` names it, even if lines above it move."""

    change: str
    source: str


def mutants(source: str, track: str = "torch") -> Iterator[Mutant]:
    """Every small change of a definition in one track, one at a time, each under a name of its own."""
    tree, seen = ast.parse(source), Counter()
    known = {ast.unparse(tree)}
    for holder, field, place in list(places(tree)):
        node = child(holder, field, place)
        for changed in _changes(node, holder, field, tree, FRAMEWORKS[track]):
            before = text_of(node)
            put(holder, field, place, changed)
            after, result = text_of(changed), ast.unparse(ast.fix_missing_locations(tree))
            put(holder, field, place, node)
            if result in known:
                continue
            known.add(result)
            change = f"{before} → {after}"
            seen[change] += 1
            yield Mutant(change if seen[change] == 1 else f"{change} ({seen[change]})", result)


def _changes(node: ast.AST, holder: ast.AST, field: str, tree: ast.Module, framework: Framework) -> Iterator[ast.AST]:
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
            yield altered(node, test=ast.Constant(value))
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Load):
        for place in range(len(node.elts)):
            yield altered(node, elts=node.elts[:place] + node.elts[place + 1 :])
            yield altered(node, elts=exchanged(node.elts, place))
    if isinstance(node, ast.comprehension) and node.ifs:
        yield altered(node, ifs=[])
    if isinstance(node, ast.Call):
        yield from _other_calls(node)
        if framework.in_place and isinstance(node.func, ast.Attribute) and is_given(node.func.value, tree):
            yield altered(node, func=altered(node.func, attr=f"{node.func.attr}_"))
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
        if framework.in_place and type(node.op) in IN_PLACE and is_given(node.left, tree):
            yield called(node.left, IN_PLACE[type(node.op)], node.right)
    if isinstance(node, ast.BoolOp):
        yield from node.values
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
    if isinstance(node, ast.Slice):
        yield from (altered(node, **{end: None}) for end in ("lower", "upper", "step") if getattr(node, end))
    if is_a_count(node, holder):
        yield from (ast.BinOp(node, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, ast.Load()) for other in names_beside(node, tree))
        if is_given(node, tree) and not isinstance(holder, (ast.Attribute, ast.Return, ast.Compare)):
            yield written(framework.cut_off, node)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and is_self(node.value):
        yield from (ast.Attribute(node.value, other, ast.Load()) for other in attributes(tree) if other != node.attr)
    if isinstance(holder, (ast.Return, ast.Assign)) and field == "value":
        yield from _other_results(node, framework)


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """One left out; what it holds done without it, or once; what is added up forgotten."""
    if not isinstance(node, KEPT):
        yield ast.Pass()
    if isinstance(node, ast.With):
        yield ast.If(ast.Constant(True), node.body, [])
    if isinstance(node, ast.Try):
        yield ast.If(ast.Constant(True), node.body + node.finalbody, [])
    if isinstance(node, (ast.For, ast.While)):
        yield altered(node, body=[*node.body, ast.Break()])
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value)


def _other_errors(error: ast.expr) -> Iterator[ast.Call]:
    """Another kind; other words; the words without one of their numbers."""
    if not isinstance(error, ast.Call):
        return
    yield altered(error, func=ast.Name("RuntimeError", ast.Load()))
    for words in error.args:
        yield altered(error, args=[ast.Constant("wrong")])
        for part in getattr(words, "values", ()):
            if isinstance(part, ast.FormattedValue):
                yield altered(
                    error, args=[altered(words, values=[other for other in words.values if other is not part])]
                )


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
            yield altered(node, args=exchanged(node.args, place))
    for place, keyword in enumerate(node.keywords):
        if not is_device(keyword):
            yield altered(node, keywords=[*node.keywords[:place], *node.keywords[place + 1 :]])
    name = "attr" if isinstance(node.func, ast.Attribute) else "id"
    if getattr(node.func, name, None) in TAKEN_FOR:
        yield altered(node, func=altered(node.func, **{name: TAKEN_FOR[getattr(node.func, name)]}))
    if isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        return
    if isinstance(node.func, ast.Attribute) and not is_library(node.func.value) and not is_self(node.func.value):
        yield node.func.value
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


def _other_results(node: ast.expr, framework: Framework) -> Iterator[ast.expr]:
    """A result that no gradient goes back from, or of another precision; of several, one."""
    if isinstance(node, ast.Tuple):
        for place, part in enumerate(node.elts):
            for changed in _other_results(part, framework):
                yield altered(node, elts=[*node.elts[:place], changed, *node.elts[place + 1 :]])
    elif isinstance(node, (ast.Name, ast.BinOp, ast.Call)):
        yield from (written(framework.cut_off, node), written(framework.other_precision, node))
