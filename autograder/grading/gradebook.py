"""The one writer to nbgrader's gradebook: a submission is one transaction.

Only automatic scores and comments are set. What a person entered stays, whatever is graded again.
"""

from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.utils import compute_checksum, determine_grade, parse_utc

from autograder.course import Course


class Writer(AbstractContextManager):
    """Writes graded notebooks of one stage into the gradebook of a course."""

    def __init__(self, course: Course, stage: str):
        self.course, self.stage = course, stage
        self.gradebook = Gradebook(course.db_url, course.course_id)
        try:
            self.cells = {cell.name: cell for cell in self.gradebook.find_notebook(stage, stage).grade_cells}
        except MissingEntry:
            course.release_file(stage).unlink(missing_ok=True)
            course.release(stage)  # a gradebook that does not know the stage is told of it
            self.cells = {cell.name: cell for cell in self.gradebook.find_notebook(stage, stage).grade_cells}

    def __exit__(self, *_) -> None:
        self.gradebook.close()

    def known_students(self) -> set[str]:
        """Who has a submission of this stage in the gradebook."""
        return {submission.student_id for submission in self.gradebook.assignment_submissions(self.stage)}

    def write(self, student: str, notebook: nbformat.NotebookNode | None, flagged: bool) -> None:
        """Record one submission; without a notebook every automatic score is left open for a person."""
        database = self.gradebook.db
        try:
            submitted = self._submission(student)
            self._scores(submitted, notebook)
            if notebook is not None:
                self._comments(submitted, notebook)
            if flagged:
                submitted.flagged = True
            database.flush()
            self._late_penalty(submitted, student)
            database.commit()
        except Exception:
            database.rollback()
            raise

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

    def _scores(self, submitted: SubmittedNotebook, notebook: nbformat.NotebookNode | None) -> None:
        cells = {c.metadata.nbgrader.grade_id: c for c in (notebook or {"cells": []})["cells"] if _graded(c)}
        for grade in submitted.grades:
            grade.auto_score = _auto_score(cells.get(grade.name))
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None

    def _comments(self, submitted: SubmittedNotebook, notebook: nbformat.NotebookNode) -> None:
        untouched = {
            cell.metadata.nbgrader.grade_id
            for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("solution") and _unchanged(cell)
        }
        for comment in submitted.comments:
            comment.auto_comment = "No response." if comment.name in untouched else None

    def _late_penalty(self, submitted: SubmittedNotebook, student: str) -> None:
        submitted.late_submission_penalty = None
        late = submitted.assignment.total_seconds_late
        if late > 0:
            wanted = self.course.config.AssignLatePenalties.get("plugin_class") or LateSubmissionPlugin
            penalty = wanted(config=self.course.config).late_submission_penalty(student, submitted.score, late)
            if penalty is not None:
                submitted.late_submission_penalty = min(max(penalty, 0), submitted.score)


def _graded(cell) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def _auto_score(cell) -> float | None:
    """nbgrader's own reading of a graded cell; None, which asks a person, where nothing was graded."""
    if cell is None or (cell.cell_type == "code" and not any(o.output_type == "execute_result" for o in cell.outputs)):
        return None
    return determine_grade(cell)[0]


def _unchanged(cell) -> bool:
    return cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)


def _timestamp(path: Path) -> datetime | None:
    try:
        return parse_utc(path.read_text("utf-8").strip())
    except (OSError, ValueError):
        return None
