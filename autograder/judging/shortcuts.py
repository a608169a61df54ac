"""Find, in the syntax tree of a submission, the names that would make an exercise empty.

Only what the student's object reaches counts: its own definition, the helpers, imports and assignments
of other cells that it names, and theirs in turn. A demonstration elsewhere on the page that calls
PyTorch's own attention is not a shortcut.
"""

import ast

from autograder.catalogue.exercise import Exercise
from autograder.judging.hidden_names import BY_NAME
from autograder.judging.nodes import DOTS, last_name, nodes_of, once, root_of, written
from autograder.judging.own_names import OwnNames
from autograder.judging.page import Page
from autograder.judging.ready_made import ready_made
from autograder.judging.texts import runs_text, text_of, words_of
from autograder.stages import left_out_of, stage_of


def shortcut(exercise: Exercise, page: Page) -> str | None:
    """A sentence that names the shortcut of an answer, the object that is named like the exercise; or None."""
    stage = stage_of(exercise.id)
    closed = left_out_of(stage.name)
    libraries = {"course_lib"}.union(*map(_aliases_of_course_lib, page.everywhere))
    forbidden, reached = ready_made(exercise.forbidden), page.reached(exercise.name)
    own = OwnNames(reached)
    for node in reached:
        for part in nodes_of(node):
            if name := _ready_made(part, forbidden, libraries, own):
                return f"`{name}` does the whole exercise; write it from its parts."
            if name := _imported_answer(part, closed, libraries):
                if name in stage.objects:
                    return f"`{name}` comes from course_lib; importing the answer does not count."
                return (
                    f"`{name}` comes from a stage that this one does not build on, so it is missing when your page is "
                    "graded; write what you need of it yourself."
                )
    return None


@once
def _aliases_of_course_lib(statement: ast.stmt) -> set[str]:
    """The names under which a statement imports course_lib or its modules as modules."""
    found, package = set(), "course_lib"
    for node in nodes_of(statement):
        if isinstance(node, ast.Import):
            found |= {a.asname or package for a in node.names if a.name.split(".")[0] == package}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            found |= {alias.asname or alias.name for alias in node.names if alias.name.islower()}
    return found


def _ready_made(node: ast.AST, forbidden: frozenset[str], libraries: set[str], own: OwnNames) -> str | None:
    if isinstance(node, ast.Attribute) and node.attr in forbidden and isinstance(node.ctx, ast.Load):
        ours = root_of(node, DOTS) in libraries or own.has(node.value, node.attr)
        return None if ours else written(node)
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] != "course_lib":
        return next((alias.name for alias in node.names if alias.name in forbidden), None)
    if isinstance(node, ast.MatchClass):
        taken = (name for name in node.kwd_attrs if name in forbidden)
        return next((name for name in taken if not own.has(node.cls, name)), None)
    if isinstance(node, ast.Call) and last_name(node.func) in BY_NAME:
        return next((word for word in _words_in(node, forbidden) if not own.has(node.args[0], word)), None)
    if isinstance(node, ast.Call) and runs_text(node):
        return next(iter(_words_in(node, forbidden)), None)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and text_of(node.slice) in forbidden:
        return None if own.has_entry(node.value) else text_of(node.slice)
    return None


def _words_in(call: ast.Call, forbidden: frozenset[str]) -> list[str]:
    """The forbidden names in the texts that a call is given."""
    return sorted({word for text in map(text_of, call.args) for word in words_of(text)} & forbidden)


def _imported_answer(node: ast.AST, closed: frozenset[str], libraries: set[str]) -> str | None:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "course_lib":
        return next((alias.name for alias in node.names if alias.name in closed), None)
    if isinstance(node, ast.Attribute) and node.attr in closed:
        return node.attr if root_of(node, DOTS) in libraries else None
    return None
