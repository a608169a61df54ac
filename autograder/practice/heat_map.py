"""Expected beside actual, as two small heat maps of coloured table cells."""

from dataclasses import dataclass

import numpy as np

from autograder.catalogue.results import RELATIVE, Finding, is_text
from course_lib.notebook.widgets.pixels import colour_of, ink_on

WINDOW = 12  # rows and columns shown at most
READABLE = 8  # columns in which there is room for numbers
VISIBLE = 1e-4


@dataclass(frozen=True)
class Square:
    """One entry: what is written in it, its colours, and whether it differs from the expected value."""

    text: str
    paper: str
    ink: str
    differs: bool


@dataclass(frozen=True)
class Comparison:
    """Two maps of the same part of a tensor, and the sentence for those who do not see them.

    Attributes:
        names: of the two sides.
        part: which rows and columns are shown, of which slice; empty where that is the whole tensor.
        sides: two tables of squares, or None where a sentence says it all.
        worst: the entry that is furthest off, in words.
        numbers: whether there is room for numbers.
    """

    names: tuple[str, str]
    part: str
    sides: tuple[list[list[Square]], list[list[Square]]] | None
    worst: str
    numbers: bool = True

    @property
    def differing(self) -> tuple[int, int]:
        """How many of the squares shown differ, and how many there are."""
        squares = [square for row in self.sides[1] for square in row] if self.sides else []
        return sum(square.differs for square in squares), len(squares)

    @property
    def marked(self) -> bool:
        """Whether the squares that differ are marked: marks on most of them would hide what they mark."""
        differing, every = self.differing
        return 2 * differing <= every


def compare(finding: Finding | None) -> Comparison | None:
    """What can be shown of a finding: a pair of maps where two tensors of one shape came with it."""
    if finding is None or finding.expected is None or finding.actual is None:
        return None
    expected, got = np.asarray(finding.expected), np.asarray(finding.actual)
    if (
        expected.shape != got.shape or expected.size == 0 or is_text(expected)
    ):  # of a text the sentence quotes what differs
        return None
    names = ("expected", "actual") if finding.text.startswith(f"{finding.output} ") else ("should stay", "became")
    distance = _distance(expected, got)
    place = np.unravel_index(int(distance.argmax()), expected.shape)
    worst = f"{_at(place)}{names[0]} {_in_words(expected[place])}, {names[1]} {_in_words(got[place])}"
    if expected.ndim == 0:
        return Comparison(names, "", None, worst)
    rows, columns = _window(expected.shape, place)
    index = place[:-2]
    tables = [np.atleast_2d(array[index])[rows, columns] for array in (expected, got, distance)]
    sides = _squares(tables[0], tables[0], np.zeros_like(tables[2])), _squares(tables[1], tables[0], tables[2])
    numbers = tables[0].shape[1] <= READABLE
    return Comparison(names, _part(finding.output, expected.shape, index, rows, columns), sides, worst, numbers)


def _distance(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    """How far each entry is off; infinite where only one of the two is a number, 0 where they agree."""
    expected, got = expected.astype(np.float64), got.astype(np.float64)
    with np.errstate(invalid="ignore"):
        distance = np.abs(expected - got)
    agree = np.isclose(got, expected, rtol=RELATIVE, atol=VISIBLE, equal_nan=True)
    return np.where(agree, 0.0, np.where(np.isnan(distance), np.inf, distance))


def _window(shape: tuple, place: tuple) -> tuple[slice, slice]:
    """The rows and columns to show: all of them, or those around the worst entry."""
    (rows, columns), (row, column) = (1, *shape)[-2:], (0, *place)[-2:]
    return _span(row, rows), _span(column, columns)


def _span(centre: int, size: int) -> slice:
    first = max(0, min(centre - WINDOW // 2, size - WINDOW))
    return slice(first, min(first + WINDOW, size))


def _part(output: str | None, shape: tuple, index: tuple, rows: slice, columns: slice) -> str:
    """In the notation of a slice, what is shown."""
    ends = []
    for size, span in zip((1, *shape)[-2:], (rows, columns), strict=True):
        ends.append(":" if (span.start, span.stop) == (0, size) else f"{span.start}:{span.stop}")
    return f"{output}[{', '.join([*map(str, index), *ends[-min(len(shape), 2) :]])}]"


def _squares(table: np.ndarray, expected: np.ndarray, distance: np.ndarray) -> list[list[Square]]:
    """The entries of a table on the colour scale of the expected values."""
    known = expected[np.isfinite(expected)].astype(np.float64)
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    squares = []
    for entries, offs in zip(table, distance, strict=True):
        colours = [colour_of(float(entry), low, high) for entry in entries]
        squares.append(
            [
                Square(_number(entry, short=True), "#" + bytes(colour).hex(), ink_on(colour), bool(off > 0))
                for entry, colour, off in zip(entries, colours, offs, strict=True)
            ]
        )
    return squares


def _number(value: float, short: bool = False) -> str:
    """A number as people write it; booleans as 1 and 0, as a mask is read."""
    value = float(value)
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == round(value) and abs(value) < 1e4:
        return f"{value:.0f}".replace("-0", "0") if value == 0 else f"{value:.0f}"
    return f"{value:.2f}" if short and abs(value) < 100 else f"{value:.3g}" if short else f"{value:.4g}"


def _in_words(entry: np.generic) -> str:
    """A number, or True or False."""
    return str(entry) if entry.dtype == bool else _number(float(entry))


def _at(place: tuple) -> str:
    return f"at [{', '.join(map(str, place))}] " if place else ""
