"""Entries that are written and never read: `f.error = …` of a function, `table["theirs"] = …` of a dict.

A function doesn't look at its own attributes, and a table that is only read by fixed keys returns no other entry. So
what a student notes there, such as a comparison, isn't part of an answer.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from autograder.judging.hidden_names import BY_NAME
from autograder.judging.nodes import nodes_of, once
from autograder.judging.own_names import last_name

if TYPE_CHECKING:
    from autograder.judging.page import Page

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ANY = object()  # an entry that is known only when it is taken


def is_taken(statement: ast.stmt, page: "Page", reached: Iterable[ast.stmt]) -> bool:
    """May one of the statements that an answer reaches see what this one puts somewhere?"""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=key)]):
            seen = {key, *BY_NAME}
            return not _is_function(name, page) or key.startswith("__") or any(seen & _words(one) for one in reached)
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=key))]):
            return not _is_table(name, page) or any({key, ANY} & _taken(one).get(name, set()) for one in reached)
    return True


def _is_function(name: str, page: "Page") -> bool:
    meanings = page.bindings.get(name, [])
    return bool(meanings) and all(isinstance(one, FUNCTIONS) and not one.decorator_list for one in meanings)


def _is_table(name: str, page: "Page") -> bool:
    meanings = page.bindings.get(name, [])
    return bool(meanings) and all(isinstance(one, ast.Assign) and isinstance(one.value, ast.Dict) for one in meanings)


@once
def _words(statement: ast.stmt) -> frozenset[str]:
    """The names and attributes that a statement reads, and its texts, which may name one."""
    found: set[str] = set()
    for node in nodes_of(statement):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            found.add(last_name(node))
        elif isinstance(node, ast.MatchClass):
            found |= {*node.kwd_attrs}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return frozenset(found)


@once
def _taken(statement: ast.stmt) -> dict[str, set]:
    """Name → the entries that a statement may take from it."""
    taken, asked = defaultdict(set), set()
    for node in nodes_of(statement):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            asked.add(id(node.value))
            if isinstance(node.ctx, ast.Load):
                taken[node.value.id].add(node.slice.value if isinstance(node.slice, ast.Constant) else ANY)
    for node in nodes_of(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in asked:
            taken[node.id].add(ANY)
    return taken
