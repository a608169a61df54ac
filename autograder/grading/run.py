"""Grade a stage of a course: what is new is graded, in parallel; one writer puts it into the gradebook."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, write_whole
from autograder.grading.context import Context, versions
from autograder.grading.gradebook import Writer
from autograder.grading.lock import alone
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
    wanted = course.students(stage) if students is None else students
    with Writer(course, stage) as writer:
        known, terms = writer.known_students(), writer.terms
    run = _Run(course, context, Records(course.private, stage, context.digest), terms, progress)
    for student in set(wanted) - known:
        run.records.forget(student)  # what a note says is not, or no longer, in the gradebook
    todo = [student for student in wanted if not run.is_done(student)]
    if todo:
        with closing((spread or local)(grade_bytes, run.tasks(todo), min(jobs, len(todo)))) as outcomes:
            run.write_as_they_come(outcomes)
    return {
        "stage": stage,
        "versions": versions(),
        "seconds": round(time.monotonic() - began, 3),
        "submissions": [run.finished[student] for student in wanted if student in run.finished],
    }


@dataclass
class _Run:
    """One run over a stage: what it works with, and what it has finished."""

    course: Course
    context: Context
    records: Records
    terms: str  # of lateness
    progress: Callable[[str, dict], None]
    finished: dict[str, dict] = field(default_factory=dict)
    under_way: dict[str, tuple[bytes, str]] = field(default_factory=dict)  # files and circumstances, as they were read

    def is_done(self, student: str) -> bool:
        """Whether the gradebook has the result for just what lies there; then that counts as finished."""
        kept = self.records.done(student, self._read(student), self._circumstances(student))
        if kept is None or not (kept["status"] == "ungradable" or self._autograded(student).exists()):
            return False
        self._finish(student, kept)
        return True

    def tasks(self, students: list[str]) -> Iterator[tuple[str, tuple]]:
        """What is to be graded, looked up when its turn comes: another run may have done it meanwhile."""
        self.context.exercises, self.context.digest  # noqa: B018 (made here once, for the processes forked from this)
        for student in students:
            if not self.is_done(student):
                self.under_way[student] = data, _ = self._read(student), self._circumstances(student)
                yield student, (self.context, data, self.course.private)

    def write_as_they_come(self, outcomes: Iterator[tuple[str, object]]) -> None:
        """Write each result down as soon as it is there."""
        first = next(outcomes, None)  # the processes are forked before this one opens the gradebook
        with Writer(self.course, self.context.stage) as writer:
            while first is not None:
                student, outcome = first
                if isinstance(outcome, BaseException):
                    self._finish(student, self._not_graded(student, outcome))
                else:
                    self._write(student, outcome, writer)
                first = next(outcomes, None)

    def _write(self, student: str, outcome: dict, writer: Writer) -> None:
        """autograded/ first, the gradebook after it, then the note that both have it: killed between, it is redone."""
        submission = outcome["submission"] | {"student": student}
        data, circumstances = self.under_way.pop(student)
        machinery_failed = submission["status"] == "ungradable" and outcome["notebook"] is not None
        with alone(self.course.private / "gradebook.lock"):
            if outcome["notebook"] is not None:
                write_whole(self._autograded(student), outcome["notebook"].encode())
                if stamp := self._stamp(student):
                    write_whole(self._autograded(student).with_name("timestamp.txt"), stamp)
            if not machinery_failed:  # else what the gradebook holds stays until it is run again
                writer.record(student, outcome["marks"], flagged=bool(submission["flags"]))
                self.records.note_done(student, data, submission, circumstances)
        self._finish(student, submission)

    def _finish(self, student: str, submission: dict) -> None:
        self.finished[student] = submission
        self.progress(student, submission)

    def _not_graded(self, student: str, error: BaseException) -> dict:
        sentence = f"Not graded, run again: {type(error).__name__}: {error}"
        return unreadable(self.context, [sentence]).as_json(student)

    def _read(self, student: str) -> bytes:
        return _bytes(self.course.submitted_file(self.context.stage, student))

    def _stamp(self, student: str) -> bytes:
        return _bytes(self.course.submitted_file(self.context.stage, student).with_name("timestamp.txt"))

    def _circumstances(self, student: str) -> str:
        """What the gradebook's entry depends on besides the verdict: when it was handed in, and the terms."""
        return f"{self._stamp(student).decode(errors='replace')}\0{self.terms}"

    def _autograded(self, student: str) -> Path:
        return self.course.autograded_file(self.context.stage, student)


def _bytes(path: Path) -> bytes:
    """What was handed in; nothing where it is no file, or a link that leads out of the submission's directory."""
    try:
        ours = path.is_file() and path.resolve().is_relative_to(path.parent.resolve())
        return path.read_bytes() if ours else b""
    except OSError:
        return b""
