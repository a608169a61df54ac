"""Every single edit of a source text that a mistake could be: a part left out, another one in its place, two exchanged.

The edits come from the syntax tree and know nothing of the exercise, so they also name mistakes that no row of known
mistakes foresees. What changes little comes first: a number, an operator, an argument; then a step; then a name.
"""

import ast
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

from autograder.catalogue.replacements import (
    AFTER,
    BEFORE,
    METHODS,
    NEW_AXES,
    OTHER_FUNCTIONS,
    SIGNS,
    near,
    other_signs,
)
from autograder.catalogue.source_tree import SourceTree, is_docstring, is_part, number_of

LONGEST = 60  # characters of a fragment that still reads well in a sentence
NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.MatMult, ast.Pow)
STEPS = (ast.Assign, ast.AugAssign, ast.Expr)
COMPOSED = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda)  # needs brackets to be a part
BINDING = (*COMPOSED, ast.Attribute, ast.Subscript, ast.Starred)  # needs brackets around its parts


@dataclass(frozen=True)
class Edit:
    """From byte `start` to `end` stands `text`, for each of the `changes`; its `name` says what that does."""

    changes: tuple[tuple[int, int, str], ...]
    name: str
    kind: str = ""  # the method below that makes it

    def of(self, source: str) -> str:
        """The source after this edit."""
        whole = source.encode()
        for start, end, text in reversed(self.changes):
            whole = whole[:start] + text.encode() + whole[end:]
        return whole.decode()


def single_edits(source: str, types: Mapping[tuple[str, str], type] = MappingProxyType({})) -> list[Edit]:
    """The edits of the functions of this source, none twice, the most likely kind first.

    With `types`, (function, variable) → type, a variable is replaced only by others of its type; a part, too.
    """
    found: dict[tuple, Edit] = {}
    for edit in _Edits(source, types).all():
        found.setdefault(edit.changes, edit)
    return list(found.values())


