"""`--to csv`: the columns of nbgrader's own export, and what they are made of."""

from nbgrader.api import Gradebook

from autograder.directory.course import Course
from autograder.exports.scores import GradebookScore
from autograder.exports.table import Table

COLUMNS = (
    "assignment",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "automatic",
    "by_hand",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
    "to_grade_by_hand",
    "flagged",
    "grace_days_used",
    "grace_days_left",
    "submitted",
)


def plain_table(course: Course, stage: str, scores: dict[str, GradebookScore]) -> Table:
    """A row for everybody in the gradebook, with and without a submission."""
    rows = [list(COLUMNS), *(_row(stage, score) for score in scores.values())]
    with Gradebook(course.db_url, course.course_id) as gradebook:
        absent = [student for student in gradebook.students if student.id not in scores]
        names = [[s.id, s.last_name, s.first_name, s.email] for s in sorted(absent, key=lambda s: s.id)]
    empty = [None] * (len(COLUMNS) - 6)
    return Table(rows + [[stage, *name, *empty, "no"] for name in names], without=tuple(name[0] for name in names))


def _row(stage: str, score: GradebookScore) -> list:
    return [
        stage,
        score.student,
        score.last_name,
        score.first_name,
        score.email,
        *(
            [None] * 4
            if score.grade is None
            else (score.automatic, score.by_hand, score.automatic + score.by_hand, score.penalty)
        ),
        score.grade,
        score.max_score,
        "; ".join(score.by_hand_open),
        "yes" if score.flagged else "",
        *((score.grace.used, score.grace.left) if score.grace else (None, None)),
        "yes",
    ]
