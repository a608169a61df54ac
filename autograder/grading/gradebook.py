"""The one writer to nbgrader's gradebook: a submission is one transaction.

Only automatic scores and comments are set. What a person entered stays, whatever is graded again.
"""

import time
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import nbformat
from nbgrader.api import InvalidEntry, MissingEntry, SubmittedNotebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.utils import parse_utc
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm.exc import StaleDataError
from traitlets.utils.importstring import import_item

from autograder.course import Course
from autograder.grading.database import open_gradebook
from autograder.grading.marks import marks_of

DISTURBED = (OperationalError, IntegrityError, InvalidEntry, StaleDataError)  # another writer was in between
TRIES = 7


class Writer(AbstractContextManager):
    """Writes marks of one stage into the gradebook of a course."""

    def __init__(self, course: Course, stage: str):
        self.course, self.stage = course, stage
        self.gradebook = open_gradebook(course.db_url, course.course_id)
        try:
            self.gradebook.find_notebook(stage, stage)
        except MissingEntry:
            course.release_file(stage).unlink(missing_ok=True)
            course.release(stage)  # a gradebook that does not know the stage is told of it
            self.gradebook.find_notebook(stage, stage)

    def __exit__(self, *_) -> None:
        self.gradebook.close()

    @property
    def terms(self) -> str:
        """What lateness depends on: the date that is due, and what a day costs."""
        settings = [self.course.config.get(name, {}) for name in ("AssignLatePenalties", "LateSubmissionPlugin")]
        return f"{self.gradebook.find_assignment(self.stage).duedate} {settings}"

    def known_students(self) -> set[str]:
        """Who has a submission of this stage in the gradebook."""
        return {submission.student_id for submission in self.gradebook.assignment_submissions(self.stage)}

    def write(self, student: str, notebook: nbformat.NotebookNode | None, flagged: bool) -> None:
        """Record a graded notebook; None leaves every automatic score open for a person."""
        self.record(student, notebook and marks_of(notebook), flagged)

    def record(self, student: str, marks: dict | None, flagged: bool) -> None:
        """Record the marks of one submission; None leaves every automatic score open for a person."""
        for attempt in range(TRIES):
            try:
                self._record(student, marks, flagged)
                return
            except DISTURBED:
                self.gradebook.db.rollback()
                if attempt == TRIES - 1:
                    raise
                time.sleep(0.05 * 2**attempt)
            except BaseException:
                self.gradebook.db.rollback()
                raise

    def _record(self, student: str, marks: dict | None, flagged: bool) -> None:
        database = self.gradebook.db
        submitted = self._submission(student)
        for grade in submitted.grades:
            grade.auto_score = marks["scores"].get(grade.name) if marks else None
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        for comment in submitted.comments if marks else ():
            comment.auto_comment = "No response." if comment.name in marks["untouched"] else None
        if flagged:
            submitted.flagged = True
        database.flush()
        self._late_penalty(submitted, student)
        database.commit()

    def _submission(self, student: str) -> SubmittedNotebook:
        database = self.gradebook.db
        self.gradebook.update_or_create_student(student)
        with database.no_autoflush:
            submission = self.gradebook.update_or_create_submission(self.stage, student)
        stamp = _timestamp(self.course.root / "submitted" / student / self.stage / "timestamp.txt")
        if stamp:
            submission.timestamp = stamp
        notebook = next((n for n in submission.notebooks if n.name == self.stage), None)
        if notebook is None:
            raise MissingEntry(f"the gradebook has no notebook {self.stage} for {student}")
        database.flush()
        return notebook

    def _late_penalty(self, submitted: SubmittedNotebook, student: str) -> None:
        submitted.late_submission_penalty = None
        late = submitted.assignment.total_seconds_late
        if late > 0:
            wanted = self.course.config.AssignLatePenalties.get("plugin_class") or LateSubmissionPlugin
            plugin = import_item(wanted) if isinstance(wanted, str) else wanted
            penalty = plugin(config=self.course.config).late_submission_penalty(student, submitted.score, late)
            if penalty is not None:
                submitted.late_submission_penalty = min(max(penalty, 0), submitted.score)


def _timestamp(path: Path) -> datetime | None:
    try:
        return parse_utc(path.read_text("utf-8").strip())
    except (OSError, ValueError):
        return None
