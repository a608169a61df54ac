"""The scores of a stage as nbgrader's gradebook has them: automatic, by hand, penalty, and what is still open."""

from collections import defaultdict
from dataclasses import dataclass

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy.orm import aliased

from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.grading.lateness import Grace, read_grace


@dataclass(frozen=True)
class GradebookScore:
    """One student's score in a stage; `score` is after the late penalty."""

    student: str
    first_name: str
    last_name: str
    email: str
    lms_user_id: str
    automatic: float
    by_hand: float
    penalty: float
    score: float
    max_score: float
    by_hand_open: tuple[str, ...]  # questions that a person still has to grade
    ungraded: tuple[str, ...]  # exercises that no grader could judge, and no person has yet
    flagged: bool
    held_back: bool = False  # until a person has graded what is open
    below: tuple[tuple[str, float, float], ...] = ()  # (cell, points by hand, more points that it has automatically)
    grace: Grace | None = None  # where course.toml gives grace days

    @property
    def grade(self) -> float | None:
        """The exported grade: none if an exercise could not be judged, which does not count as zero."""
        return None if self.ungraded or self.held_back else self.score

    @property
    def name(self) -> str:
        """Last name, first name; the id where the gradebook knows no name."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part) or self.student


def read_scores(course: Course, stage: str) -> dict[str, GradebookScore]:
    """Every student with a submission in the gradebook → score, by student id.

    `automatic` holds the automatic points that count; `by_hand` those that a person set in place of them,
    with extra credit. A stage that the gradebook does not know has no scores.
    """
    grace = read_grace(course)
    with Gradebook(course.db_url, course.course_id) as gradebook:
        try:
            max_score = gradebook.find_assignment(stage).max_score
        except MissingEntry:
            return {}
        grades = _grades(gradebook, stage)
        rows = gradebook.db.query(
            Student.id,
            Student.first_name,
            Student.last_name,
            Student.email,
            Student.lms_user_id,
            SubmittedNotebook.late_submission_penalty,
            SubmittedNotebook.flagged,
        )
        rows = rows.join(SubmittedAssignment, SubmittedAssignment.student_id == Student.id)
        rows = rows.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        rows = rows.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        return {
            row[0]: _score(row, grades[row[0]], max_score, grace.get((row[0], stage)))
            for row in rows.filter(Assignment.name == stage)
        }


def graded_scores(course: Course, stage: str) -> dict[str, GradebookScore]:
    """The same; a `CourseError` where there is none to export."""
    scores = read_scores(course, stage)
    if not scores:
        raise CourseError(f"Nothing of {stage} is graded yet: run `course grade {stage}` first.")
    return dict(sorted(scores.items()))


def _grades(gradebook: Gradebook, stage: str) -> dict[str, list]:
    """Student id → (cell, automatic, manual, extra credit, needs a person, kind of cell) for each graded cell."""
    checked = aliased(GradeCell, flat=True)
    query = gradebook.db.query(
        SubmittedAssignment.student_id,
        BaseCell.name,
        Grade.auto_score,
        Grade.manual_score,
        Grade.extra_credit,
        Grade.needs_manual_grade,
        checked.cell_type,
    )
    query = query.select_from(Grade).join(BaseCell, BaseCell.id == Grade.cell_id)
    query = query.outerjoin(checked, checked.id == Grade.cell_id)
    query = query.join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
    query = query.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
    query = query.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    found = defaultdict(list)
    for student, *grade in query.filter(Assignment.name == stage):
        found[student].append(grade)
    return found


def _score(row: tuple, grades: list, max_score: float, grace: Grace | None) -> GradebookScore:
    student, first_name, last_name, email, lms_user_id, penalty, flagged = row
    automatic = sum(auto or 0.0 for _, auto, manual, *_ in grades if manual is None)
    by_hand = sum((manual or 0.0) + (extra or 0.0) for _, auto, manual, extra, *_ in grades if _counts(auto, manual))
    penalty = penalty or 0.0
    nobody = {name for name, auto, manual, _, _, kind in grades if kind == "code" and auto is None and manual is None}
    return GradebookScore(
        student,
        first_name or "",
        last_name or "",
        email or "",
        lms_user_id or "",
        automatic,
        by_hand,
        penalty,
        max(0.0, automatic + by_hand - penalty),
        max_score,
        tuple(sorted(name for name, *_, open_, _ in grades if open_ and name not in nobody)),
        tuple(sorted(name.removeprefix("test_") for name in nobody)),
        bool(flagged),
        below=tuple((name, manual, auto) for name, auto, manual, *_ in grades if _is_below(auto, manual)),
        grace=grace,
    )


def _counts(automatic: float | None, manual: float | None) -> bool:
    """nbgrader counts extra credit only where there is a score for it to be added to."""
    return manual is not None or automatic is not None


def _is_below(automatic: float | None, manual: float | None) -> bool:
    """Whether manual points, perhaps for an earlier submission, override higher automatic ones."""
    return manual is not None and automatic is not None and manual < automatic
