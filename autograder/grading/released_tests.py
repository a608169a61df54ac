"""What the test cells of a release ask for: a verdict of ours, a run of the instructor's own test, or a person."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograder.grading.notebook import Notebook, test_of
from autograder.repair.sources import CHECK

CALLS_CHECK = re.compile(r"\bcheck\s*\(")
UNHIDDEN = "unhidden"  # in the metadata of a test cell: its source before nbgrader took the hidden tests out


@dataclass(frozen=True)
class ReleasedTests:
    """The test cells of a release, by how they are graded.

    Attributes:
        verdicts: exercise → the points of its cell, which a verdict's shares are scaled to.
        tests: name of an instructor's own test cell → its points.
        people: name of a cell that a person must grade → why.
    """

    verdicts: dict[str, float] = field(default_factory=dict)
    tests: dict[str, float] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)

    def exercise_of(self, cell: NotebookNode) -> str | None:
        """The exercise that a cell asks a verdict for."""
        name = test_of(cell)
        exercise = name.removeprefix("test_") if name else None
        return exercise if name == f"test_{exercise}" and exercise in self.verdicts else None


def released_tests(release: Notebook, known: Collection[str]) -> ReleasedTests:
    """Look through a release; `known` are the exercises that this package can judge in its stage."""
    found = ReleasedTests()
    for name, cell in release.named.items():
        if test_of(cell) is None:
            continue
        points = float(cell.metadata["nbgrader"].get("points", 0))
        exercise = _only_check(cell)
        if exercise is None and not CALLS_CHECK.search(cell.source):
            found.tests[name] = points
        elif why := _refusal(name, exercise, release, known):
            found.people[name] = why
        elif exercise is not None:
            found.verdicts[exercise] = points
    return found


def _only_check(cell: NotebookNode) -> str | None:
    """The exercise of a cell that holds one line `check("exercise", object)`, and comments."""
    calls = CHECK.findall(cell.source)
    rest = [line for line in CHECK.sub("", cell.source).splitlines() if line.strip()]
    alone = len(calls) == 1 and UNHIDDEN not in cell.metadata and all(line.lstrip().startswith("#") for line in rest)
    return calls[0][0] if alone else None


def _refusal(name: str, exercise: str | None, release: Notebook, known: Collection[str]) -> str:
    """Why no verdict can be given on what a cell asks for; empty when one can."""
    if exercise is None:
        return "it contains more than its `check`; put your own test in a separate cell"
    if exercise not in known:
        return f"this version of the course has no exercise `{exercise}` in this stage"
    if name != f"test_{exercise}":
        return f"a cell that checks `{exercise}` must be named `test_{exercise}`"
    answer = release.named.get(exercise)
    if answer is None or answer.cell_type != "code" or not answer.metadata["nbgrader"].get("solution"):
        return f"there is no answer cell `{exercise}`"
    return ""
