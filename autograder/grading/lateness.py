"""Who is late, and what it costs: nbgrader's due dates, extensions and penalties, recomputed when they change.

nbgrader works a penalty out once, in autograde. Here it follows whatever changes it: points that a person gives, a due
date, an extension, another hand-in that took the grace days, the plug-in's own settings.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.plugins import BasePlugin, LateSubmissionPlugin
from sqlalchemy.orm import Query, Session
from traitlets.utils.importstring import import_item

from autograder.directory.configuration import importing_from
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.directory.deadlines import Deadlines, read_deadlines
from autograder.errors import CourseError

DAY = 86_400  # seconds


@dataclass(frozen=True)
class Grace:
    """Grace days of one student in one stage: taken by this hand-in, and left after all that have been handed in."""

    used: int
    left: int
    of: int

    def __str__(self) -> str:
        return f"Grace days: {self.used} used here, {self.left} of {self.of} left"


def read_grace(course: Course, students: Collection[str] | None = None) -> dict[tuple[str, str], Grace]:
    """(student, stage) → grace days of every hand-in; empty where course.toml gives none. Writes nothing."""
    deadlines = read_deadlines(course)
    if deadlines is None or not deadlines.grace_days:
        return {}
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        hand_ins = _hand_ins(gradebook.db, students).all()
    used: dict[tuple[str, str], int] = {}
    left: defaultdict[str, int] = defaultdict(lambda: deadlines.grace_days)
    dated = ((row, deadlines.due.get(row[4], row[5])) for row in hand_ins)
    for (_, student, when, _, stage, _), due in sorted(dated, key=lambda row: (row[1] or datetime.max, row[0][4])):
        late = when - due - deadlines.extension(student, stage, due) if when and due else timedelta()
        used[student, stage] = days = _days_of_grace(left[student], late)
        left[student] -= days
    return {
        (student, stage): Grace(days, left[student], deadlines.grace_days) for (student, stage), days in used.items()
    }


def settle(course: Course, students: Collection[str] | None = None) -> list[str]:
    """Bring the gradebook up to date, of some students or all; → what was changed that somebody may have set."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        deadlines = read_deadlines(course)
        said = _set_due_dates(gradebook, deadlines) if deadlines else []
        settle_students(course, gradebook.db, deadlines, students)
        gradebook.db.commit()
    return said


def settle_students(
    course: Course, database: Session, deadlines: Deadlines | None, students: Collection[str] | None = None
) -> None:
    """Extensions and penalties of some students, or all, in every stage. Leaves the commit to the caller."""
    plugin, late = _plugin(course), {}
    for submission, student, seconds in _lateness(database, deadlines, students):
        late[submission] = (student, seconds)
    query = database.query(
        SubmittedNotebook.id, SubmittedNotebook.assignment_id, SubmittedNotebook.late_submission_penalty
    )
    for notebook, submission, penalty in query.filter(SubmittedNotebook.assignment_id.in_(list(late))):
        student, seconds = late[submission]
        if seconds or penalty is not None:
            found = database.query(SubmittedNotebook).filter_by(id=notebook)
            score = database.query(SubmittedNotebook.score).filter_by(id=notebook).scalar()
            due = _penalty(plugin, student, score, seconds) if seconds else None
            if due != penalty:
                found.update({"late_submission_penalty": due}, synchronize_session=False)


def _lateness(
    database: Session, deadlines: Deadlines | None, students: Collection[str] | None
) -> Iterator[tuple[str, str, float]]:
    """(submission, student, seconds late) of every hand-in; extensions, with grace days, are written on the way."""
    grace: defaultdict[str, int] = defaultdict(lambda: deadlines.grace_days if deadlines else 0)
    for submission, student, handed_in, extension, stage, due in _hand_ins(database, students).all():
        if handed_in is None:  # nothing is known of it: a penalty that somebody wrote stays
            continue
        if due is None:
            yield submission, student, 0.0
            continue
        if deadlines:
            given = deadlines.extension(student, stage, due)
            days = _days_of_grace(grace[student], handed_in - due - given)
            grace[student] -= days
            wanted = given + timedelta(days=days) or None
            if wanted != extension:
                row = database.query(SubmittedAssignment).filter_by(id=submission)
                row.update({"extension": wanted}, synchronize_session=False)
            extension = wanted
        yield submission, student, max(0.0, (handed_in - due - (extension or timedelta())).total_seconds())


