"""The one writer to nbgrader's gradebook: a submission is one transaction.

Only automatic scores and comments are set. What a person entered stays, whatever is graded again.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime

import nbformat
from nbgrader.api import Comment, Grade, MissingEntry, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm.exc import StaleDataError

from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.directory.deadlines import read_deadlines
from autograder.files import write_whole
from autograder.grading.lateness import settle_students
from autograder.grading.marks import marks_of

DISTURBED = (OperationalError, IntegrityError, StaleDataError)  # another writer was in between
TRIES = 7


class Writer(AbstractContextManager):
    """Writes marks of one stage into the gradebook of a course."""

    def __init__(self, course: Course, stage: str):
        self.course, self.stage, self.terms = course, stage, read_deadlines(course)
        self.gradebook = open_gradebook(course.db_url, course.course_id)
        try:
            self._read_release()
        except MissingEntry:
            course.release_file(stage).unlink(missing_ok=True)
            course.release(stage)  # a gradebook that does not know the stage is told of it
            self._read_release()

    def __exit__(self, *_: object) -> None:
        self.gradebook.close()

    def _read_release(self) -> None:
        """What nbgrader knows of the stage: its notebooks, and the names of cells with grades and with comments."""
        assignment = self.gradebook.find_notebook(self.stage, self.stage).assignment
        self.assignment_id = assignment.id
        self.notebooks = {notebook.id: notebook.name for notebook in assignment.notebooks}
        self.graded, self.commented = {}, {}
        for notebook in assignment.notebooks:
            released_tests = [*notebook.grade_cells, *notebook.task_cells]
            self.graded[notebook.id] = {cell.id: cell.name for cell in released_tests}
            self.commented[notebook.id] = {c.id: c.name for c in [*notebook.solution_cells, *notebook.task_cells]}

    def known_students(self) -> set[str]:
        """Who has a submission of this stage in the gradebook."""
        return {submission.student_id for submission in self.gradebook.assignment_submissions(self.stage)}

    def write(
        self, student: str, notebook: nbformat.NotebookNode | None, flagged: bool, handed_in: datetime | None = None
    ) -> None:
        """Record a graded notebook; None leaves every automatic score open for a person."""
        self.record(student, notebook and marks_of(notebook), flagged, handed_in)

    def record(self, student: str, marks: dict | None, flagged: bool, handed_in: datetime | None = None) -> None:
        """Record the marks of one submission; None leaves every automatic score open for a person."""
        for attempt in range(TRIES):
            try:
                self._record(student, marks, flagged, handed_in)
                return
            except DISTURBED:
                self.gradebook.db.rollback()
                if attempt == TRIES - 1:
                    raise
                time.sleep(0.05 * 2**attempt)
            except BaseException:
                self.gradebook.db.rollback()
                raise

    def _record(self, student: str, marks: dict | None, flagged: bool, handed_in: datetime | None) -> None:
        database = self.gradebook.db
        database.expunge_all()  # what another process wrote meanwhile is read
        submission = self._submission(student)
        submission.timestamp = handed_in or submission.timestamp
        submitted = next(notebook for notebook in submission.notebooks if self._is_ours(notebook))
        for grade, name in _rows(Grade, submitted, submitted.grades, self.graded):
            grade.auto_score = marks["scores"].get(name) if marks else None
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        for comment, name in _rows(Comment, submitted, submitted.comments, self.commented):
            if marks:
                comment.auto_comment = "No response." if name in marks["untouched"] else None
        flag(self.course, submitted, self.stage, student, flagged)
        database.flush()
        settle_students(self.course, self.gradebook.db, self.terms, [student])
        database.commit()

    def _submission(self, student: str) -> SubmittedAssignment:
        """What the gradebook has of a student; made with all its notebooks and cells when there is nothing."""
        database = self.gradebook.db
        query = database.query(SubmittedAssignment).filter_by(assignment_id=self.assignment_id, student_id=student)
        submission = query.one_or_none()
        if submission is None:
            if database.get(Student, student) is None:
                database.add(Student(id=student))
            submission = SubmittedAssignment(assignment_id=self.assignment_id, student_id=student)
            for notebook_id in self.notebooks:
                notebook = SubmittedNotebook(notebook_id=notebook_id, assignment=submission)
                notebook.grades = [Grade(cell_id=cell) for cell in self.graded[notebook_id]]
                notebook.comments = [Comment(cell_id=cell) for cell in self.commented[notebook_id]]
            database.add(submission)
        return submission

    def _is_ours(self, notebook: SubmittedNotebook) -> bool:
        return self.notebooks.get(notebook.notebook_id) == self.stage


def flag(course: Course, submitted: SubmittedNotebook, stage: str, student: str, wanted: bool) -> None:
    """Flag a submission for a person, or remove our flag once the file is fixed; a flag that a person set stays."""
    ours = course.private / "flagged" / stage / student
    if wanted and not submitted.flagged:
        write_whole(ours, b"")
    elif not wanted and ours.exists():
        ours.unlink()
        submitted.flagged = False
    submitted.flagged = bool(submitted.flagged or wanted)


def _rows(kind: type, notebook: SubmittedNotebook, present: Iterable, cells: dict) -> Iterator[tuple]:
    """Every row of a notebook that has a cell of `cells`, with its name; those that are not there are made."""
    present = {row.cell_id: row for row in present}
    for cell_id, name in cells[notebook.notebook_id].items():
        yield present.get(cell_id) or kind(cell_id=cell_id, notebook=notebook), name
