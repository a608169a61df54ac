"""The common form of a grade file."""

from dataclasses import dataclass

BY_HAND = "to grade by hand"


@dataclass(frozen=True)
class Table:
    """The rows of a grade file, and what must be said of them."""

    rows: list[list]
    missing: tuple[str, ...] = ()  # graded, and not in the roster
    without: tuple[str, ...] = ()  # in the roster, and not graded
    notes: tuple[str, ...] = ()
    delimiter: str = ","


def other_maximum(theirs: str, ours: float, where: str) -> tuple[str, ...]:
    """A note where the LMS counts to another maximum than the course."""
    try:
        same = abs(float(theirs.replace(",", ".")) - ours) < 1e-9
    except ValueError:
        return ()
    said = f"{where} says the assignment is worth {theirs} points, but the course says {ours:g}; make them equal."
    return () if same else (said,)
