"""Entries that are written and never read: `f.error = …` of a function, `table["theirs"] = …` of a dict.

A function doesn't look at its own attributes, and a table that is only read by fixed keys returns no other entry. So
what a student notes there, such as a comparison, isn't part of an answer.
"""

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from autograder.judging.hidden_names import BY_NAME
from autograder.judging.nodes import nodes_of, once
from autograder.judging.own_names import last_name

if TYPE_CHECKING:
    from autograder.judging.page import Page

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ANY = object()  # an entry that is known only when it is taken


class Taken:
    """What the statements that an answer reaches take, as far as they are known, and what waits to be taken."""

    def __init__(self, page: "Page"):
        self.page = page
        self.known: set[tuple] = set()
        self.fresh: set[tuple] = set()
        self.waiting: dict[tuple, list[int]] = defaultdict(list)
        self.noted: list[tuple[ast.stmt, bool]] = []

    def add(self, statement: ast.stmt) -> None:
        """One more statement is reached."""
        fresh = _taken(statement) - self.known
        self.known |= fresh
        self.fresh |= fresh

    def note(self, statement: ast.stmt, looked_into: bool) -> None:
        """One that puts something somewhere, and whether what it names is looked into."""
        ways = _ways_to_take(statement, self.page)
        for way in ways or [()]:
            self.waiting[way].append(len(self.noted))
        self.noted.append((statement, looked_into))
        self.fresh |= self.known.intersection(ways) if ways else {()}

    def now(self) -> list[tuple[ast.stmt, bool]]:
        """Those noted whose entry may be taken since the last call, in their order."""
        found = sorted({place for way in self.fresh for place in self.waiting.pop(way, ())})
        self.fresh = set()
        return [self.noted[place] for place in found]


def _ways_to_take(statement: ast.stmt, page: "Page") -> list[tuple]:
    """What has to be taken for this to be seen; nothing if it always is."""
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
def _taken(statement: ast.stmt) -> set[tuple]:
    """What a statement takes: `(attribute,)`, also by a text that may name one, and `(name, entry)`."""
    taken: set[tuple] = set()
    asked = set()
    for node in nodes_of(statement):
        if isinstance(node, ast.MatchClass):
            taken |= {(name,) for name in node.kwd_attrs}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            taken.add((node.value,))
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            asked.add(id(node.value))
            if isinstance(node.ctx, ast.Load):
                key = node.slice.value if isinstance(node.slice, ast.Constant) else ANY
                taken.add((node.value.id, key))
    for node in nodes_of(statement):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            taken.add((ANY,) if last_name(node) in BY_NAME else (last_name(node),))
            taken |= {(node.id, ANY)} if isinstance(node, ast.Name) and id(node) not in asked else set()
    return taken
