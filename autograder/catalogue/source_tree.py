"""The syntax tree of a source: where each part stands, what it stands in, and which variables it may name."""

import ast
from collections.abc import Iterator, Mapping


class SourceTree:
    """The syntax tree of a source. Docstrings, annotations, `raise` and f-strings are left out.

    With `types`, (function, variable) → type, it knows which variables are alike.
    """

    def __init__(self, source: str, types: Mapping[tuple[str, str], type]):
        self.types = types
        self.bytes = source.encode()
        self.lines = [0]
        for line in self.bytes.split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.parent: dict[ast.AST, ast.AST] = {}
        self.nodes = list(self._walk(ast.parse(source)))

    def of(self, *types: type) -> list:
        """The nodes of these types."""
        return [node for node in self.nodes if isinstance(node, types)]

    def text(self, node: ast.AST) -> str:
        """The source of a node."""
        return self.between(*self.at(node))

    def between(self, start: int, end: int) -> str:
        """The source from one byte to another."""
        return self.bytes[start:end].decode()

    def at(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands: from this byte to that."""
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def function_of(self, node: ast.AST | None) -> ast.FunctionDef | None:
        """The function that a node stands in."""
        while node is not None and not isinstance(node, ast.FunctionDef):
            node = self.parent.get(node)
        return node

    def variables(self, node: ast.AST) -> list[str]:
        """The parameters of the function that a node stands in, and what is assigned above it."""
        function = self.function_of(node)
        if function is None:
            return []
        spec = function.args
        known = [arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
        for other in ast.walk(function):
            if isinstance(other, ast.Name) and isinstance(other.ctx, ast.Store) and other.lineno < node.lineno:
                known.append(other.id)
        return list(dict.fromkeys(known))

    def type_of(self, node: ast.AST, variable: str) -> type | None:
        """The type of a variable of the function that a node stands in, or of `self.part`; None where not known."""
        function = self.function_of(node)
        return self.types.get((function.name, variable)) if function else None

    def are_alike(self, node: ast.AST, one: str, other: str) -> bool:
        """Whether two variables have the same type, as far as that is known."""
        return len({self.type_of(node, name) for name in (one, other)} - {None}) < 2

    def is_value(self, node: ast.AST) -> bool:
        """Whether it is computed, or a variable: not a module such as `torch`."""
        return not isinstance(node, ast.Name) or node.id in self.variables(node)

    def _walk(self, node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            self.parent[child] = node
            left_out = isinstance(child, ast.Raise | ast.JoinedStr) or is_docstring(child)
            if not left_out and child not in (getattr(node, "annotation", None), getattr(node, "returns", None)):
                yield child
                yield from self._walk(child)


def is_docstring(node: ast.AST) -> bool:
    """Whether it is a text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_part(node: ast.AST) -> bool:
    """Whether it is `self.part`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def number_of(node: ast.AST) -> float | None:
    """The number that a node is, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = number_of(node.operand)
        return None if number is None else -number
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
