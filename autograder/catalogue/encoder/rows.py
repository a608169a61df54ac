"""Rows that are alike in every exercise of this stage."""

from collections.abc import Mapping

from autograder.catalogue.edits import Mistake, wrong

OWN = "What has the caller given you, and what is it, in numbers, shape and dtype, after your call?"


def in_place(argument: str, edits: Mapping[str, str], says: str, times: int = 1) -> Mistake:
    """An answer that works on the caller's own tensor."""
    shown_by = f"the argument {argument} is another one after the call"
    return wrong(f"{argument} changed in place", edits, times=times, shown_by=shown_by).because(says, OWN)


def in_double(edits: Mapping[str, str], times: int = 1) -> Mistake:
    """An answer whose result has another dtype than x."""
    says, shown_by = "float32 comes in, and float64 goes out.", "output is float64 where float32 is due"
    return wrong("result in double", edits, times=times, shown_by=shown_by).because(says, OWN)
