"""What the course adds to nbgrader: members of its own lists of preprocessors."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.api import Grade, Gradebook
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ComputeChecksums,
    GetGrades,
    IncludeHeaderFooter,
    LockCells,
    NbGraderPreprocessor,
    SaveAutoGrades,
    SaveCells,
)
from nbgrader.preprocessors import ClearSolutions as StockClearSolutions
from nbgrader.utils import is_solution
from sqlalchemy import event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session
from traitlets.log import get_logger

from autograder.build.strip import strip
from autograder.course.feedback.exporter import MarkWhatWaits, configure_feedback
from autograder.course.rubrics import ShowRubrics
from autograder.sandbox.sandbox import UNPROTECTED

WRITTEN_ANSWER = "*Your answer here.*"


class ClearSolutions(StockClearSolutions):
    """Takes solutions out as the course does: the guidance stays, the rest becomes `raise NotImplementedError`."""

    def preprocess_cell(self, cell, resources, cell_index):
        """One cell: code is stripped as in the student edition; a written answer gives way to the stub."""
        if is_solution(cell) and cell.cell_type == "code" and "# BEGIN SOLUTION" in cell.source:
            cell.source = strip(cell.source)
            return cell, resources
        return super().preprocess_cell(cell, resources, cell_index)


def release_preprocessors(save: bool = True) -> list[type]:
    """The list that makes a student notebook; `save` writes its cells to the gradebook on the way."""
    return [
        IncludeHeaderFooter,
        LockCells,
        ClearSolutions,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        *([SaveCells] if save else []),
        ClearHiddenTests,
        ClearMarkScheme,
        ComputeChecksums,
        CheckCellMetadata,
    ]


def take_renamed(assignment: str, student: str, notebooks: list[str]) -> None:
    """Before nbgrader's autograde looks for the stage's notebook: the only one there is meant, and gets its name.

    `notebooks` are the paths that nbgrader found; it goes on with what stands in the list.
    """
    found = Path(notebooks[0])
    due = found.with_name(f"{assignment}.ipynb")
    if len(notebooks) == 1 and found != due and not found.is_symlink():
        get_logger().warning("%s is renamed: it was the only notebook there, and is graded as %s.", found, due.name)
        notebooks[:] = [str(found.rename(due))]


class RepairNotebook(NbGraderPreprocessor):
    """In place of nbgrader's own sanitising: bring a submission back to the form of the release."""

    def preprocess(self, nb, resources):
        """The repaired notebook; every repair and flag is logged."""
        from autograder.repair.repair import repair

        repaired = repair(nb, _context(resources["nbgrader"]["assignment"]).release)
        for sentence in repaired.repairs + repaired.flags:
            self.log.warning(sentence)
        resources["course_flags"] = list(repaired.flags)
        return repaired.notebook, resources


class JudgeOutside(NbGraderPreprocessor):
    """In place of nbgrader's Execute: run the notebook in an untrusted worker and judge it here."""

    def preprocess(self, nb, resources):
        """The notebook with outputs and verdicts; an error, which nbgrader reports, where it could not be graded."""
        from autograder.grading.task import grade_notebook

        stage = resources["nbgrader"]["assignment"]
        context = _context(stage)
        if context.protection == "limits":
            self.log.warning(UNPROTECTED)
        result, notebook = grade_notebook(context, nb, _course().private)
        flags = result["submission"]["flags"]
        if result["submission"]["status"] == "ungradable":
            raise RuntimeError("Not graded, run again: " + "; ".join(flags))
        for sentence in flags:
            self.log.warning(sentence)
        resources["course_flags"] = [*resources.get("course_flags", ()), *flags]
        return notebook, resources


class SaveMarks(SaveAutoGrades):
    """nbgrader's own; a test cell that nothing was said of waits for a person, where nbgrader gives it all points."""

    def _add_score(self, cell, resources):
        from autograder.grading.marks import score_of

        super()._add_score(cell, resources)
        if score_of(cell) is None:
            about = resources["nbgrader"]
            name = cell.metadata["nbgrader"]["grade_id"]
            grade = self.gradebook.find_grade(name, about["notebook"], about["assignment"], about["student"])
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


class FlagForAPerson(NbGraderPreprocessor):
    """After the scores are saved: what a person must look at is flagged, as `course grade` does."""

    def preprocess(self, nb, resources):
        """The same notebook; the gradebook's entry has our flag where there is a reason for one, and only there."""
        from autograder.grading.gradebook import flag

        about, course = resources["nbgrader"], _course()
        with Gradebook(about["db_url"], course.course_id) as gradebook:
            found = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            flag(course, found, about["assignment"], about["student"], bool(resources.get("course_flags")))
            gradebook.db.commit()
        return nb, resources


class CountLateness(NbGraderPreprocessor):
    """Before a penalty is assigned, or shown: what course.toml says, and the points that a person gave since."""

    def preprocess(self, nb, resources):
        """The same notebook; the gradebook's due dates, extensions and penalties are what they should be."""
        from autograder.grading.lateness import settle

        for sentence in settle(_course(), [resources["nbgrader"]["student"]]):
            self.log.warning(sentence)
        return nb, resources


class SafeToOpen(NbGraderPreprocessor):
    """Before feedback is rendered: nothing that a submission wrote may run in a browser."""

    def preprocess(self, nb, resources):
        """The same notebook, made safe."""
        from autograder.grading.safe import safe_notebook

        return safe_notebook(nb), resources


def penalty_follows_points(session: Session) -> None:
    """Before the formgrader writes points that a person gave: what lateness costs of them is worked out anew."""
    from autograder.course.terms import read_terms
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
        if make_url(course.db_url).database == session.get_bind().url.database:
            session.flush()
            settle_students(course, session, read_terms(course), students)
    except CourseError:  # said by the next command; the points are written
        return


def _course():
    from autograder.course.directory import Course

    return Course.open(Path.cwd())  # nbgrader's converters work in the course directory


def _context(stage: str):
    """Made anew for each notebook: the formgrader's server outlives every edit of the course."""
    from autograder.grading.context import Context

    return Context.of(_course(), stage)


def configure(c) -> None:
    """Set up an instructor's nbgrader_config.py: the course's members in nbgrader's lists."""
    if not event.contains(Session, "before_commit", penalty_follows_points):
        event.listen(Session, "before_commit", penalty_follows_points)
    c.GenerateAssignment.preprocessors = release_preprocessors()
    c.ClearSolutions.text_stub = WRITTEN_ANSWER
    c.Autograde.pre_convert_hook = take_renamed
    c.Autograde.sanitize_preprocessors = [RepairNotebook, CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [
        JudgeOutside,
        SaveMarks,
        FlagForAPerson,
        CountLateness,
        AssignLatePenalties,
        CheckCellMetadata,
    ]
    c.ExchangeFactory.collect = "autograder.course.exchange.Collect"
    c.ExchangeFactory.release_feedback = "autograder.course.exchange.ReleaseFeedback"
    c.GenerateFeedback.preprocessors = [
        CountLateness,
        GetGrades,
        MarkWhatWaits,
        SafeToOpen,
        CSSHTMLHeaderPreprocessor,
    ]
    c.HTMLExporter.preprocessors = [ShowRubrics]  # the formgrader's page; elsewhere it does nothing
    configure_feedback(c)
