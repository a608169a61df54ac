"""Regrade requests: what a student asked, who answered, and the verdict before and after.

They are a table of the gradebook's database: whatever keeps the grades keeps the reasons for them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from nbgrader.api import MissingEntry
from sqlalchemy import JSON, Column, DateTime, Integer, MetaData, String, Table, Text, func, inspect
from sqlalchemy.orm import Session

from autograder.course.grade import exercise_meant, students_meant
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.errors import CourseError
from autograder.grading.records import noted
from autograder.practice.card import WORDS

REQUESTS = Table(
    "regrade_request",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("student", String(128), nullable=False),
    Column("stage", String(128), nullable=False),
    Column("exercise", String(128), nullable=False),
    Column("note", Text, nullable=False),
    Column("asked", DateTime, server_default=func.now(), nullable=False),
    Column("before", JSON, nullable=False),
    Column("answer", Text),
    Column("answered_by", String(128)),
    Column("answered", DateTime),
    Column("after", JSON),
)


@dataclass(frozen=True)
class Request:
    """A request; verdicts are `{"score", "max_score", "said"}`; `answer` and what follows are None while it is open."""

    id: int
    student: str
    stage: str
    exercise: str
    note: str
    asked: datetime
    before: dict
    answer: str | None = None
    answered_by: str | None = None
    answered: datetime | None = None
    after: dict | None = None

    def __str__(self) -> str:
        asked = f"{self.student}, {self.stage}, {self.exercise}: “{self.note}” ({_verdict(self.before)})"
        if self.after is None:
            return f"{asked}, open since {self.asked:%Y-%m-%d}"
        return f"{asked}; {self.answered_by}: “{self.answer}” ({_verdict(self.after)})"


def ask(course: Course, stage: str, student: str, exercise: str, note: str) -> Request:
    """Keep a request with the present verdict; a `CourseError` where there is nothing to ask about, or one is open."""
    if not note.strip():
        raise CourseError("A request needs its reason: give what the student says as --note.")
    students_meant(course, stage, [student])
    with _table(course) as database:
        cell = _cell(course, stage, student, exercise)
        if there := _found(database, student=student, stage=stage, exercise=cell, answered=None):
            raise CourseError(f"There is an open request already: {there[0]}. Answer it by --answer first.")
        values = {"student": student, "stage": stage, "exercise": cell, "note": note.strip()}
        database.execute(REQUESTS.insert().values(values | {"before": _now(course, stage, student, cell)}))
        (request,) = _found(database, student=student, stage=stage, exercise=cell, answered=None)
        return request


def answer(course: Course, stage: str, student: str, exercise: str, text: str, by: str) -> Request:
    """Close the open request with an answer and the verdict as it is now; a `CourseError` where there is none."""
    if not text.strip():
        raise CourseError("An answer needs words: give what the student should hear as --answer.")
    with _table(course) as database:
        cell = _cell(course, stage, student, exercise)
        if not (found := _found(database, student=student, stage=stage, exercise=cell, answered=None)):
            raise CourseError(f"{student} has no open request about {cell} in {stage}: `course regrade` lists them.")
        values = {"answer": text.strip(), "answered_by": by, "answered": func.now()}
        values["after"] = _now(course, stage, student, cell)
        database.execute(REQUESTS.update().where(REQUESTS.c.id == found[0].id).values(values))
        (request,) = _found(database, id=found[0].id)
        return request


def requests(course: Course, closed: bool = False, **of: str) -> list[Request]:
    """The open requests, or with `closed` all, the oldest first; `of` narrows them, as `student="ada"`."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        if not inspect(gradebook.db.get_bind()).has_table(REQUESTS.name):  # reading writes nothing
            return []
        return _found(gradebook.db, **of, **({} if closed else {"answered": None}))


def rename_in_requests(course: Course, old: str, new: str) -> None:
    """Follow a student's change of id."""
    with _table(course) as database:
        database.execute(REQUESTS.update().where(REQUESTS.c.student == old).values(student=new))


@contextmanager
def _table(course: Course) -> Iterator[Session]:
    """The gradebook's database with our table in it, committed at the end."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        REQUESTS.create(gradebook.db.get_bind(), checkfirst=True)
        yield gradebook.db
        gradebook.db.commit()


def _found(database: Session, **of: object) -> list[Request]:
    query = REQUESTS.select().order_by(REQUESTS.c.id)
    for name, value in of.items():
        query = query.where(REQUESTS.c[name] == value)
    return [Request(**row) for row in database.execute(query).mappings()]


def _cell(course: Course, stage: str, student: str, exercise: str) -> str:
    """The exercise that is meant, of those that count in this student's submission."""
    return exercise_meant(exercise, [*_grades(course, stage, student)], stage)


def _grades(course: Course, stage: str, student: str) -> dict[str, tuple[float, float]]:
    """Exercise → (points, of how many), by hand where a person gave them."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        try:
            found = gradebook.find_submission_notebook(stage, stage, student).grades
        except MissingEntry:
            how = f"`course grade {stage} --student {student}`"
            raise CourseError(f"{student} has no grade in {stage} yet: run {how} first.") from None
        return {grade.name.removeprefix("test_"): (grade.score, grade.max_score) for grade in found}


def _now(course: Course, stage: str, student: str, cell: str) -> dict:
    score, most = _grades(course, stage, student)[cell]
    note = noted(course.private, stage, student) or {}
    judged = next((one for one in note.get("exercises", ()) if one["id"] == cell), None)
    said = (judged["misconception"] or WORDS[judged["status"]]) if judged else ""
    return {"score": score, "max_score": most, "said": said}


def _verdict(verdict: dict) -> str:
    said = f": {verdict['said']}" if verdict["said"] else ""
    return f"{verdict['score']:g} of {verdict['max_score']:g}{said}"
