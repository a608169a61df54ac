"""Grade a stage of a course: what is new is graded, in parallel; one writer puts it into the gradebook."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock
from nbformat.v4 import reads_json

from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.files import disk_trouble, write_whole
from autograder.grading.context import Contexts
from autograder.grading.handed_in import HandedIn, handed_in, timestamp
from autograder.grading.pool import Outcome, local
from autograder.grading.records import Records
from autograder.grading.submission import unreadable
from autograder.grading.task import grade_bytes
from autograder.logs import fault, log
from autograder.sandbox.sandbox import UNPROTECTED, choose
from autograder.versions import versions

if TYPE_CHECKING:
    from autograder.grading.gradebook import Writer


def grade_stage(
    course: Course,
    stage: str,
    students: list[str] | None = None,
    jobs: int = 1,
    sandbox: str | None = None,
    spread: Callable | None = None,
    progress: Callable[[str, dict], None] = lambda student, result: None,
    again: bool = False,
) -> dict:
    """Grade the submissions of a stage and write autograded/ and the gradebook.

    A submission that timed out while others were running is run again, alone, before it counts. One that timed out on
    its own is tried again by the next run; after the second time its result stays until the file changes.

    Args:
        course, stage: what to grade.
        students: their ids; by default everyone who handed in.
        jobs: how many grading processes.
        sandbox: `bubblewrap` or `limits`; by default the stronger one available here.
        spread: runs tasks elsewhere than in local processes, as many at once as there is room for; see
            `autograder.grading.cluster`.
        progress: called with each student and result as it is done.
        again: grade submissions that have not changed, too.

    Returns:
        The object that `--json` writes.
    """
    began = time.monotonic()
    wanted = course.students(stage) if students is None else students
    run = _Run(course, stage, Contexts(course, stage, sandbox), progress, again)
    if any(map(run.is_noted, wanted)):
        run.read_gradebook(wanted)
    todo = [student for student in wanted if not run.is_done(student)]
    for at_once in (len(todo) if spread else min(jobs, len(todo)), 1):
        if todo:
            with closing((spread or local)(grade_bytes, run.tasks(todo), at_once)) as outcomes:
                todo = run.write_as_they_come(outcomes, alone=at_once == 1)
    return {
        "stage": stage,
        "versions": versions() | {"sandbox": choose(sandbox)},
        "seconds": round(time.monotonic() - began, 3),
        "tried_again": sorted(run.late),
        "submissions": [run.finished[student] for student in wanted if student in run.finished],
    }


class _Run:
    """One run over a stage: what it works with, and what it has finished."""

    def __init__(
        self, course: Course, stage: str, contexts: Contexts, progress: Callable[[str, dict], None], again: bool
    ):
        self.course, self.stage, self.contexts, self.progress, self.again = course, stage, contexts, progress, again
        self.lock = FileLock(course.private / "gradebook.lock")  # one object: Ctrl-C in a lock's __del__ would be lost
        self.finished: dict[str, dict] = {}
        self.late: list[str] = []  # of them, who ran out of time and is tried again
        self.under_way: dict[str, HandedIn] = {}  # as it was when it was read

    def read_gradebook(self, students: list[str]) -> None:
        """Forget notes of what is no longer in the gradebook."""
        with _writer(self.course, self.stage) as writer:
            known = writer.known_students()
        for student in set(students) - known:
            self._records(student).forget(student)

    def is_noted(self, student: str) -> bool:
        """Whether this file was graded and written down once."""
        return self._records(student).done(student, self._handed_in(student).identity) is not None

    def is_done(self, student: str) -> bool:
        """Whether the gradebook has the result for exactly this hand-in; then it counts as finished."""
        if self.again:
            return False
        given = self._handed_in(student)
        kept = self._records(student).done(student, given.identity, _circumstances(given))
        if kept is None or not (kept["status"] == "ungradable" or self._autograded(student).exists()):
            return False
        self._finish(student, kept)
        return True

    def tasks(self, students: list[str]) -> Iterator[tuple[str, tuple]]:
        """The submissions to grade, each looked up when its turn comes: another run may have done it meanwhile."""
        for student in students:
            if not self.is_done(student):
                self.under_way[student] = given = self._handed_in(student)
                yield student, (self.contexts.of(student), given.data, self.course.private, given.refused, self.again)

    def write_as_they_come(self, outcomes: Iterator[tuple[str, Outcome]], alone: bool) -> list[str]:
        """Write each result down as soon as it is there; → who timed out, was not `alone`, and may blame the others."""
        late = []
        with _writer(self.course, self.stage) as writer:
            for student, outcome in outcomes:
                try:
                    if isinstance(outcome, BaseException):
                        raise outcome
                    if outcome["disputed"] and not alone:
                        late.append(student)
                        continue
                    self._write(student, outcome, writer)
                except Exception as error:
                    if error is not outcome and (disk_trouble(error) or isinstance(error, CourseError)):
                        raise  # the course's, and nothing can be written for the others either
                    fault(f"{student} is not graded in {self.stage}", error)
                    self._finish(student, self._not_graded(student, error))
        return late

    def _write(self, student: str, outcome: dict, writer: "Writer") -> None:
        """autograded/ first, the gradebook after it, then the note that both have it: killed between, it is redone."""
        given = self.under_way.pop(student)
        submission = outcome["submission"] | {"student": student}
        submission["repairs"] = [*given.repairs, *submission["repairs"]]
        without = [UNPROTECTED] if self.contexts.of(student).protection == "limits" else []
        submission["flags"] = [*given.flags, *submission["flags"], *without]
        if given.nameless:
            self._finish(student, submission)
            return
        machinery_failed = submission["status"] == "ungradable" and outcome["notebook"] is not None
        with self.lock:
            if outcome["notebook"] is not None:
                write_whole(self._autograded(student), outcome["notebook"].encode())
                for name, content in given.beside.items():
                    write_whole(self._autograded(student).with_name(name), content)
            if not machinery_failed:  # else what the gradebook holds stays until it is run again
                notebook = outcome["notebook"] and reads_json(outcome["notebook"])
                look = bool({*submission["flags"]} - {UNPROTECTED})  # of the machine, not of this submission
                writer.write(student, notebook, look, timestamp(given.stamp))
                again = outcome["timed_out"] and not outcome["twice"]  # the next run tries
                circumstances = None if again else _circumstances(given)
                self._records(student).note_done(student, given.identity, submission, circumstances)
                self.late += [student] if again else []
        self._finish(student, submission)

    def _finish(self, student: str, submission: dict) -> None:
        self.finished[student] = submission
        log.info("%s in %s: %s", student, self.stage, submission["status"])
        self.progress(student, submission)

    def _not_graded(self, student: str, error: BaseException) -> dict:
        sentence = f"Not graded, run again: {type(error).__name__}: {error}"
        return unreadable(self.contexts.of(student), [sentence]).as_json(student)

    def _records(self, student: str) -> Records:
        context = self.contexts.of(student)
        return Records(self.course.private, self.stage, context.digest, context.judged_by)

    def _handed_in(self, student: str) -> HandedIn:
        return handed_in(self.course, self.stage, student)

    def _autograded(self, student: str) -> Path:
        return self.course.autograded_file(self.stage, student)


def _circumstances(given: HandedIn) -> str:
    """What the gradebook's entry depends on besides the verdict: when and how the file was handed in."""
    return "\0".join([content.decode(errors="replace") for content in given.beside.values()] + [*given.flags])


def _writer(course: Course, stage: str) -> "Writer":
    """The gradebook's writer. Importing nbgrader takes 0.7 s of CPU time: it is done while submissions run."""
    from autograder.grading.gradebook import Writer

    return Writer(course, stage)
