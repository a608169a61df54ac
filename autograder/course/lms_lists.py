"""A class list as nbgrader, Canvas or Moodle exports it: its people, and whether it is the whole class."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError
from autograder.exports.canvas import is_heading
from autograder.exports.class_list import Person
from autograder.exports.moodle import participants
from autograder.exports.roster import Roster, read_roster

UNSEEN = r"\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"  # control, direction, no width
STUDENT_ID = re.compile(rf"[^\s./\\{UNSEEN}][^/\\{UNSEEN}]{{0,127}}")  # directories are named after it
IDS = ("student_id", "SIS Login ID", "Login ID", "Username", "Login", "id", "SIS User ID", "ID number")
LMS_IDS = ("lms_user_id", "lms_id", "Canvas ID", "Moodle ID", "ID")
TEST_STUDENT = "student, test"  # Canvas's own, in every export of a gradebook where somebody used Student View


@dataclass(frozen=True)
class ClassList:
    """The people of a file."""

    path: Path
    people: tuple[Person, ...]
    whole: bool  # False for Moodle's grading worksheet, which may be of one group only
    has_ids: bool = True  # else those who are new get their e-mail address as id
    left_out: tuple[str, ...] = ()


def read_class_list(path: Path, ids: str | None = None) -> ClassList:
    """The people in a CSV file.

    Args:
        path: what nbgrader, Canvas (the gradebook's export) or Moodle (participants, grading worksheet) wrote.
        ids: the column that holds the students' ids; the first known one if left out.

    Raises:
        CourseError: no column says who is who, nobody is listed, or an id cannot name a directory.
    """
    table = read_roster(path)
    number = participants(table)
    columns = {
        "id": _id_column(table, path, ids, number),
        "email": table.column("email", "Email address")
        if table.column("email", "Email address") is not None
        else _column_of_addresses(table),
        "first_name": table.column("first_name", "First name"),
        "last_name": table.column("last_name", "Last name"),
        "lms_user_id": table.column(*LMS_IDS) if number is None else number,
        "name": table.column("Student", "Full name", "Name"),
    }
    if columns["id"] is None and columns["email"] is None:
        raise CourseError(f"{path} has no column of student ids: it needs one such as {', '.join(IDS[:4])} or id.")
    if columns["lms_user_id"] == columns["id"]:
        columns["lms_user_id"] = None
    rows = [row for row in table.rows if not is_heading(row)]
    cells = [
        {name: row[at].strip() if name == "id" else _visible(row[at]) for name, at in columns.items() if at is not None}
        for row in rows
    ]
    tests = [found for found in cells if found.get("name", "").casefold() == TEST_STUDENT]
    people = tuple(_person(found) for found in cells if found not in tests)
    refuse_wrong(people, path)
    has_ids = columns["id"] is not None
    return ClassList(path, people, number is None, has_ids, ("Canvas's Test Student",) * bool(tests))


def refuse_wrong(people: Sequence[Person], path: Path) -> None:
    """A `CourseError` if nobody is listed, an id cannot name a directory, or something is given to two people."""
    if not people:
        raise CourseError(f"{path} lists no students: pass a CSV file with one row per student.")
    for person in people:
        if not person.id and not person.email and not person.lms_user_id:
            raise CourseError(f"{path}: {person} has no id: fill it in, or delete the row.")
        if person.id and not STUDENT_ID.fullmatch(person.id):
            raise CourseError(f"{path}: {person.id!r} cannot be a student id: it is not a valid directory name.")
    for name in ("id", "email", "lms_user_id"):
        seen: dict[str, Person] = {}
        for person in people:
            key = getattr(person, name).casefold()
            if key and key in seen:
                raise CourseError(f"{path}: the {name} {getattr(person, name)} appears in two rows; it must be unique.")
            seen[key] = person


def _visible(text: str) -> str:
    """A field without characters that control a terminal or a browser."""
    return re.sub(rf"[{UNSEEN}]+", " ", text).strip()


def _id_column(table: Roster, path: Path, ids: str | None, number: int | None) -> int | None:
    if ids is None:
        at = table.column(*IDS)
        return None if at == number else at
    at = table.column(ids)
    if at is None:
        raise CourseError(f"{path} has no column “{ids}”: --ids can be one of {', '.join(filter(None, table.header))}.")
    return at


def _column_of_addresses(table: Roster) -> int | None:
    """The column that contains only e-mail addresses, regardless of its title."""
    for at in range(len(table.header)):
        cells = [row[at].strip() for row in table.rows if row[at].strip()]
        if cells and all(re.fullmatch(r"[^@\s]+@[^@\s]+", cell) for cell in cells):
            return at
    return None


def _person(found: dict[str, str]) -> Person:
    last, comma, first = found.pop("name", "").partition(",")
    if not comma:
        first, _, last = last.strip().rpartition(" ")
    found["first_name"] = found.get("first_name") or first.strip()
    found["last_name"] = found.get("last_name") or last.strip()
    if number := re.fullmatch(r"\D*\D(\d+)", found.get("lms_user_id", "")):  # “Participant 1234”
        found["lms_user_id"] = number[1]
    return Person(**found)
