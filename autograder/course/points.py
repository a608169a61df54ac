"""`course points` and `course drop`: change an exercise's points in the middle of a term, without losing anything."""

import difflib
import math
from collections.abc import Iterator

import nbformat

from autograder.course.edits import as_bytes, has_submissions
from autograder.directory.course import Course, generate_assignment
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.grading.context import note_release
from autograder.grading.notebook import Notebook

MOST = 1000


def set_points(course: Course, stage: str, exercise: str, points: float) -> Iterator[str]:
    """Give an exercise, or a written question, other points in source/ and in the release; yields sentences.

    Raises:
        CourseError: no such exercise, impossible points, or a release that nbgrader refuses; nothing changes then.
    """
    if not (math.isfinite(points) and 0 <= points <= MOST):
        raise CourseError(f"Points must be a number from 0 to {MOST}, not {points:g}.")
    path = course.source_file(stage)
    before = path.read_bytes()
    source = nbformat.reads(before.decode(), as_version=4)
    cell = _graded_cell(source, stage, exercise)
    was = float(cell.metadata["nbgrader"]["points"])
    if was == points:
        yield f"{exercise} is already worth {points:g} in {stage}."
        return
    cell.metadata["nbgrader"]["points"] = int(points) if points == int(points) else points
    write_whole(path, as_bytes(source))
    try:
        release_again(course, stage)
    except BaseException:
        write_whole(path, before)
        raise
    what = f"{exercise} is now worth {points:g} in {stage} (before: {was:g})."
    yield what if points else f"{what} It is still judged, so its card still helps the student."
    if has_submissions(course, stage):
        yield f"The next `course grade {stage}` regrades the submissions with these points."


def release_again(course: Course, stage: str) -> None:
    """Make the release from source/; if nbgrader refuses, the release that was there comes back."""
    note_release(course, stage)  # it is what students have
    folder = course.release_file(stage).parent
    kept = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    try:
        generate_assignment(course, stage)
    except BaseException:
        for name, content in kept.items():
            write_whole(folder / name, content)
        raise


def _graded_cell(source: nbformat.NotebookNode, stage: str, exercise: str) -> nbformat.NotebookNode:
    graded = {
        name.removeprefix("test_"): cell
        for name, cell in Notebook(source).named.items()
        if cell.metadata["nbgrader"].get("grade") or cell.metadata["nbgrader"].get("task")
    }
    if exercise not in graded:
        near = difflib.get_close_matches(exercise, graded, n=1, cutoff=0.4)
        offer = f"did you mean {near[0]}?" if near else f"it has {', '.join(graded)}."
        raise CourseError(f"{stage} has no graded exercise {exercise}: {offer}")
    return graded[exercise]