def _hand_ins(database: Session, students: Collection[str] | None) -> Query:
    """(id, student, when, extension, stage, its due date) of what was handed in, in the order of the due dates."""
    query = database.query(
        SubmittedAssignment.id,
        SubmittedAssignment.student_id,
        SubmittedAssignment.timestamp,
        SubmittedAssignment.extension,
        Assignment.name,
        Assignment.duedate,
    ).join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    if students is not None:
        query = query.filter(SubmittedAssignment.student_id.in_(list(students)))
    return query.order_by(Assignment.duedate, Assignment.name)


def _days_of_grace(left: int, late: timedelta) -> int:
    """How many of the days that are left a hand-in takes that is so late."""
    return min(left, math.ceil(max(0.0, late.total_seconds()) / DAY))


def _set_due_dates(gradebook: Gradebook, deadlines: Deadlines) -> list[str]:
    said = []
    for assignment in gradebook.db.query(Assignment).filter(Assignment.name.in_(list(deadlines.due))):
        due = deadlines.due[assignment.name]
        if assignment.duedate not in (None, due):
            said.append(
                f"The due date of {assignment.name} is {due:%Y-%m-%d %H:%M} UTC, from course.toml; the gradebook had "
                f"{assignment.duedate:%Y-%m-%d %H:%M}."
            )
        assignment.duedate = due
    gradebook.db.flush()
    return said


def _plugin(course: Course) -> BasePlugin:
    """The plug-in that nbgrader would ask, from beside the configuration too; a `CourseError` where there is none."""
    wanted = course.config.AssignLatePenalties.get("plugin_class") or LateSubmissionPlugin
    try:
        with importing_from(course.root):
            return (import_item(wanted) if isinstance(wanted, str) else wanted)(config=course.config)
    except Exception as error:
        raise CourseError(
            f"c.AssignLatePenalties.plugin_class is {wanted!r}, which cannot be used: {type(error).__name__}: {error}."
        ) from None


def _penalty(plugin: BasePlugin, student: str, score: float, seconds: float) -> float | None:
    """What a late hand-in loses, at most all that it has; None where the plug-in takes nothing."""
    try:
        penalty = plugin.late_submission_penalty(student, score, seconds)
        return None if penalty is None else min(max(penalty, 0), score)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise CourseError(f"{type(plugin).__name__} failed to compute {student}'s late penalty: {why}.") from None


def penalties(
    course: Course, stage: str, student: str, hand_ins: list[tuple[float, datetime | None]], deadlines: Deadlines
) -> list[float | None]:
    """What each hand-in, given as (points, when), would lose: with the student's extension and the grace days left."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        dates = dict(gradebook.db.query(Assignment.name, Assignment.duedate)) | deadlines.due
        due = dates.get(stage)
        if due is None:
            return [None] * len(hand_ins)
        grace = deadlines.grace_days
        for _, _, when, _, other, _ in _hand_ins(gradebook.db, [student]).all():
            if when and (before := dates.get(other)) and (before, other) < (due, stage):
                grace -= _days_of_grace(grace, when - before - deadlines.extension(student, other, before))
    plugin, more = _plugin(course), deadlines.extension(student, stage, due) + timedelta(days=grace)
    late = [(points, (when - due - more).total_seconds() if when else 0) for points, when in hand_ins]
    return [_penalty(plugin, student, points, seconds) if seconds > 0 else None for points, seconds in late]
