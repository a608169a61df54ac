"""Every single edit of a source text that a slip could be: a part left out, another one in its place, two exchanged.

The edits come from the syntax tree and know nothing of the exercise, so they also name slips that no row of known
mistakes foresees. What changes little comes first: a number, an operator, an argument; then a step; then a name.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

LONGEST = 60  # characters of a fragment that still reads well in a sentence
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "//", "**": "*", "@": "*", "&": "|", "|": "&"}
COMPARISONS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=", ">=", "<="),
    "!=": ("==", ">", "<"),
}
OPERATORS = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.And: "and", ast.Or: "or"},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
}
OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Attribute, ast.Subscript, ast.IfExp, ast.Starred)
OTHER_FUNCTIONS = {
    one: other
    for both in (
        ("sum", "mean"), ("max", "min"), ("amax", "amin"), ("argmax", "argmin"), ("triu", "tril"), ("sin", "cos"),
        ("floor", "ceil"), ("relu", "gelu"), ("tanh", "sigmoid"), ("ones", "zeros"), ("any", "all"), ("log", "log2"),
        ("softmax", "log_softmax"), ("ones_like", "zeros_like"), ("eval", "train"), ("logical_and", "logical_or"),
        ("cumsum", "cumprod"), ("append", "insert"), ("startswith", "endswith"), ("repeat_interleave", "repeat"),
    )
    for one, other in (both, both[::-1])
} | {"mean": "sum", "silu": "gelu", "std": "var", "rsqrt": "sqrt", "exp": "exp2"}  # fmt: skip

NEW_AXES = (
    "None",
    ":, None",
    "..., None",
    ":, :, None",
    "None, None",
    ":, None, None",
    "None, :, None",
    "..., None, None",
)
METHODS = (
    "detach()",
    "logical_not()",
    "log()",
    "abs()",
    "float()",
    "exp()",
    "softmax(-1)",
    "mT",
    "flip(-1)",
    "square()",
    "sqrt()",
)
METHODS += ("long()", "relu()", "bool()", "sum(-1)", "mean(-1)", "mean(1)", "flip(0)", "flip(1)", "round()")
AROUND = (("-", ""), ("~", ""), ("1 - ", ""), ("2 * ", ""), ("100 * ", ""), ("", " / 2"), ("", " + 1"), ("", " - 1"))


@dataclass(frozen=True)
class Edit:
    """From byte `start` to `end` stands `text`, for each of the `changes`; `says` completes “what … gives”."""

    changes: tuple[tuple[int, int, str], ...]
    says: str
    kind: str = ""  # the method below that makes it

    def of(self, source: str) -> str:
        """The source after this edit."""
        whole = source.encode()
        for start, end, text in reversed(self.changes):
            whole = whole[:start] + text.encode() + whole[end:]
        return whole.decode()


def single_edits(source: str, types: Mapping[tuple[str, str], type] = MappingProxyType({})) -> list[Edit]:
    """The edits of the functions of this source, none twice; docstrings, annotations and `raise` stay as they are.

    With `types`, (function, variable) → type, a variable is replaced only by others of its type; a part, too.
    """
    found: dict[tuple, Edit] = {}
    for edit in _Edits(source, types).all():
        found.setdefault(edit.changes, edit)
    return list(found.values())


class _Edits:
    """The syntax tree of a source, with where each node stands and what it stands in."""

    def __init__(self, source: str, types: Mapping[tuple[str, str], type]):
        self.types = types
        self.bytes = source.encode()
        self.tree = ast.parse(source)
        self.lines = [0]
        for line in self.bytes.split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.parent: dict[ast.AST, ast.AST] = {}
        self.nodes = list(self._walk(self.tree))

    def all(self) -> Iterator[Edit]:
        """Every edit, the likeliest kind first."""
        kinds = (self.operators, self.conditions, self.numbers, self.everywhere, self.statements, self.operands)
        kinds += (self.parts, self.names, self.order, self.arguments, self.calls, self.twice, self.more)
        for kind in kinds:
            yield from (replace(edit, kind=kind.__name__) for edit in kind())

    def numbers(self) -> Iterator[Edit]:
        """Another number, or the other truth value."""
        for node in self._of(ast.Constant):
            if isinstance(node.value, bool):
                yield self._instead(node, str(not node.value))
            whole = self.parent[node] if isinstance(self.parent[node], ast.UnaryOp) else node
            if (number := _number(whole)) is not None:
                yield from (self._instead(whole, f"{other}") for other in _near(number))

    def operators(self) -> Iterator[Edit]:
        """Another operator of the same kind, or its operands exchanged."""
        for node in self._of(ast.BinOp, ast.AugAssign):
            sign = OPERATORS.get(type(node.op), "")
            left, right = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
            if sign in ARITHMETIC:
                yield self._between(node, left, right, sign, ARITHMETIC[sign])
            if isinstance(node, ast.BinOp) and sign in ("-", "/", "//", "@", "**"):
                yield self._instead(node, f"{self._grouped(right)} {sign} {self._grouped(left)}")
        for node in self._of(ast.Compare):
            sign = OPERATORS.get(type(node.ops[0]), "")
            for other in COMPARISONS.get(sign, ()):
                yield self._between(node, node.left, node.comparators[0], sign, other)
        for node in self._of(ast.BoolOp):
            sign = OPERATORS[type(node.op)]
            yield self._between(node, node.values[0], node.values[1], sign, "or" if sign == "and" else "and")
        yield from (self._instead(node, self.text(node.operand)) for node in self._of(ast.UnaryOp))

    def arguments(self) -> Iterator[Edit]:
        """A keyword argument, a part of a slice, or a part of an index left out."""
        for call in self._of(ast.Call):
            everything = [*call.args, *call.keywords]
            for node in call.keywords if len(everything) > 1 or call.keywords else ():
                yield self._without_item(call, everything, node)
            for one, other in pairwise(call.args):
                if self.text(one) != self.text(other):
                    swapped = f"{self.text(other)}, {self.text(one)}"
                    yield self._edit(self.at(one)[0], self.at(other)[1], swapped, self._seen(call))
        for node in self._of(ast.Slice):
            for part in (node.lower, node.upper):
                if part is not None:
                    yield self._edit(*self.at(part), "", self._seen(node))
        for node in self._of(ast.Subscript):
            yield self._instead(node, self.text(node.value))
            if "None" in self.text(node.slice):
                yield from (self._edit(*self.at(node.slice), axes, node) for axes in NEW_AXES)

    def calls(self) -> Iterator[Edit]:
        """What a function is given in place of what it returns; or another function of its kind."""
        for call in self._of(ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name in OTHER_FUNCTIONS:
                end = self.at(call.func)[1]
                yield self._edit(end - len(name.encode()), end, OTHER_FUNCTIONS[name], self._seen(call))
            if len(call.args) == 1 and not isinstance(call.args[0], ast.GeneratorExp | ast.Starred):
                alone = f"with {self._shown(call.args[0])} alone, without `{self.text(call.func)}`"
                yield self._instead(call, self.text(call.args[0]), alone)
            if len(call.args) == 1 and isinstance(inner := call.args[0], ast.BinOp) and not call.keywords:
                sign, left, right = (
                    OPERATORS.get(type(inner.op), ""),
                    self._grouped(inner.left),
                    self._grouped(inner.right),
                )
                for text in (
                    f"{self.text(call.func)}({left}) {sign} {right}",
                    f"{left} {sign} {self.text(call.func)}({right})",
                ):
                    yield self._instead(call, text)
            if isinstance(call.func, ast.Attribute) and self._is_value(call.func.value):
                left_out = self.bytes[self.at(call.func.value)[1] : self.at(call)[1]].decode()
                says = f"without `{left_out}`" if len(left_out) < LONGEST else ""
                yield self._instead(call, self.text(call.func.value), says)

    def conditions(self) -> Iterator[Edit]:
        """A condition that always holds, or never."""
        for node in self._of(ast.If, ast.IfExp):
            for always in ("True", "False"):
                what = "always" if always == "True" else "never"
                yield self._edit(*self.at(node.test), always, f"if {self._shown(node.test)} {what} held")
        for node in self._of(ast.comprehension):
            for test in node.ifs:
                yield self._edit(*self.at(test), "True", f"if {self._shown(test)} always held")

    def everywhere(self) -> Iterator[Edit]:
        """Another number in the same argument, wherever it is given."""
        given: dict[str, list[ast.keyword]] = {}
        for node in self._of(ast.keyword):
            given.setdefault(self.text(node), []).append(node)
        for text, nodes in given.items():
            number = _number(nodes[0].value)
            if len(nodes) > 1 and isinstance(number, int):
                for other in _near(number):
                    changes = tuple((*self.at(node), f"{node.arg}={other}") for node in nodes)
                    yield Edit(changes, f"with `{nodes[0].arg}={other}` in place of every `{text}`")

    def statements(self) -> Iterator[Edit]:
        """A step left out."""
        for node in self._of(ast.Assign, ast.AugAssign, ast.Expr):
            if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call):
                yield self._edit(*self.at(node), "pass", f"without the step {self._shown(node)}")

    def operands(self) -> Iterator[Edit]:
        """One side of an operation left out."""
        for node in self._of(ast.BinOp):
            left, right, sign = self.text(node.left), self.text(node.right), OPERATORS.get(type(node.op), "")
            yield self._instead(node, left, f"without `{sign} {right}`" if len(right) < LONGEST else "")
            yield self._instead(node, right, f"without `{left} {sign}`" if len(left) < LONGEST else "")
        for node in self._of(ast.BoolOp):
            for left_out in node.values:
                rest = [self._grouped(value) for value in node.values if value is not left_out]
                joined = f" {OPERATORS[type(node.op)]} ".join(rest)
                yield self._instead(node, joined, f"without the condition {self._shown(left_out)}")

    def order(self) -> Iterator[Edit]:
        """Two steps exchanged."""
        for node in self.nodes:
            for one, other in pairwise(getattr(node, "body", None) or () if isinstance(node, ast.stmt) else ()):
                if all(isinstance(step, ast.Assign | ast.AugAssign | ast.Expr) for step in (one, other)):
                    if self._is_text(one):
                        continue
                    start, end = self.at(one)[0], self.at(other)[1]
                    between = self.bytes[self.at(one)[1] : self.at(other)[0]].decode()
                    says = f"with {self._shown(one)} and {self._shown(other)} in the opposite order"
                    yield self._edit(start, end, f"{self.text(other)}{between}{self.text(one)}", says)

    def names(self) -> Iterator[Edit]:
        """Another variable of the function."""
        for node in self._of(ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id in (known := self.variables(node)) and node.id != "self":
                for other in known:
                    if other not in (node.id, "self") and self._are_alike(node, node.id, other):
                        yield self._instead(node, other)

    def parts(self) -> Iterator[Edit]:
        """Another part of the module."""
        parts = {self.text(node): None for node in self._of(ast.Attribute) if self._is_part(node)}
        for node in self._of(ast.Attribute):
            if self._is_part(node) and isinstance(node.ctx, ast.Load):
                own = self.text(node)
                others = (other for other in parts if other != own and self._are_alike(node, own, other))
                yield from (self._instead(node, other) for other in others)

    def twice(self) -> Iterator[Edit]:
        """A step done twice."""
        for node in self._of(ast.Assign, ast.AugAssign):
            start, end = self.at(node)
            indent = " " * node.col_offset
            text = f"{self.text(node)}\n{indent}{self.text(node)}"
            yield self._edit(start, end, text, f"with the step {self._shown(node)} done twice")

    def more(self) -> Iterator[Edit]:
        """A step too many: a method called on what is returned or assigned, or on a variable."""
        values = [node.value for node in self._of(ast.Return, ast.Assign, ast.AugAssign) if node.value]
        parts = [part for value in values for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
        variables = [node for node in self._of(ast.Name) if isinstance(node.ctx, ast.Load) and self._is_value(node)]
        for node in dict.fromkeys([*parts, *variables]):
            if (function := self._function(node)) is None or function.name == "__init__":
                continue
            if (kind := self._type(node, self.text(node))) and not hasattr(kind, "detach"):
                continue  # no tensor
            seen = self._seen(node) if node in variables else node
            for method in METHODS:
                yield self._edit(*self.at(node), f"{self._grouped(node)}.{method}", seen)
            for before, after in AROUND:
                yield self._edit(*self.at(node), f"({before}{self._grouped(node)}{after})", seen)

    def variables(self, node: ast.AST) -> list[str]:
        """The parameters of the function that a node stands in, and what is assigned above it."""
        function = self._function(node)
        if function is None:
            return []
        spec = function.args
        known = [arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
        for other in ast.walk(function):
            if isinstance(other, ast.Name) and isinstance(other.ctx, ast.Store) and other.lineno < node.lineno:
                known.append(other.id)
        return list(dict.fromkeys(known))

    def text(self, node: ast.AST) -> str:
        """The source of a node."""
        start, end = self.at(node)
        return self.bytes[start:end].decode()

    def at(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands: from this byte to that."""
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def _walk(self, node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            self.parent[child] = node
            if isinstance(child, ast.Raise | ast.JoinedStr) or self._is_text(child) or self._is_annotation(child):
                continue
            yield child
            yield from self._walk(child)

    def _type(self, node: ast.AST, variable: str) -> type | None:
        function = self._function(node)
        return self.types.get((function.name, variable)) if function else None

    def _are_alike(self, node: ast.AST, one: str, other: str) -> bool:
        """Whether two variables have the same type, as far as that is known."""
        types = {self._type(node, name) for name in (one, other)} - {None}
        return len(types) < 2

    def _is_annotation(self, node: ast.AST) -> bool:
        parent = self.parent[node]
        return node in (getattr(parent, "annotation", None), getattr(parent, "returns", None))

    def _is_text(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

    def _is_part(self, node: ast.Attribute) -> bool:
        return isinstance(node.value, ast.Name) and node.value.id == "self"

    def _of(self, *types: type) -> list:
        return [node for node in self.nodes if isinstance(node, types)]

    def _function(self, node: ast.AST | None) -> ast.FunctionDef | None:
        while node is not None and not isinstance(node, ast.FunctionDef):
            node = self.parent.get(node)
        return node

    def _is_value(self, node: ast.AST) -> bool:
        """Whether it is computed, or a variable: not a module such as `torch`."""
        return not isinstance(node, ast.Name) or node.id in self.variables(node)

    def _without_item(self, whole: ast.AST, items: list, node: ast.AST) -> Edit:
        place = items.index(node)
        if len(items) == 1:
            return self._edit(*self.at(node), "", f"without `{self.text(node)}` in {self._shown(whole)}")
        start, end = (
            (self.at(items[place - 1])[1], self.at(node)[1]) if place else (self.at(node)[0], self.at(items[1])[0])
        )
        return self._edit(start, end, "", f"without `{self.text(node)}` in {self._shown(whole)}")

    def _between(self, node: ast.AST, left: ast.AST, right: ast.AST, sign: str, other: str) -> Edit:
        start, end = self.at(left)[1], self.at(right)[0]
        text = self.bytes[start:end].decode().replace(sign, other, 1)
        return self._edit(start, end, text, self._seen(node))

    def _instead(self, node: ast.AST, text: str, says: str = "") -> Edit:
        if isinstance(self.parent[node], OPERATIONS) and isinstance(ast.parse(text, mode="eval").body, OPERATIONS):
            text = f"({text})"
        if isinstance(self.parent[node], ast.arguments):
            says = f"with {text} as the default in place of {self.text(node)}"
        return self._edit(*self.at(node), text, says or self._seen(node))

    def _seen(self, node: ast.AST) -> ast.AST:
        """The smallest expression around a node that says what it is about."""
        around = node
        while len(self.text(around)) < LONGEST / 3 and isinstance(self.parent.get(around), ast.expr | ast.keyword):
            if len(self.text(self.parent[around])) > LONGEST:
                break
            around = self.parent[around]
        return around

    def _edit(self, start: int, end: int, text: str, says: "str | ast.AST") -> Edit:
        """An edit; of a node, the sentence shows it before and after."""
        if isinstance(says, str):
            return Edit(((start, end, text),), says)
        first, last = self.at(says)
        before = self.bytes[first:last].decode()
        after = (self.bytes[first:start] + text.encode() + self.bytes[end:last]).decode()
        return Edit(((start, end, text),), f"with {_code(after)} in place of {_code(before)}")

    def _grouped(self, node: ast.AST) -> str:
        return f"({self.text(node)})" if isinstance(node, OPERATIONS[:4]) else self.text(node)

    def _shown(self, node: ast.AST) -> str:
        return _code(self.text(node))


def _code(text: str) -> str:
    """A fragment in backticks, on one line, shortened where it is long."""
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= LONGEST else f"`{line[: LONGEST - 2]} …`"


def _number(node: ast.AST) -> float | None:
    """The number that a node is, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _number(node.operand)
        return None if number is None else -number
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _near(number: float) -> list[float]:
    """Numbers that a slip may write in its place."""
    if isinstance(number, int):
        others = [number - 1, number + 1, -number, 1, 2 * number] if number else [1, -1]
    else:
        others = [0.0, 1.0, number * 2, number / 2, 1 - number, *(number * 10.0**power for power in (-3, -1, 1, 2, 3))]
    return [other for other in dict.fromkeys(others) if other != number]
