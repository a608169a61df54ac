"""What an instructor changed in source/: never overwritten, and reported if it affects how a stage is graded."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat.v4 import reads_json
from nbgrader.preprocessors import ClearHiddenTests

from autograder.catalogue import exercises_of
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.grading.notebook import Notebook, test_of
from autograder.grading.released_tests import ReleasedTests
from autograder.shorten_list import shorten_list

NAMED = 5
DECIDES = ("grade_id", "grade", "points", "solution", "locked", "task", "cell_type")


def why_it_stays(course: Course, stage: str, fresh: bytes) -> str | None:
    """Why `fresh` may not replace the existing source, as a sentence; None if it may."""
    there, made, new = _read(course.source_file(stage)), _read(_as_made(course, stage)), reads_json(fresh.decode())
    if there is None:
        return None
    if edits := differences(_with_points(made, _own_points(course, stage)) if made else new, there):
        whose = "edited here" if made else "different from what this version makes"
        return (
            f"source/{stage} is {whose} ({shorten_list(edits, NAMED)}) and is kept unchanged; to compare, "
            "create another course with `course init` in a new directory."
        )
    cells = _names(new) ^ _names(there)
    if cells and has_submissions(course, stage):
        return (
            f"source/{stage} has submissions, so nbgrader does not let its cells change; it is kept "
            f"unchanged. In this version these cells differ: {shorten_list(sorted(cells), NAMED)}."
        )
    return None


def has_submissions(course: Course, stage: str) -> bool:
    """Whether the gradebook has a submission of a stage: from then on nbgrader keeps its cells."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        known = any(assignment.name == stage for assignment in gradebook.assignments)
        return known and bool(gradebook.assignment_submissions(stage))


def write_source(course: Course, stage: str, fresh: bytes) -> None:
    """Write a source, with the points that this course gives, and keep a copy to know later what was edited."""
    own = _own_points(course, stage)
    write_whole(course.source_file(stage), as_bytes(_with_points(reads_json(fresh.decode()), own)) if own else fresh)
    write_whole(_as_made(course, stage), fresh)


def is_current(course: Course, stage: str, fresh: bytes) -> bool:
    """Whether the source that is there says what `fresh` says, but for points, and has been released."""
    there = _read(course.source_file(stage))
    if there is None or differences(_with_points(reads_json(fresh.decode()), _own_points(course, stage)), there):
        return False
    write_whole(_as_made(course, stage), fresh)
    return course.release_file(stage).exists()


def as_bytes(notebook: nbformat.NotebookNode) -> bytes:
    """A notebook as the bytes of a file."""
    return (nbformat.writes(notebook).rstrip("\n") + "\n").encode()


def differences(one: nbformat.NotebookNode, other: nbformat.NotebookNode) -> list[str]:
    """The names of the cells that differ between two notebooks; outputs and an editor's metadata do not count."""
    first, second = _cells(one), _cells(other)
    changed = [name for name in first if first[name] != second.get(name)]
    return changed + [name for name in second if name not in first]


def said_of_release(course: Course, stage: str) -> list[str]:
    """What an instructor's edits mean for grading, a sentence each; nothing for a stage as the package has it."""
    released_tests = Context.of(course, stage).released_tests
    return [
        *_points(released_tests, stage),
        *_tests(released_tests),
        *_not_released(course, stage),
        *_files(course, stage),
    ]


def _points(released_tests: ReleasedTests, stage: str) -> Iterator[str]:
    usual = {exercise.id: exercise.points for exercise in exercises_of(stage)}
    counts = released_tests.verdicts.items()
    if other := [f"{name} {points:g} (not {usual[name]:g})" for name, points in counts if points != usual[name]]:
        yield f"Points of this course: {', '.join(other)}."
    named = {name.removeprefix("test_") for name in released_tests.people}
    if missing := [name for name in usual if name not in released_tests.verdicts and name not in named]:
        yield f"Not in the release, so not graded: {', '.join(missing)}."


def _tests(released_tests: ReleasedTests) -> Iterator[str]:
    if own := ", ".join(released_tests.tests):
        yield f"Your own tests, run with the submission and scored as nbgrader scores them: {own}."
    for name, why in released_tests.people.items():
        yield f"To be graded by hand: {name}: {why}."


def _not_released(course: Course, stage: str) -> Iterator[str]:
    """A source that says something else about grading than the release that students have."""
    source = _read(course.source_file(stage))
    if source is None:
        return
    try:
        ClearHiddenTests(config=course.config).preprocess(source, {})
    except RuntimeError as error:
        yield f"source/{stage} cannot be released: {error}"
        return
    release = course.release(stage)
    theirs, ours = _graded(source), _graded(release)
    if (cells := _names(source) ^ _names(release)) and has_submissions(course, stage):
        yield (
            f"source/{stage} and its release have different cells ({shorten_list(sorted(cells), NAMED)}), "
            "which nbgrader refuses once there are submissions; undo that edit. Grading uses the version "
            "that students have."
        )
    elif changed := [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]:
        yield (
            f"source/{stage} was edited after its release was made ({shorten_list(changed, NAMED)}). Grading "
            "uses the version that students have. To use the edits instead: nbgrader generate_assignment "
            f"{stage} --force"
        )


def _files(course: Course, stage: str) -> Iterator[str]:
    folder = course.source_file(stage).parent
    beside = [p.name for p in sorted(folder.iterdir()) if p != course.source_file(stage) and p.name[0] != "."]
    if beside:
        yield f"Not available to submissions, which cannot see the course's files: {shorten_list(beside, NAMED)}."


def _own_points(course: Course, stage: str) -> dict[str, float]:
    """The cells to which this course gives other points than the source as it was made."""
    there, made = _read(course.source_file(stage)), _read(_as_made(course, stage))
    if there is None or made is None:
        return {}
    usual = {name: points for name, (points, _) in _graded(made).items()}
    return {name: points for name, (points, _) in _graded(there).items() if points != usual.get(name, points)}


def _with_points(notebook: nbformat.NotebookNode, points: dict[str, float]) -> nbformat.NotebookNode:
    """The same notebook, changed in place."""
    for name, cell in Notebook(notebook).named.items():
        if name in points:
            cell.metadata["nbgrader"]["points"] = points[name]
    return notebook


def _graded(notebook: nbformat.NotebookNode) -> dict[str, tuple]:
    """What affects grading: name → points, and the source of a test."""
    named = Notebook(notebook).named
    return {
        name: (cell.metadata["nbgrader"].get("points"), cell.source.strip() if test_of(cell) else "")
        for name, cell in named.items()
        if cell.metadata["nbgrader"].get("grade") or cell.metadata["nbgrader"].get("task")
    }


def _cells(notebook: nbformat.NotebookNode) -> dict[str, tuple]:
    """Name → what a person may have changed."""
    found = {}
    for place, cell in enumerate(notebook.cells):
        grading = cell.metadata.get("nbgrader", {})
        name = grading.get("grade_id") or cell.get("id") or f"cell {place + 1}"
        decides = [grading.get(key) for key in DECIDES]
        found[name] = (cell.cell_type, cell.source, decides, list(cell.metadata.get("tags", ())))
    return found


def _names(notebook: nbformat.NotebookNode) -> set[str]:
    return set(Notebook(notebook).named)


def _as_made(course: Course, stage: str) -> Path:
    """The source as `course init` made it."""
    return course.private / "sources" / f"{stage}.ipynb"


def _read(path: Path) -> nbformat.NotebookNode | None:
    try:
        return reads_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise CourseError(f"{path} is not a notebook: {error}.") from None
