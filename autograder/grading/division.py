"""Written answers divided among graders, and a sample of them marked twice.

Who marks what is in `.course/division/STAGE.json`; second marks are a table of the gradebook's database, because
nbgrader keeps one mark of each answer, and a second grader should not see it.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import Column, Float, MetaData, String, Table

from autograder.counted import counted
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.errors import CourseError
from autograder.files import write_whole

BY = ("question", "student")
SECOND_MARKS = Table(
    "second_mark",
    MetaData(),
    Column("stage", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("question", String(128), primary_key=True),
    Column("grader", String(128), nullable=False),
    Column("points", Float, nullable=False),
)


@dataclass(frozen=True)
class Division:
    """Who marks what in a stage."""

    by: str
    graders: tuple[str, ...]
    of: dict[str, str]  # question, or student → grader
    double: tuple[str, ...] = ()  # students whose answers are marked twice

    def grader(self, student: str, question: str) -> str:
        """Who marks an answer; what was not divided falls to the first grader."""
        return self.of.get(question if self.by == "question" else student, self.graders[0])

    def second(self, student: str, question: str) -> str | None:
        """Who marks it a second time: the grader after the first one; None where nobody does."""
        place = self.graders.index(self.grader(student, question))
        return self.graders[(place + 1) % len(self.graders)] if student in self.double else None

    def extended(self, names: Iterable[str]) -> "Division":
        """With everybody, or every question, that is new: each goes to the grader who has fewest."""
        of = dict(self.of)
        load = Counter(of.values())
        for name in names:
            if name not in of:
                of[name] = min(self.graders, key=lambda grader: load[grader])
                load[of[name]] += 1
        return Division(self.by, self.graders, of, self.double)


@dataclass(frozen=True)
class Agreement:
    """How two graders agreed on the answers to a question that both marked."""

    question: str
    answers: int
    same: int
    kappa: float | None  # Cohen's; None where all marks are one and the same, and chance explains everything
    apart: tuple[tuple[str, float, float], ...]  # (student, first mark, second), the furthest apart first


def divide(course: Course, stage: str, graders: list[str], by: str, share: float = 0.0) -> Division:
    """Divide the written answers of a stage, and keep who marks what.

    Args:
        graders: their names, two or more.
        by: `question` or `student`.
        share: of the students, whose answers are marked twice: 0 to 1.

    Raises:
        CourseError: too few graders or questions, a name twice, or nobody is graded.
    """
    if by not in BY:
        raise CourseError(f"--by is {' or '.join(BY)}, not {by}.")
    if len(set(graders)) < 2 or len(set(graders)) < len(graders) or not all(graders):
        raise CourseError(f"--graders is two or more different names with commas between, not {','.join(graders)!r}.")
    if not 0 <= share <= 1:
        raise CourseError(f"--double is a share of the students, from 0 to 1, not {share:g}.")
    questions, students = _questions(course, stage), _students(course, stage)
    if not questions:
        raise CourseError(f"{stage} has no written question: there is nothing to divide.")
    if by == "question" and len(questions) < len(graders):
        raise CourseError(
            f"{stage} has {counted(len(questions), 'written question')} for {len(graders)} graders: use --by student."
        )
    drawn = sorted(students, key=lambda student: hashlib.sha256(f"{stage}\0{student}".encode()).digest())
    double = tuple(sorted(drawn[: ceil(share * len(drawn))]))
    found = Division(by, tuple(graders), {}, double).extended(questions if by == "question" else students)
    _write(course, stage, found)
    return found


def read_division(course: Course, stage: str) -> Division | None:
    """Who marks what, with those who handed in since; None while nothing is divided."""
    if not _file(course, stage).exists():
        return None
    known = _read(course, stage)
    names = _questions(course, stage) if known.by == "question" else _students(course, stage)
    found = known.extended(names)
    if found != known:
        _write(course, stage, found)
    return found


def mark_again(course: Course, stage: str, student: str, question: str, grader: str, points: float) -> None:
    """Keep the second mark of an answer; a `CourseError` where it is not this grader's to give."""
    division = read_division(course, stage)
    if division is None or question not in (questions := _questions(course, stage)):
        known = "is not divided: run `course divide` first" if division is None else f"asks {', '.join(questions)}"
        raise CourseError(f"{stage} {known}.")
    second = division.second(student, question)
    if second is None:
        raise CourseError(f"{student}'s {question} is not marked twice: divide with --double.")
    if not grader:
        raise CourseError("Name the grader: --grader.")
    if second != grader:
        raise CourseError(f"{second} gives the second mark of {student}'s {question}, not {grader}.")
    if not 0 <= points <= questions[question]:
        raise CourseError(f"{question} counts {questions[question]:g} points: {points:g} is not possible.")
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        table = _second_marks(gradebook)
        mine = {"stage": stage, "student": student, "question": question}
        where = [table.c[name] == value for name, value in mine.items()]
        gradebook.db.execute(table.delete().where(*where))
        gradebook.db.execute(table.insert().values(mine | {"grader": grader, "points": points}))
        gradebook.db.commit()


