"""Whose file it is in an LMS's zip, according to its path.

Canvas (`lib/content_zipper.rb`): `lastfirst[_LATE]_USERID_FILEID_name`. Moodle: a folder, or the start of a name,
`First Last_PARTICIPANT_assignsubmission_file_`. The times in both zips are those of the download.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError

# The first part of a path that fits is the LMS's own; whatever follows, a student has named.
CANVAS = r"(?:[^/]+/)*?(?:(?P<name>[^/]*?)_)??(?P<student_id>\d+|anon_[A-Za-z0-9]+)_\d+_(?P<file_id>[^/]+)(?:/.*)?$"
MOODLE = r"(?:[^/]+/)*?(?P<name>[^/]*?)_(?P<student_id>\d+)_assignsubmission_file_?(?P<file_id>.*)$"
READINGS = {
    CANVAS: re.compile(r"(?:^|_)(?=(\d+|anon_[A-Za-z0-9]+)_\d+_(.*))"),
    MOODLE: re.compile(r"_(?=(\d+)_assignsubmission_file_?(.*))"),
}


def pattern_for(files: Iterable[Path], pattern: str | None) -> str:
    """The `pattern` that somebody gave, or that of the LMS; a `CourseError` for one that is of no use."""
    if pattern is None:
        return MOODLE if any("_assignsubmission_file" in path.as_posix() for path in files) else CANVAS
    try:
        groups = re.compile(pattern).groupindex
    except re.error as error:
        raise CourseError(f"--pattern is not a regular expression: {error}.") from None
    if "student_id" not in groups:
        raise CourseError("--pattern must name the student: put (?P<student_id>…) around what does.")
    return pattern


def students_named(inside: str, pattern: str, stage: str) -> dict[str, str]:
    """Whom the LMS's part of a path may name, number → name: several where a name, or the file's, looks like it too.

    The file's name as it was released settles it: what follows a student's name goes on with the LMS's numbers.

    >>> students_named("eve_1_2_9001_x.ipynb", CANVAS, "01_attention")
    {'1': 'eve', '2': 'eve_1'}
    >>> students_named("eve_1_2_9001_01_attention-1.ipynb", CANVAS, "01_attention")
    {'2': 'eve_1'}
    """
    if pattern not in READINGS:
        return {}
    reading = READINGS[pattern]
    found = next(filter(None, (list(reading.finditer(part)) for part in inside.split("/"))), [])
    sure = [m for m in found if m[2].startswith(stage) and not reading.search(m[2].removeprefix(stage))]
    named: dict[str, str] = {}
    for m in sure or found:
        named.setdefault(m[1], m.string[: m.start()])
    return named


@dataclass(frozen=True)
class Person:
    """What a file name in a zip says about a student."""

    student: str
    names: tuple[str, str]  # first, last; Canvas runs them together
    lms_user_id: str | None
    late: bool

    @classmethod
    def of(cls, student: str, said: dict[str, str], pattern: str) -> "Person":
        """From the `number` and `name` that were read in the path of what `student` handed in."""
        canvas = pattern == CANVAS
        name, late = re.subn(r"(^|_)LATE$", "", said["name"]) if canvas else (said["name"], 0)
        first, _, last = name.rpartition(" ")
        known = said["number"] if canvas and said["number"].isdecimal() else None
        return cls(student, (first, last), known, bool(late))
