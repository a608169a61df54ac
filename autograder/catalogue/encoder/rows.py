"""How rows get their words, and rows that are alike in every exercise of this stage."""

from collections.abc import Mapping
from dataclasses import replace

from autograder.catalogue.edits import Mistake, wrong

OWN = "What has the caller given you, and what is it, in numbers, shape and dtype, after your call?"


def worded(table: Mapping[str, Mapping[str, Mistake]]) -> tuple[Mistake, ...]:
    """The mistakes of a table: question that leads away from them → what to say → mistake."""
    return tuple(
        replace(mistake, says=says, asks=asks) for asks, rows in table.items() for says, mistake in rows.items()
    )


def in_place(argument: str, edits: Mapping[str, str], says: str, times: int = 1) -> Mistake:
    """An answer that works on the caller's own tensor."""
    shown_by = f"the argument {argument} is another one after the call"
    return wrong(f"{argument} changed in place", edits, says, OWN, times=times, shown_by=shown_by)


def in_double(edits: Mapping[str, str], times: int = 1) -> Mistake:
    """An answer whose result has another dtype than x."""
    says, shown_by = "float32 comes in, and float64 goes out.", "output is float64 where float32 is due"
    return wrong("result in double", edits, says, OWN, times=times, shown_by=shown_by)
