"""`course show`: one answer of one student, run again now, with the hidden numbers, for the teacher's eyes alone."""

import shlex
from collections.abc import Iterator

from autograder.catalogue import exercises_of
from autograder.counted import counted
from autograder.course.grade import exercise_meant, students_meant
from autograder.course.regrade import requests
from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.grading.context import Context
from autograder.grading.handed_in import handed_in
from autograder.grading.lateness import read_grace
from autograder.grading.notebook import Notebook
from autograder.grading.records import noted
from autograder.grading.submission import Graded, grade, sanitised
from autograder.grading.task import worker_for
from autograder.judging.verdict import Verdict
from autograder.practice.card import text_card
from autograder.practice.card_errors import complaints
from autograder.practice.heat_map import Comparison, compare


def show(course: Course, stage: str, student: str, exercise: str, sandbox: str | None = None) -> Iterator[str]:
    """The lines to print: the code, the verdict, expected and actual values, what grading noted, how to see it again.

    A `CourseError` where there is no such submission or exercise. Nothing is written, in the gradebook or elsewhere.
    """
    students_meant(course, stage, [student])
    context = Context.of(course, stage, sandbox, student)
    if _is_written(context, exercise):
        raise CourseError(f"{exercise} is a written question: read it in the formgrader, or with `course mark`.")
    name = exercise_meant(exercise, [*context.released_tests.verdicts, *context.released_tests.tests], stage)
    given = handed_in(course, stage, student)
    notebook, repairs, flags = (None, [], list(given.refused)) if given.refused else sanitised(given.data, context)
    if notebook is None:
        raise CourseError(f"{student} has no readable submission for {stage}: {' '.join(flags)}")
    code = Notebook(notebook).named[name].source  # of a test of the teacher's own: the test
    graded = grade(notebook, context, worker_for(context))
    verdict = next(verdict for verdict in graded.verdicts if verdict.id == name)
    yield from _headed(f"{student}, {stage}: {name}", _numbered(code))
    yield from _headed("Verdict", _verdict_lines(verdict, graded, context))
    for share in verdict.criteria:
        if share.finding and (seen := compare(share.finding)):
            where = f", case “{share.finding.case}”" if share.finding.case else ""
            yield from _headed(f"{share.name}{where}", _side_by_side(seen))
    yield from _headed("Besides", [*given.repairs, *repairs, *given.flags, *flags, *graded.flags])
    yield from _headed("As graded", _as_graded(course, stage, student, verdict))
    grace = read_grace(course, [student]).get((student, stage))
    yield from _headed("Lateness", [f"{grace}."] if grace else [])
    asked = requests(course, closed=True, student=student, stage=stage, exercise=name)
    yield from _headed("Regrade requests", [f"{request}." for request in asked])
    words = ("course", "show", student, stage, name, "--course", str(course.root))
    yield from _headed("Run again in the sandbox", [shlex.join(words)])


def _is_written(context: Context, name: str) -> bool:
    """Whether this names a question, which has an answer in words and no verdict."""
    cell = Notebook(context.release).named.get(name)
    return cell is not None and cell.cell_type == "markdown"


def _numbered(code: str) -> list[str]:
    return [f"{number:3}  {line}" for number, line in enumerate(code.splitlines(), start=1)]


def _verdict_lines(verdict: Verdict, graded: Graded, context: Context) -> list[str]:
    """The card that the student would see if the hidden cases were public."""
    exercise = next((one for one in exercises_of(context.stage) if one.id == verdict.id), None)
    errors = []
    if exercise and verdict.status not in ("right", "not_attempted"):
        errors = complaints(exercise, graded.records.get(verdict.id, {}), context.answer_key[verdict.id]["expected"])
    return text_card(verdict, practice=True, errors=errors).splitlines()


def _side_by_side(seen: Comparison) -> list[str]:
    """Two tables of numbers, one below the other; a star where they differ."""
    lines = [seen.worst]
    for name, side in zip(seen.names, seen.sides or ((), ()), strict=True):
        lines.append(f"{name} {seen.part}" if side else "")
        for row in side:
            lines.append("  " + "".join(f"{square.text + '*' * square.differs:>9}" for square in row))
    return [line for line in lines if line]


def _as_graded(course: Course, stage: str, student: str, verdict: Verdict) -> list[str]:
    """The verdict of the last `course grade`, perhaps on another file or by another version."""
    note = noted(course.private, stage, student)
    then = next((one for one in (note or {}).get("exercises", ()) if one["id"] == verdict.id), None)
    if then is None:
        return [f"Not graded yet: run `course grade {stage} --student {student}`."]
    before, now = (then["status"], then["score"]), (verdict.status, verdict.score)
    said = f"{before[0]}, {before[1]:g} of {counted(then['max_score'], 'point')}"
    return [
        f"{said}, the same as now."
        if before == now
        else f"{said}, which differs from now; run `course grade {stage}` again."
    ]


def _headed(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ("", heading, *(f"  {line}" for line in lines))
