"""What the course adds to nbgrader: members of its own lists of preprocessors."""

from pathlib import Path
from typing import TYPE_CHECKING

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.api import Grade
from nbgrader.preprocessors import (
    GetGrades,
    NbGraderPreprocessor,
)
from sqlalchemy import event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session
from traitlets.config import Config

from autograder.course.feedback.exporter import MarkWhatWaits, configure_feedback
from autograder.course.formgrader import LocalMathJax
from autograder.course.nbgrader_commands import take_over
from autograder.course.rubrics import ShowRubrics
from autograder.stripping.release import WRITTEN_ANSWER, release_preprocessors

if TYPE_CHECKING:
    from autograder.directory.course import Course


class CountLateness(NbGraderPreprocessor):
    """Before a penalty is assigned, or shown: what course.toml says, and the points that a person gave since."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The same notebook; the gradebook is up to date, and the resources have the `grace` days."""
        from autograder.grading.lateness import read_grace, settle

        about, course = resources["nbgrader"], _course()
        for sentence in settle(course, [about["student"]]):
            self.log.warning(sentence)
        about["grace"] = read_grace(course, [about["student"]]).get((about["student"], about["assignment"]))
        return nb, resources


class SafeToOpen(NbGraderPreprocessor):
    """Before feedback is rendered: nothing that a submission wrote may run in a browser."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The same notebook, made safe."""
        from autograder.grading.sanitize import safe_notebook

        return safe_notebook(nb), resources


def penalty_follows_points(session: Session) -> None:
    """Recompute the late penalty before the formgrader writes points given by hand."""
    from autograder.directory.deadlines import read_deadlines
    from autograder.errors import CourseError
    from autograder.grading.lateness import settle_students

    students = {
        grade.notebook.assignment.student_id
        for grade in session.dirty
        if isinstance(grade, Grade)
        and any(inspect(grade).attrs[name].history.has_changes() for name in ("manual_score", "extra_credit"))
    }
    if not students:
        return
    try:
        course = _course()
        if make_url(course.db_url).database == session.get_bind().engine.url.database:
            session.flush()
            settle_students(course, session, read_deadlines(course), students)
    except CourseError:  # said by the next command; the points are written
        return


def _course() -> "Course":
    from autograder.directory.course import Course

    return Course.open(Path.cwd())  # nbgrader's converters work in the course directory


def set_up(c: Config) -> None:
    """The course's members in nbgrader's lists, and its commands in place of nbgrader's."""
    if not event.contains(Session, "before_commit", penalty_follows_points):
        event.listen(Session, "before_commit", penalty_follows_points)
    c.GenerateAssignment.preprocessors = release_preprocessors()
    c.ClearSolutions.text_stub = WRITTEN_ANSWER
    take_over()
    c.ExchangeFactory.release_assignment = "autograder.course.exchange.ReleaseAssignment"
    c.ExchangeFactory.collect = "autograder.course.exchange.Collect"
    c.ExchangeFactory.release_feedback = "autograder.course.exchange.ReleaseFeedback"
    c.GenerateFeedback.preprocessors = [
        CountLateness,
        GetGrades,
        MarkWhatWaits,
        SafeToOpen,
        CSSHTMLHeaderPreprocessor,
    ]
    c.HTMLExporter.preprocessors = [LocalMathJax, ShowRubrics]  # the formgrader's page; elsewhere they do nothing
    configure_feedback(c)
