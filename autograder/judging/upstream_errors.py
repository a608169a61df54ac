"""A mistake in one answer shows again in every answer that calls it: say where to look first."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace

from autograder.judging.judge import Verdict
from autograder.judging.shortcuts import statements_reached

INNOCENT = ("right", "forbidden", "ungradable")


def with_upstream_errors(verdict: Verdict, cells: Iterable[str], statuses: Mapping[str, str]) -> Verdict:
    """The verdict, with a sentence on the answers it calls that are not right, where nothing else explains it.

    Args:
        verdict: on one exercise.
        cells: the sources of the notebook's cells, in order.
        statuses: id → status of the exercises that have been judged.
    """
    if verdict.status in INNOCENT or verdict.misconception:
        return verdict
    statements = statements_reached(verdict.id, cells)
    parts = [part for statement in statements for part in ast.walk(statement)]
    faulty = {name for name, status in statuses.items() if status not in INNOCENT and name != verdict.id}
    used = sorted(faulty & {part.id for part in parts if isinstance(part, ast.Name)})
    if not used or not _is_written(statements[0]):
        return verdict
    *others, last = used
    names, are = (f"{', '.join(others)} and {last}", "are") if others else (last, "is")
    sentence = f"It calls your {names}, which {are} not right yet: look there first."
    if verdict.status == "not_attempted":  # what it calls is not written, and ended it
        return replace(verdict, status="error", message=sentence)
    rest = "" if verdict.repeats_a_finding else verdict.message
    return replace(verdict, message=f"{sentence} {rest}".strip())


def _is_written(definition: ast.stmt) -> bool:
    """Nothing in it waits any more, as the released answer does."""
    waits = (part.exc for part in ast.walk(definition) if isinstance(part, ast.Raise))
    return not any(isinstance(error, ast.Name) and error.id == "NotImplementedError" for error in waits)