def rename_in_divisions(course: Course, old: str, new: str) -> None:
    """Follow a student's change of id, in the division of answers and in the second marks."""
    divided = [stage for stage in course.stages if _file(course, stage).exists()]
    for stage in divided:
        found = _read(course, stage)
        of = {new if name == old else name: grader for name, grader in found.of.items()}
        double = tuple(new if student == old else student for student in found.double)
        _write(course, stage, Division(found.by, found.graders, of, double))
    if divided:
        with open_gradebook(course.db_url, course.course_id) as gradebook:
            table = _second_marks(gradebook)
            gradebook.db.execute(table.update().where(table.c.student == old).values(student=new))
            gradebook.db.commit()


def second_marks(course: Course, stage: str) -> dict[tuple[str, str], float]:
    """(student, question) → the second mark, so far."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        table = _second_marks(gradebook)
        rows = gradebook.db.execute(table.select().where(table.c.stage == stage)).mappings()
        return {(row["student"], row["question"]): row["points"] for row in rows}


def agreements(course: Course, stage: str) -> list[Agreement]:
    """By question, of the answers that have both marks."""
    if not _file(course, stage).exists():
        return []
    second, pairs = second_marks(course, stage), defaultdict(list)
    first = first_marks(course, stage) if second else {}
    for (student, question), points in sorted(second.items()):
        if (student, question) in first:
            pairs[question].append((student, first[student, question], points))
    return [_agreement(question, marks) for question, marks in pairs.items()]


def _agreement(question: str, marks: list[tuple[str, float, float]]) -> Agreement:
    one, two = ([f"{mark[side]:g}" for mark in marks] for side in (1, 2))
    from sklearn.metrics import cohen_kappa_score  # a second, which only this needs

    kappa = float(cohen_kappa_score(one, two)) if len({*one, *two}) > 1 else None
    apart = sorted((mark for mark in marks if mark[1] != mark[2]), key=lambda mark: -abs(mark[1] - mark[2]))
    return Agreement(question, len(marks), len(marks) - len(apart), kappa, tuple(apart))


def first_marks(course: Course, stage: str) -> dict[tuple[str, str], float]:
    """(student, question) → the points that a person gave in the formgrader."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        found = gradebook.notebook_submissions(stage, stage)
        grades = ((one.student.id, grade) for one in found for grade in one.grades)
        return {(student, g.name): g.manual_score for student, g in grades if g.manual_score is not None}


def _questions(course: Course, stage: str) -> dict[str, float]:
    """The written questions of a stage → their points, in the order of their names."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        try:
            notebook = gradebook.find_notebook(stage, stage)
        except MissingEntry:
            return {}
        cells = [cell for cell in notebook.grade_cells if cell.cell_type == "markdown"] + notebook.task_cells
        return {cell.name: cell.max_score for cell in sorted(cells, key=lambda cell: cell.name) if cell.max_score}


def _students(course: Course, stage: str) -> Collection[str]:
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        try:
            return sorted(submission.student.id for submission in gradebook.assignment_submissions(stage))
        except MissingEntry:
            return []


def _second_marks(gradebook: Gradebook) -> Table:
    SECOND_MARKS.create(gradebook.db.get_bind(), checkfirst=True)
    return SECOND_MARKS


def _file(course: Course, stage: str) -> Path:
    return course.private / "division" / f"{stage}.json"


def _read(course: Course, stage: str) -> Division:
    kept = json.loads(_file(course, stage).read_text("utf-8"))
    return Division(kept["by"], tuple(kept["graders"]), kept["of"], tuple(kept["double"]))


def _write(course: Course, stage: str, division: Division) -> None:
    write_whole(_file(course, stage), json.dumps(asdict(division), ensure_ascii=False, indent=1).encode())
