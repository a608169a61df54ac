"""Texts in a source that may name something: written in one piece, put together from constants, or run as code."""

import ast
import re
from collections.abc import Iterator

from autograder.judging.hidden_names import AT_RUN_TIME, BUILT_IN
from autograder.judging.nodes import last_name


def words_of(text: str | None) -> Iterator[str]:
    """The names in a text."""
    return iter(re.findall(r"\w+", text or ""))


def text_of(node: ast.AST) -> str | None:
    """The text that an expression of constants gives: written in one piece, added up, or joined; else None."""
    try:
        return _joined(node)
    except RecursionError:
        return None


def _joined(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    parts: list[str | None] = []
    between: str | None = ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_joined(node.left), _joined(node.right)]
    elif isinstance(node, ast.JoinedStr):
        parts = [_joined(value.value if isinstance(value, ast.FormattedValue) else value) for value in node.values]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        between = _joined(node.func.value)
        parts = [_joined(part) for part in getattr(node.args[0], "elts", ())]
    known = [part for part in parts if part is not None]
    return between.join(known) if parts and between is not None and len(known) == len(parts) else None


def runs_text(call: ast.Call) -> bool:
    """Does this call run code that stands in a text, or import by a text?"""
    name = last_name(call.func)
    return name in AT_RUN_TIME and (isinstance(call.func, ast.Name) or name not in BUILT_IN)
