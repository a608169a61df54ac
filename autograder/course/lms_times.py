"""`course lateness import`: when students handed in, from Moodle's worksheet or a table of student, stage and time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.counted import counted
from autograder.directory.course import Course
from autograder.directory.deadlines import read_deadlines
from autograder.errors import CourseError
from autograder.exports.class_list import Person, class_of
from autograder.exports.moodle import participants
from autograder.exports.roster import Roster, read_roster
from autograder.files import write_whole
from autograder.grading.handed_in import STAMP
from autograder.shorten_list import shorten_list
from autograder.stage_meant import stage_meant
from autograder.stages import UnknownStage

NAMED = 10
TIMES = ("time", "timestamp", "Last modified (submission)", "Submitted at", "submitted_at", "Submission time")
STUDENTS = (
    "student",
    "student_id",
    "id",
    "SIS Login ID",
    "Login ID",
    "Username",
    "SIS User ID",
    "user_id",
    "Email address",
    "ID",
)
MONTHS = {  # as Moodle writes them in English, German, French and Spanish: the first letters tell them apart
    1: ("jan", "ene"), 2: ("feb", "fév"), 3: ("mar", "mär"), 4: ("apr", "avr", "abr"), 5: ("may", "mai"),
    6: ("jun", "juin"), 7: ("jul", "juil"), 8: ("aug", "aoû", "ago"), 9: ("sep",), 10: ("oct", "okt"),
    11: ("nov",), 12: ("dec", "dez", "déc", "dic"),
}  # fmt: skip
WRITTEN = re.compile(
    r"(?:\w+,\s*)?(?P<day>\d{1,2})\.?\s+(?:de\s+)?(?P<month>[^\W\d]{3,})\.?\s+(?:de\s+)?(?P<year>\d{4}),?\s+"
    r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?\s*(?P<half>[AaPp]\.?\s?[Mm]\.?)?"
)


@dataclass
class Times:
    """What an import did: who of a stage has a time now, and what could not be used."""

    stamped: dict[str, list[str]] = field(default_factory=dict)  # stage → students
    nothing: list[str] = field(default_factory=list)  # a time, and no hand-in here
    unknown: list[str] = field(default_factory=list)  # a row about nobody in the class
    unread: list[str] = field(default_factory=list)  # a time that is none

    @property
    def sentences(self) -> Iterator[str]:
        """What the terminal says."""
        for stage, students in sorted(self.stamped.items()):
            yield f"{stage}: {counted(len(students), 'time')} written."
        for what, names in (
            ("Have a time, but no submission here", self.nothing),
            ("Not in the class", self.unknown),
            ("Not a time that can be read", self.unread),
        ):
            if names:
                yield f"{what}: {shorten_list(names, NAMED)}."


def import_times(course: Course, path: Path, stage: str | None = None) -> Times:
    """Write each time into the `timestamp.txt` beside the hand-in.

    Args:
        course: whose course.toml names the time zone of times without one.
        path: Moodle's grading worksheet, or a table with columns for the student, the time and perhaps the stage.
        stage: the stage of every row; needed if the table has no column for it.

    Raises:
        CourseError: the table lacks a column, or names a stage that does not exist.
    """
    table = read_roster(path)
    at_time, at_stage = table.column(*TIMES), table.column("stage", "assignment")
    if at_time is None:
        raise CourseError(f"{path} has no column of times: it needs one named {', '.join(TIMES[:4])}.")
    if at_stage is None and stage is None:
        raise CourseError(
            f"{path} does not say which stage it is for: add the stage to the command, or a column “stage”."
        )
    deadlines, people, done = read_deadlines(course), _people(course), Times()
    zone = deadlines.zone if deadlines else ZoneInfo("UTC")
    for row in table.rows:
        text = row[at_time].strip()
        if text in ("", "-"):
            continue
        name, student = _student(table, row, people)
        when = read_time(text, zone)
        of = _stage(row[at_stage], path) if at_stage is not None and not stage else str(stage)
        if when is None:
            done.unread.append(f"{name} ({text})")
        elif student is None:
            done.unknown.append(name)
        elif not course.submitted_file(of, student).parent.is_dir():
            done.nothing.append(student)
        else:
            stamp = when.strftime("%Y-%m-%d %H:%M:%S UTC")
            write_whole(course.submitted_file(of, student).with_name(STAMP), stamp.encode())
            done.stamped.setdefault(of, []).append(student)
    return done


def read_time(text: str, zone: ZoneInfo) -> datetime | None:
    """An instant: ISO 8601, or as Moodle writes it; a time without a zone is in `zone`. None if it cannot be read.

    >>> read_time("Monday, 3 March 2025, 10:15 PM", ZoneInfo("UTC")).isoformat()
    '2025-03-03T22:15:00+00:00'
    >>> read_time("Montag, 3. März 2025, 10:15", ZoneInfo("Europe/Berlin")).isoformat()
    '2025-03-03T09:15:00+00:00'
    """
    text = re.sub(r"\s+", " ", text.replace("\u202f", " ")).strip()
    found: datetime | None
    try:
        found = datetime.fromisoformat(text.removesuffix(" UTC") + ("+00:00" if text.endswith(" UTC") else ""))
    except ValueError:
        match = WRITTEN.search(text)
        found = _written(match) if match else None
    if found is None:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)


def _written(match: re.Match) -> datetime | None:
    name = match["month"].casefold()
    month = next((n for n, starts in reversed(MONTHS.items()) if name.startswith(starts)), None)
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"][0] in "Pp")
    try:
        return datetime(
            int(match["year"]), month or 0, int(match["day"]), hour, int(match["minute"]), int(match["second"] or 0)
        )
    except ValueError:
        return None


def _people(course: Course) -> dict[str, str]:
    """Everything that may identify somebody, in lower case → the student's id."""
    people = class_of(course)
    known = people + tuple(Person(name) for stage in course.stages for name in course.students(stage))
    names = {key.casefold(): p.id for p in known for key in (p.lms_user_id, p.email, p.id) if key}
    return names | {p.id.casefold(): p.id for p in known}


def _student(table: Roster, row: list[str], people: dict[str, str]) -> tuple[str, str | None]:
    """The row's name for somebody, and the id that belongs to it."""
    columns = [at for name in STUDENTS if (at := table.column(name)) is not None]
    number = participants(table)
    keys = [row[at].strip() for at in columns] + ([re.sub(r"\D", "", row[number])] if number is not None else [])
    keys = [key for key in keys if key]
    return (keys[0] if keys else "a row"), next((people[k.casefold()] for k in keys if k.casefold() in people), None)


def _stage(text: str, path: Path) -> str:
    try:
        return stage_meant(text).name
    except UnknownStage as error:
        raise CourseError(f"{path}: {error}") from None
