"""Write the grade files of stages, and say what an instructor must know of each."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from autograder.counted import counted
from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.exports.canvas import canvas_table
from autograder.exports.cells import csv_bytes
from autograder.exports.feedback_files import FORMATS as FEEDBACK
from autograder.exports.feedback_files import export_feedback
from autograder.exports.moodle import moodle_table
from autograder.exports.plain import plain_table
from autograder.exports.roster import Roster, read_roster
from autograder.exports.scores import GradebookScore, graded_scores, read_scores
from autograder.exports.table import Table
from autograder.exports.variants import export_variants
from autograder.files import write_whole
from autograder.grading.lateness import settle
from autograder.shorten_list import shorten_list
from autograder.stages import STAGE_NAMES

FORMATS = ("csv", "canvas", "moodle", "gradescope", "github-classroom", "variants", *FEEDBACK)
NAMED = 10


def export_stages(
    course: Course,
    to: str,
    stages: list[str] | None,
    roster: Path | None,
    column: str | None,
    output: Path | None,
    only_final: bool = False,
) -> Iterator[str]:
    """Write one file a stage; yield sentences. A `CourseError` where nothing can be written.

    With `only_final` a grade is blank while a person still has to give a part of it.
    """
    if to not in FORMATS:
        raise CourseError(f"--to must be {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {to}.")
    for option, given in (("roster", roster), ("column", column)):
        if given is not None and to not in ("canvas", "moodle"):
            raise CourseError(f"--{option} is for canvas and moodle; leave it out for {to}.")
    if only_final and to in ("gradescope", "github-classroom", "variants", *FEEDBACK):
        raise CourseError(f"--only-final applies to grades; leave it out for {to}.")
    folder = (output or course.root / "export").resolve()
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file; pass a directory as --output.")
    if to == "gradescope":
        from autograder.exports.gradescope import export_autograder  # with grading and torch, 1.4 s of CPU time

        for stage in stages or course.stages:
            yield from export_autograder(course, stage, folder)
        return
    if to == "github-classroom":
        from autograder.exports.github_classroom import export_repository  # with torch, 1.4 s of CPU time

        for stage in stages or course.stages:
            yield from export_repository(course, stage, folder)
        return
    if to == "variants":
        for stage in stages or course.stages:
            yield from export_variants(course, stage, folder)
        return
    people = read_roster(roster) if roster else None
    yield from settle(course)
    if to in FEEDBACK:
        for stage in stages or [stage for stage in course.stages if course.students(stage)]:
            yield from export_feedback(course, to, stage, folder)
        return
    wanted = stages or [stage for stage in STAGE_NAMES if read_scores(course, stage)]
    if not wanted:
        raise CourseError("No stage of this course is graded yet: run `course grade STAGE` first.")
    for stage in wanted:
        yield from _export(course, to, stage, people, column, folder, only_final)


def table_name(stage: str, to: str) -> str:
    """The file of a stage's grades: the plain table is called after its stage alone."""
    return f"{stage}.csv" if to == "csv" else f"{stage}-{to}.csv"


def _export(
    course: Course, to: str, stage: str, roster: Roster | None, column: str | None, folder: Path, only_final: bool
) -> Iterator[str]:
    scores = graded_scores(course, stage)
    if only_final:
        scores = {student: replace(score, held_back=bool(score.by_hand_open)) for student, score in scores.items()}
    table = _table(course, to, stage, scores, roster, column)
    path = folder / table_name(stage, to)
    write_whole(path, csv_bytes(table.rows, table.delimiter))
    yield f"{path}: {counted(len(scores) - len(table.missing), 'student')}."
    yield from table.notes
    if blank := [s.student for s in scores.values() if s.ungraded]:
        yield (
            f"Not graded, and left blank: {shorten_list(blank, NAMED)}. Grade them in the formgrader, or run "
            "`course grade` again."
        )
    if open_ := [s.student for s in scores.values() if s.by_hand_open]:
        so_far = "Left blank, by --only-final." if only_final else "Their scores do not include these questions yet."
        yield f"Not final, questions to grade by hand: {shorten_list(open_, NAMED)}. {so_far}"
    if table.without:
        yield f"In the roster, but without a grade here, so left unchanged: {shorten_list(table.without, NAMED)}."
    rest = path.with_name(f"{stage}-{to}-not-in-roster.csv")
    rest.unlink(missing_ok=True)
    if table.missing:
        left = {student: scores[student] for student in table.missing}
        write_whole(rest, csv_bytes(plain_table(course, stage, left).rows[: len(left) + 1]))
        names = shorten_list(table.missing, NAMED)
        yield f"Graded, but not found in the roster (or found twice): {names}. Their grades: {rest}"


def _table(
    course: Course, to: str, stage: str, scores: dict[str, GradebookScore], roster: Roster | None, column: str | None
) -> Table:
    if to == "csv":
        return plain_table(course, stage, scores)
    return (canvas_table if to == "canvas" else moodle_table)(stage, scores, roster, column)
