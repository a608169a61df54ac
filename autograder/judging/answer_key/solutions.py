"""The correct solutions of an exercise as source texts that can be edited and run.

An edit may turn a loop into an endless one, or ask for a thousand layers: loops end in time (`limits.py`), and no large
number takes the place of a small one.
"""

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import FrameType

from autograder.catalogue.edits import LIBRARIES, Rewrite
from autograder.judging.answer_key.limits import some
from autograder.stripping.strip import solved_source

Variants = tuple[Callable | Rewrite, ...]
ROUNDS = 200  # of a `while` loop: more than a case needs
LARGE = 100  # a size beyond which work gets slow, in the cases of the exercises


@dataclass(frozen=True)
class Solution:
    """A source text that defines `name` among the names of a module."""

    name: str
    module: str
    source: str = field(repr=False)

    def defined(self, source: str) -> Callable:
        """What this source, an edit of the solution's, defines."""
        namespace = LIBRARIES | vars(sys.modules[self.module]) | {"some": some}
        exec(compile(ending(source), f"<{self.name}>", "exec"), namespace)
        return namespace[self.name]


class LargeNumber(int):
    """The type of a whole number that isn't a size of a small model."""


@cache
def solutions_of(reference: Callable, variants: Variants) -> tuple[Solution, ...]:
    """The reference first, then its right variants, but for those that only call another exercise, or close over
    something."""
    found = [_edited(reference, Rewrite("unchanged"))]
    for way in variants:
        body = way.body if isinstance(way, Rewrite) else way
        if body is not None and "<locals>" not in body.__qualname__:
            found.append(Solution(body.__name__, body.__module__, solved_source(body)))
        elif body is None and isinstance(way, Rewrite) and not way.calling:
            found.append(_edited(reference, way))
    return tuple(found)


def _edited(reference: Callable, way: Rewrite) -> Solution:
    return Solution(reference.__name__, reference.__module__, way.source(reference))


def types_of(solution: Solution, run: Callable[[Callable], object]) -> dict[tuple[str, str], type]:
    """(function, variable) → the type that it has when the function returns, while `run` calls the solution.

    The parts of a module are among them, as `self.part`. Large whole numbers have a type of their own.
    """
    types: dict[tuple[str, str], type] = {}
    made = solution.defined(solution.source)

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "return" and frame.f_code.co_filename == f"<{solution.name}>":
            seen = dict(frame.f_locals)
            parts = getattr(seen.get("self"), "_modules", {})
            for name, value in (*seen.items(), *((f"self.{name}", part) for name, part in parts.items())):
                if value is not None:
                    large = isinstance(value, int) and abs(value) > LARGE
                    types[frame.f_code.co_name, name] = LargeNumber if large else type(value)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        run(made)
    finally:
        sys.setprofile(before)
    return types


def ending(source: str) -> ast.Module:
    """The syntax tree of a source whose loops end: `while` after `ROUNDS` rounds, `for` when `some` does.

    >>> print(ast.unparse(ending("while waiting: work()")))
    for _ in some(range(200)):
        if not waiting:
            break
        work()
    """
    return ast.fix_missing_locations(_Ending().visit(ast.parse(source)))


class _Ending(ast.NodeTransformer):
    def visit_While(self, node: ast.While) -> ast.AST:
        stop = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
        rounds = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(ROUNDS)], [])
        return self.visit(ast.For(ast.Name("_", ast.Store()), rounds, [stop, *node.body], node.orelse))

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = ast.Call(ast.Name("some", ast.Load()), [node.iter], [])
        return node
