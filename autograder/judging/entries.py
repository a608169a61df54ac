"""Attributes and entries that are written and never read: `f.error = …` of a function, `table["theirs"] = …` of a dict.

A function does not look at its own attributes, and a dict that is only read by fixed keys returns no other entry. So
what a student notes there, such as a comparison, is not part of an answer.
"""

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from autograder.judging.hidden_names import BY_NAME
from autograder.judging.nodes import FUNCTIONS, last_name, nodes_of, once

if TYPE_CHECKING:
    from autograder.judging.page import Page

ANY = object()  # a name or key that is only known at run time


class Entries:
    """What the reached statements read. A statement that writes an attribute or entry waits until that is read."""

    def __init__(self, page: "Page"):
        self.page = page
        self.read: set[tuple] = set()
        self.fresh: set[tuple] = set()  # read since the last call of `ready`
        self.waiting: dict[tuple, list[int]] = defaultdict(list)  # what has to be read → indices of `written`
        self.written: list[tuple[ast.stmt, bool]] = []

    def add(self, statement: ast.stmt) -> None:
        """Note what a reached statement reads."""
        fresh = _reads(statement) - self.read
        self.read |= fresh
        self.fresh |= fresh

    def wait(self, statement: ast.stmt, looked_into: bool) -> None:
        """Keep a statement that writes something; `looked_into` is returned with it."""
        keys = _keys(statement, self.page)
        for key in keys or [()]:
            self.waiting[key].append(len(self.written))
        self.written.append((statement, looked_into))
        self.fresh |= self.read.intersection(keys) if keys else {()}

    def ready(self) -> list[tuple[ast.stmt, bool]]:
        """The waiting statements that write what has been read by now, in their order."""
        found = sorted({index for key in self.fresh for index in self.waiting.pop(key, ())})
        self.fresh = set()
        return [self.written[index] for index in found]


def _keys(statement: ast.stmt, page: "Page") -> list[tuple]:
    """What has to be read for this statement to matter; empty if it always matters."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=key)]):
            return [] if key.startswith("__") or not _is_function(name, page) else [(key,), (ANY,)]
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=key))]):
            return [(name, key), (name, ANY)] if _is_table(name, page) else []
    return []


def _is_function(name: str, page: "Page") -> bool:
    meanings = page.bindings.get(name, [])
    return bool(meanings) and all(isinstance(one, FUNCTIONS) and not one.decorator_list for one in meanings)


def _is_table(name: str, page: "Page") -> bool:
    meanings = page.bindings.get(name, [])
    return bool(meanings) and all(isinstance(one, ast.Assign) and isinstance(one.value, ast.Dict) for one in meanings)


@once
def _reads(statement: ast.stmt) -> set[tuple]:
    """What a statement reads: `(attribute,)`, also by a text that may name one, and `(name, key)`."""
    nodes = nodes_of(statement)
    entries = [
        (node, node.value) for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
    ]
    by_key = {id(table) for _, table in entries}
    found: set[tuple] = {(table.id, _key_of(entry)) for entry, table in entries if isinstance(entry.ctx, ast.Load)}
    for node in nodes:
        if isinstance(node, ast.MatchClass):
            found |= {(name,) for name in node.kwd_attrs}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add((node.value,))
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            found.add((ANY,) if last_name(node) in BY_NAME else (last_name(node),))
            if isinstance(node, ast.Name) and id(node) not in by_key:
                found.add((node.id, ANY))
    return found


def _key_of(entry: ast.Subscript) -> object:
    return entry.slice.value if isinstance(entry.slice, ast.Constant) else ANY
