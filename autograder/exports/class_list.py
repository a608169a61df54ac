"""The class as the course keeps it: roster.csv, written by `course roster`, read wherever somebody is named."""

from dataclasses import dataclass

from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.exports.roster import read_roster

NAME = "roster.csv"
COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")


@dataclass(frozen=True)
class Person:
    """One student: the columns of roster.csv. In a list from elsewhere every field may be blank."""

    id: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""

    def __str__(self) -> str:
        """The person's name, for a sentence."""
        return self.id or " ".join(filter(None, (self.first_name, self.last_name))) or self.email or "a row"


def class_of(course: Course) -> tuple[Person, ...]:
    """The class as it was imported; empty if no list was."""
    path = course.root / NAME
    if not path.exists():
        return ()
    table = read_roster(path)
    columns = {name: at for name in COLUMNS if (at := table.column(name)) is not None}
    if "id" not in columns:
        raise CourseError(f"{path} has no column “id”; import the class again with `course roster`.")
    return tuple(Person(**{name: row[at].strip() for name, at in columns.items()}) for row in table.rows)


def ids_in_lms(course: Course) -> dict[str, str]:
    """The number by which an LMS names somebody's files → the student's id in the course."""
    return {person.lms_user_id: person.id for person in class_of(course) if person.lms_user_id}
