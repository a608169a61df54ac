"""The class: one CSV, imported once into roster.csv and the gradebook, and used wherever somebody is named.

nbgrader's own list, Canvas's gradebook export and Moodle's list of participants are understood as they come.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from autograder.counted import counted
from autograder.course.directory import Course
from autograder.course.export.canvas import is_heading
from autograder.course.export.cells import csv_bytes
from autograder.course.export.moodle import PARTICIPANT
from autograder.course.export.roster import Roster, read_roster
from autograder.course.terms import read_terms
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.grading.database import open_gradebook
from autograder.shorten_list import shorten_list

NAME = "roster.csv"
COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
STUDENT_ID = re.compile(r"[^\s./\\\0-\x1f][^/\\\0-\x1f]{0,127}")  # directories are named after it
IDS = ("student_id", "SIS Login ID", "Username", "Login", "id", "SIS User ID", "ID number", "Email address", "email")
LMS_IDS = ("lms_user_id", "lms_id", "Identifier", "Canvas ID", "Moodle ID", "ID")
NAMED = 10


@dataclass(frozen=True)
class Person:
    """One student, with the columns of the file."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""


def import_roster(course: Course, path: Path) -> list[str]:
    """Take a class list into the course; → sentences. A `CourseError` where it does not say who is who.

    Whoever the gradebook knows keeps what the list leaves blank; nobody is ever taken out of the gradebook.
    """
    people, before = list(_people(read_roster(path), path)), {person.id for person in class_of(course)}
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        for number, person in enumerate(people):
            given = {name: value for name, value in zip(COLUMNS[1:], astuple(person)[1:], strict=True) if value}
            known = gradebook.update_or_create_student(person.id, **given)
            people[number] = Person(*(getattr(known, name) or "" for name in COLUMNS))
    _refuse_wrong(people, path)
    write_whole(course.root / NAME, csv_bytes([COLUMNS, *map(astuple, people)]))
    said = [f"{course.root / NAME}: {counted(len(people), 'student')}."]
    if gone := sorted(before - {person.id for person in people}):
        said.append(f"No longer in it, and kept in the gradebook: {shorten_list(gone, NAMED)}.")
    for name in ("email", "lms_user_id"):
        if without := [person.id for person in people if not getattr(person, name)]:
            said.append(f"Without {name}: {shorten_list(without, NAMED)}.")
    return said


def class_of(course: Course) -> tuple[Person, ...]:
    """The class as it was imported; nobody where no list was."""
    path = course.root / NAME
    return _people(read_roster(path), path) if path.exists() else ()


def ids_in_lms(course: Course) -> dict[str, str]:
    """The number by which an LMS names somebody's files → the student's id in the course."""
    return {person.lms_user_id: person.id for person in class_of(course) if person.lms_user_id}


def absent(course: Course, stage: str) -> tuple[str, ...]:
    """Who of the class has handed in nothing."""
    here = set(course.students(stage))
    return tuple(person.id for person in class_of(course) if person.id not in here)


def said_of_class(course: Course, stage: str) -> list[str]:
    """Sentences for the table of `course grade`: who is missing, and who is nobody of the class."""
    terms = read_terms(course)
    who = {
        "Nothing handed in": absent(course, stage),
        f"Not in {NAME}": strangers(course, course.students(stage)),
        f"Not in {NAME}, with an extension": strangers(course, {s for s, _ in terms.extensions} if terms else ()),
    }
    return [f"{what}: {shorten_list(names, NAMED)}." for what, names in who.items() if names]


def strangers(course: Course, students: Iterable[str]) -> tuple[str, ...]:
    """Who of the students is not in the class; nobody where there is no list."""
    known = {person.id for person in class_of(course)}
    return tuple(sorted(set(students) - known)) if known else ()


def _people(table: Roster, path: Path) -> tuple[Person, ...]:
    """The rows that are persons."""
    at = {"id": table.column(*IDS), "email": table.column("email", "Email address", "E-mail", "mail")}
    at |= {"first_name": table.column("first_name", "First name", "Given name")}
    at |= {"last_name": table.column("last_name", "Last name", "Surname", "Family name")}
    at |= {"lms_user_id": table.column(*LMS_IDS), "name": table.column("Student", "Full name", "Name")}
    if at["id"] is None:
        raise CourseError(f"{path} does not say who is who: it needs a column such as {', '.join(IDS[:4])} or id.")
    if at["lms_user_id"] == at["id"]:
        at["lms_user_id"] = None
    rows = [row for row in table.rows if not is_heading(row)]
    people = tuple(
        _person({name: row[place].strip() for name, place in at.items() if place is not None}) for row in rows
    )
    _refuse_wrong(people, path)
    return people


def _person(found: dict[str, str]) -> Person:
    last, comma, first = found.pop("name", "").partition(",")
    if not comma:
        first, _, last = last.strip().rpartition(" ")
    found["first_name"] = found.get("first_name") or first.strip()
    found["last_name"] = found.get("last_name") or last.strip()
    number = PARTICIPANT.fullmatch(found.get("lms_user_id", ""))
    return Person(**found | ({"lms_user_id": number[1]} if number else {}))


def _refuse_wrong(people: Sequence[Person], path: Path) -> None:
    """A `CourseError` for a list of nobody, an id that no directory can be named after, or one that is two people's."""
    if not people:
        raise CourseError(f"{path} names nobody: give a CSV file with a row for each student.")
    for person in people:
        if not person.id:
            whose = " ".join(filter(None, (person.first_name, person.last_name))) or "a row"
            raise CourseError(f"{path}: {whose} has no id: fill it in, or take the row out.")
        if not STUDENT_ID.fullmatch(person.id):
            raise CourseError(f"{path}: {person.id!r} is no student's id: no directory can be named after it.")
    for name in ("id", "lms_user_id"):
        counts = Counter(value for person in people if (value := getattr(person, name)))
        if twice := [value for value, count in counts.items() if count > 1]:
            raise CourseError(f"{path}: the {name} {twice[0]} stands in two rows: each belongs to one student.")