class _Edits(SourceTree):
    """Each kind of edit of a source."""

    def all(self) -> Iterator[Edit]:
        """Every edit, the most likely kind first."""
        kinds = (self.operators, self.conditions, self.numbers, self.everywhere, self.statements, self.operands)
        kinds += (self.parts, self.names, self.order, self.arguments, self.calls, self.twice, self.more)
        for kind in kinds:
            yield from (replace(edit, kind=kind.__name__) for edit in kind())

    def numbers(self) -> Iterator[Edit]:
        """Another number, or the other truth value."""
        for node in self.of(ast.Constant):
            if isinstance(node.value, bool):
                yield self._instead(node, str(not node.value))
            whole = self.parent[node] if isinstance(self.parent[node], ast.UnaryOp) else node
            if (number := number_of(whole)) is not None:
                yield from (self._instead(whole, f"{other}") for other in near(number))

    def operators(self) -> Iterator[Edit]:
        """Another operator of the same kind, or its operands exchanged."""
        for node in self.of(ast.BinOp, ast.AugAssign):
            left, right = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
            yield from self._other_signs(node, node.op, left, right)
            if isinstance(node, ast.BinOp) and isinstance(node.op, NOT_COMMUTATIVE):
                yield self._instead(node, f"{self._grouped(right)} {SIGNS[type(node.op)]} {self._grouped(left)}")
        for node in self.of(ast.Compare):
            yield from self._other_signs(node, node.ops[0], node.left, node.comparators[0])
        for node in self.of(ast.BoolOp):
            yield from self._other_signs(node, node.op, *node.values[:2])
        yield from (self._instead(node, self.text(node.operand)) for node in self.of(ast.UnaryOp))

    def arguments(self) -> Iterator[Edit]:
        """A keyword argument, a part of a slice, or a part of an index left out."""
        for call in self.of(ast.Call):
            yield from (self._without_item(call, node) for node in call.keywords)
            for one, other in pairwise(call.args):
                if self.text(one) != self.text(other):
                    swapped = f"{self.text(other)}, {self.text(one)}"
                    yield self._edit(self.at(one)[0], self.at(other)[1], swapped, self._seen(call))
        for node in self.of(ast.Slice):
            for part in (node.lower, node.upper):
                if part is not None:
                    yield self._edit(*self.at(part), "", self._seen(node))
        for node in self.of(ast.Subscript):
            yield self._instead(node, self.text(node.value))
            if "None" in self.text(node.slice):
                yield from (self._edit(*self.at(node.slice), axes, node) for axes in NEW_AXES)

    def calls(self) -> Iterator[Edit]:
        """What a function is given in place of what it returns; or another function of its kind."""
        for call in self.of(ast.Call):
            function = self.text(call.func)
            last = function.rpartition(".")[2]
            if last in OTHER_FUNCTIONS:
                end = self.at(call.func)[1]
                yield self._edit(end - len(last.encode()), end, OTHER_FUNCTIONS[last], self._seen(call))
            if len(call.args) == 1 and not isinstance(call.args[0], ast.GeneratorExp | ast.Starred):
                alone = f"{self._shown(call.args[0])} alone, without `{function}`"
                yield self._instead(call, self.text(call.args[0]), alone)
            if len(call.args) == 1 and isinstance(inner := call.args[0], ast.BinOp) and not call.keywords:
                left, right = self._grouped(inner.left), self._grouped(inner.right)
                sign = SIGNS[type(inner.op)]
                yield self._instead(call, f"{function}({left}) {sign} {right}")
                yield self._instead(call, f"{left} {sign} {function}({right})")
            if isinstance(call.func, ast.Attribute) and self.is_value(call.func.value):
                left_out = self.between(self.at(call.func.value)[1], self.at(call)[1])
                name = f"without `{left_out}`" if len(left_out) < LONGEST else ""
                yield self._instead(call, self.text(call.func.value), name)

    def conditions(self) -> Iterator[Edit]:
        """A condition that always holds, or never."""
        for node in self.of(ast.If, ast.IfExp):
            for always in ("True", "False"):
                what = "always" if always == "True" else "never"
                yield self._edit(*self.at(node.test), always, f"if {self._shown(node.test)} {what} held")
        for node in self.of(ast.comprehension):
            for test in node.ifs:
                yield self._edit(*self.at(test), "True", f"if {self._shown(test)} always held")

    def everywhere(self) -> Iterator[Edit]:
        """Another number in the same argument, wherever it is given."""
        given: dict[str, list[ast.keyword]] = {}
        for node in self.of(ast.keyword):
            given.setdefault(self.text(node), []).append(node)
        for text, nodes in given.items():
            number = number_of(nodes[0].value)
            if len(nodes) > 1 and isinstance(number, int):
                for other in near(number):
                    changes = tuple((*self.at(node), f"{node.arg}={other}") for node in nodes)
                    yield Edit(changes, f"`{nodes[0].arg}={other}` in place of every `{text}`")

    def statements(self) -> Iterator[Edit]:
        """A step left out."""
        for node in self.of(*STEPS):
            if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call):
                yield self._edit(*self.at(node), "pass", f"without the step {self._shown(node)}")

    def operands(self) -> Iterator[Edit]:
        """One side of an operation left out."""
        for node in self.of(ast.BinOp):
            left, right, sign = self.text(node.left), self.text(node.right), SIGNS[type(node.op)]
            yield self._instead(node, left, f"without `{sign} {right}`" if len(right) < LONGEST else "")
            yield self._instead(node, right, f"without `{left} {sign}`" if len(left) < LONGEST else "")
        for node in self.of(ast.BoolOp):
            for left_out in node.values:
                rest = [self._grouped(value) for value in node.values if value is not left_out]
                joined = f" {SIGNS[type(node.op)]} ".join(rest)
                yield self._instead(node, joined, f"without the condition {self._shown(left_out)}")

    def order(self) -> Iterator[Edit]:
        """Two steps exchanged."""
        for node in self.nodes:
            for one, other in pairwise(getattr(node, "body", None) or () if isinstance(node, ast.stmt) else ()):
                if all(isinstance(step, STEPS) and not is_docstring(step) for step in (one, other)):
                    between = self.between(self.at(one)[1], self.at(other)[0])
                    name = f"{self._shown(one)} and {self._shown(other)} in the opposite order"
                    swapped = f"{self.text(other)}{between}{self.text(one)}"
                    yield self._edit(self.at(one)[0], self.at(other)[1], swapped, name)

    def names(self) -> Iterator[Edit]:
        """Another variable of the function."""
        for node in self.of(ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id in (known := self.variables(node)) and node.id != "self":
                for other in known:
                    if other not in (node.id, "self") and self.are_alike(node, node.id, other):
                        yield self._instead(node, other)

    def parts(self) -> Iterator[Edit]:
        """Another part of the module."""
        parts = {self.text(node): None for node in self.of(ast.Attribute) if is_part(node)}
        for node in self.of(ast.Attribute):
            if is_part(node) and isinstance(node.ctx, ast.Load):
                own = self.text(node)
                others = (other for other in parts if other != own and self.are_alike(node, own, other))
                yield from (self._instead(node, other) for other in others)

    def twice(self) -> Iterator[Edit]:
        """A step done twice."""
        for node in self.of(ast.Assign, ast.AugAssign):
            start, end = self.at(node)
            indent = " " * node.col_offset
            text = f"{self.text(node)}\n{indent}{self.text(node)}"
            yield self._edit(start, end, text, f"the step {self._shown(node)} done twice")

    def more(self) -> Iterator[Edit]:
        """A step too many, of what is returned or assigned, or of a variable."""
        values = [node.value for node in self.of(ast.Return, ast.Assign, ast.AugAssign) if node.value]
        parts = [part for value in values for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
        variables = [node for node in self.of(ast.Name) if isinstance(node.ctx, ast.Load) and self.is_value(node)]
        for node in dict.fromkeys([part for part in parts if number_of(part) is None] + variables):
            function, kind = self.function_of(node), self.type_of(node, self.text(node))
            if function is None or function.name == "__init__" or (kind and not hasattr(kind, "detach")):
                continue  # no tensor
            text, seen = self._grouped(node), self._seen(node) if node in variables else None
            for method in METHODS:
                yield self._edit(*self.at(node), f"{text}.{method}", seen or f"`.{method}` after {self._shown(node)}")
            for before in BEFORE:
                name = f"`{before.strip()}` before {self._shown(node)}"
                yield self._edit(*self.at(node), f"({before}{text})", seen or name)
            for after in AFTER:
                name = f"`{after.strip()}` after {self._shown(node)}"
                yield self._edit(*self.at(node), f"({text}{after})", seen or name)

    def _without_item(self, whole: ast.Call, node: ast.keyword) -> Edit:
        items = [*whole.args, *whole.keywords]
        place, (start, end) = items.index(node), self.at(node)
        if place:
            start = self.at(items[place - 1])[1]
        elif len(items) > 1:
            end = self.at(items[1])[0]
        return self._edit(start, end, "", f"without `{self.text(node)}` in {self._shown(whole)}")

    def _other_signs(self, node: ast.AST, operator: ast.AST, left: ast.AST, right: ast.AST) -> Iterator[Edit]:
        start, end = self.at(left)[1], self.at(right)[0]
        for other in other_signs(operator):
            text = self.between(start, end).replace(SIGNS[type(operator)], other, 1)
            yield self._edit(start, end, text, self._seen(node))

    def _instead(self, node: ast.AST, text: str, name: str = "") -> Edit:
        if isinstance(self.parent[node], BINDING) and isinstance(ast.parse(text, mode="eval").body, COMPOSED):
            text = f"({text})"
        if isinstance(self.parent[node], ast.arguments):
            name = f"{text} as the default in place of {self.text(node)}"
        return self._edit(*self.at(node), text, name or self._seen(node))

    def _seen(self, node: ast.AST) -> ast.AST:
        """The smallest expression around a node that says what it is about."""
        around = node
        while len(self.text(around)) < LONGEST / 3 and isinstance(self.parent.get(around), ast.expr | ast.keyword):
            if len(self.text(self.parent[around])) > LONGEST:
                break
            around = self.parent[around]
        return around

    def _edit(self, start: int, end: int, text: str, name: "str | ast.AST") -> Edit:
        """An edit; of a node, the sentence shows it before and after."""
        if isinstance(name, str):
            return Edit(((start, end, text),), name)
        first, last = self.at(name)
        before, after = self.text(name), self.between(first, start) + text + self.between(end, last)
        return Edit(((start, end, text),), "{} in place of {}".format(*_two_codes(after, before)))

    def _grouped(self, node: ast.AST) -> str:
        return f"({self.text(node)})" if isinstance(node, COMPOSED) else self.text(node)

    def _shown(self, node: ast.AST) -> str:
        return _code(self.text(node))


def _code(text: str) -> str:
    """A fragment in backticks, on one line, shortened where it is long."""
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= LONGEST else f"`{line[: LONGEST - 2]} …`"


def _two_codes(one: str, other: str) -> tuple[str, str]:
    """Two fragments in backticks; those that begin alike and are long start shortly before they differ."""
    if _code(one) != _code(other):
        return _code(one), _code(other)
    one, other = " ".join(one.split()), " ".join(other.split())
    start = len(os.path.commonprefix([one, other])) - LONGEST // 3
    return _code(f"… {one[start:]}"), _code(f"… {other[start:]}")
