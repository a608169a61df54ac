"""Grade a stage of a course: what is new is graded, in parallel; one writer puts it into the gradebook."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat

from autograder.course import Course, write_whole
from autograder.grading.context import Context, versions
from autograder.grading.gradebook import Writer
from autograder.grading.pool import local
from autograder.grading.records import Records
from autograder.grading.submission import unreadable
from autograder.grading.task import grade_bytes


def grade_stage(
    course: Course,
    stage: str,
    students: list[str] | None = None,
    jobs: int = 1,
    sandbox: str | None = None,
    spread: Callable | None = None,
    progress: Callable[[str, dict], None] = lambda student, result: None,
) -> dict:
    """Grade the submissions of a stage and write autograded/ and the gradebook.

    Args:
        course, stage: what to grade.
        students: whom; everybody who handed in, when left out.
        jobs: how many grading processes.
        sandbox: `bubblewrap` or `limits`; the better one that is here, when left out.
        spread: runs tasks somewhere else than in local processes; see `autograder.grading.cluster`.
        progress: called with each student and result as it is done.

    Returns:
        The object that `--json` writes.
    """
    began = time.monotonic()
    context = Context.of(course, stage, sandbox)
    records = Records(course.private, stage, context.digest)
    wanted = course.students(stage) if students is None else students
    finished: dict[str, dict] = {}
    with Writer(course, stage) as writer:
        known = writer.known_students()
    todo = []
    for student in wanted:
        data = _read(course.submitted_file(stage, student))
        kept = records.done(student, data)
        if kept and student in known and course.autograded_file(stage, student).exists():
            finished[student] = kept
            progress(student, kept)
        else:
            todo.append(student)
    if todo:
        outcomes = (spread or local)(grade_bytes, _tasks(course, stage, todo, context), min(jobs, len(todo)))
        _write_as_they_come(course, stage, context, records, outcomes, finished, progress)
    return {
        "stage": stage,
        "versions": versions(),
        "seconds": round(time.monotonic() - began, 3),
        "submissions": [finished[student] for student in wanted if student in finished],
    }


def _tasks(course: Course, stage: str, students: list[str], context: Context) -> Iterator[tuple[str, tuple]]:
    context.exercises, context.digest  # noqa: B018 (made here once, shared by the processes that fork from this one)
    for student in students:
        yield student, (context, _read(course.submitted_file(stage, student)), course.private)


def _write_as_they_come(course, stage, context, records, outcomes, finished, progress) -> None:
    first = next(outcomes)  # the processes are forked before this one opens the gradebook
    with Writer(course, stage) as writer:
        for student, outcome in _chain(first, outcomes):
            if isinstance(outcome, BaseException):
                outcome = _machinery_failed(context, outcome)
            submission = outcome["submission"] | {"student": student}
            submission = {"student": student} | submission
            _store(course, stage, student, outcome["notebook"], submission, writer)
            finished[student] = submission
            if submission["status"] != "ungradable":
                records.note_done(student, _read(course.submitted_file(stage, student)), submission)
            progress(student, submission)


def _store(course: Course, stage: str, student: str, text: str | None, submission: dict, writer: Writer) -> None:
    """autograded/ first, the gradebook after it: a note of what is done comes only when both have it."""
    path = course.autograded_file(stage, student)
    notebook = nbformat.reads(text, as_version=4) if text else None
    if text:
        write_whole(path, text.encode())
        stamp = course.submitted_file(stage, student).with_name("timestamp.txt")
        if when := _read(stamp):
            write_whole(path.with_name("timestamp.txt"), when)
    if submission["status"] == "ungradable" and text:
        return  # the machinery failed: what the gradebook holds stays until it is run again
    writer.write(student, notebook, flagged=bool(submission["flags"]))


def _machinery_failed(context: Context, error: BaseException) -> dict:
    graded = unreadable(context, [f"Not graded, run again: {type(error).__name__}: {error}"])
    return {"submission": graded.as_json(""), "notebook": None}


def _read(path: Path) -> bytes:
    """What was handed in; nothing where it is no file, or a link that leads out of the submission's directory."""
    try:
        ours = path.is_file() and path.resolve().is_relative_to(path.parent.resolve())
        return path.read_bytes() if ours else b""
    except OSError:
        return b""


def _chain(first, rest):
    yield first
    yield from rest
