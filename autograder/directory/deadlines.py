"""`course.toml`: due dates, extensions, grace days, attempts and variants, in a file that a person reads and writes.

Without it all of these are nbgrader's own. Lateness itself is nbgrader's: a timestamp, a due date, an extension.
"""

import difflib
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.directory.course import Course
from autograder.directory.plain_file import read_plain
from autograder.errors import CourseError
from autograder.stage_meant import stage_meant
from autograder.stages import UnknownStage

NAME = "course.toml"
KEYS = ("timezone", "grace_days", "attempts", "variants", "due", "extensions")
ATTEMPTS = ("latest", "best")
MOST_VARIANTS = 12  # each has hidden numbers of its own
MOST_BYTES = 1 << 20
MOST_DAYS = 3650  # so that every date is one that a gradebook can hold
TEMPLATE = """\
# Due dates, extensions, grace days, attempts: read by every `course grade`, `course export` and `nbgrader autograde`.
# What a late hand-in costs is nbgrader's: c.AssignLatePenalties.plugin_class in nbgrader_config.py.

timezone = "UTC"       # of the times below, e.g. "Europe/Amsterdam"
grace_days = 0         # whole days that each student may be late in the whole course, taken in the order of due dates
attempts = "latest"    # which hand-in counts: "latest" or "best"; all are kept in attempts/
variants = 1           # of each page: with more than one, students get different questions and numbers

[due]                  # a date alone is the end of that day
# 01_attention = 2027-03-01T18:00:00
# 02_multi_head = 2027-03-08

[extensions]           # by student: extra days, or another due date
# ada = { 01_attention = 2, 02_multi_head = 2027-03-15 }
"""


@dataclass(frozen=True)
class Deadlines:
    """What course.toml says; times in UTC, without a zone, as nbgrader's gradebook has them."""

    due: dict[str, datetime] = field(default_factory=dict)
    extensions: dict[tuple[str, str], timedelta | datetime] = field(default_factory=dict)  # by (student, stage)
    grace_days: int = 0
    attempts: str = "latest"
    variants: int = 1
    zone: ZoneInfo = ZoneInfo("UTC")  # of times without one

    def extension(self, student: str, stage: str, due: datetime) -> timedelta:
        """How much longer than `due` a student has."""
        given = self.extensions.get((student, stage), timedelta())
        return given - due if isinstance(given, datetime) else given


def read_deadlines(course: Course) -> Deadlines | None:
    """The terms of a course; None where there is no course.toml, a `CourseError` where it makes no sense."""
    path = course.root / NAME
    try:
        found = tomllib.loads(read_plain(path, MOST_BYTES, "").decode())
    except FileNotFoundError:
        return None
    except RecursionError:
        raise CourseError(f"{path} cannot be read: its tables or lists are nested too deeply.") from None
    except ValueError as error:  # of TOML, of UTF-8, or of a number with thousands of digits
        raise CourseError(f"{path} cannot be read: {error}.") from None
    try:
        return _deadlines(found)
    except (ValueError, UnknownStage) as error:
        raise CourseError(f"{path}: {error}") from None
    except OverflowError as error:
        raise CourseError(f"{path} contains an invalid time: {error}.") from None


def _deadlines(found: dict) -> Deadlines:
    for key in found:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            offer = f"did you mean “{near[0]}”?" if near else f"there are {', '.join(KEYS)}."
            raise ValueError(f"there is no “{key}”: {offer}")
    zone = _zone(found.get("timezone", "UTC"))
    grace, attempts = found.get("grace_days", 0), found.get("attempts", "latest")
    if type(grace) is not int or not 0 <= grace <= MOST_DAYS:
        raise ValueError(f"grace_days must be a whole number of days, at most {MOST_DAYS}, not {grace!r}.")
    if attempts not in ATTEMPTS:
        raise ValueError(f'attempts must be "latest" or "best", not {attempts!r}.')
    if type(variants := found.get("variants", 1)) is not int or not 1 <= variants <= MOST_VARIANTS:
        raise ValueError(f"variants must be a whole number from 1 to {MOST_VARIANTS}, not {variants!r}.")
    dates = _table(found, "due")
    due = {_stage(name): _time(f"due.{name}", value, zone) for name, value in dates.items()}
    if len(due) < len(dates):
        raise ValueError(f"[due] names a stage twice: {', '.join(dates)}.")
    extensions = {
        (student, _stage(name)): _extension(f"extensions.{student}.{name}", value, zone)
        for student, given in _table(found, "extensions").items()
        for name, value in _table({f"extensions.{student}": given}, f"extensions.{student}").items()
    }
    return Deadlines(due, extensions, grace, attempts, variants, zone)


def _table(found: dict, name: str) -> dict:
    table = found.get(name, {})
    if not isinstance(table, dict):
        raise ValueError(f"{name} must be a table: a line [{name}], and below it 01_attention = …")
    return table


def _stage(name: str) -> str:
    return stage_meant(name).name


def _zone(name: object) -> ZoneInfo:
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"timezone must be a name such as “Europe/Amsterdam” or “UTC”, not {name!r}.") from None


def _extension(name: str, value: object, zone: ZoneInfo) -> timedelta | datetime:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST_DAYS:
        return timedelta(days=value)
    return _time(name, value, zone, f"a number of days, at most {MOST_DAYS}, or a date")


def _time(name: str, value: object, zone: ZoneInfo, wanted: str = "a date, or a date and a time") -> datetime:
    """An instant in UTC. A date alone is its last second, a time without an offset is in the course's zone."""
    if not isinstance(value, date):  # of which a datetime is one
        raise ValueError(f"{name} must be {wanted}, such as 2027-03-01 or 2027-03-01T18:00:00, not {value!r}.")
    if not isinstance(value, datetime):
        value = datetime.combine(value, time(23, 59, 59))
    value = value if value.tzinfo else value.replace(tzinfo=zone)
    return value.astimezone(UTC).replace(tzinfo=None)
