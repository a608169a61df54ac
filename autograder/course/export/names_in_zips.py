"""Whose a file is that an LMS put into a zip: what its path says.

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
        raise CourseError(f"--pattern is no regular expression: {error}.") from None
    if "student_id" not in groups:
        raise CourseError("--pattern must name the student: put (?P<student_id>…) around what does.")
    return pattern


def students_named(inside: str, pattern: str, stage: str) -> list[str]:
    """Whom the LMS's part of a path may name: several where a student's name, or the file's, looks like it too.

    The file's name as it was released settles it: what follows a student's name goes on with the LMS's numbers.

    >>> students_named("eve_1_2_9001_x.ipynb", CANVAS, "01_attention")
    ['1', '2']
    >>> students_named("eve_1_2_9001_01_attention-1.ipynb", CANVAS, "01_attention")
    ['2']
    """
    if pattern not in READINGS:
        return []
    reading = READINGS[pattern]
    found = next(filter(None, (list(reading.finditer(part)) for part in inside.split("/"))), [])
    sure = [m for m in found if m[2].startswith(stage) and not reading.search(m[2].removeprefix(stage))]
    return list(dict.fromkeys(m[1] for m in sure or found))


@dataclass(frozen=True)
class Person:
    """What a name in a zip says of somebody."""

    student: str
    names: tuple[str, str]  # first, last; Canvas runs them together
    lms_user_id: str | None
    late: bool

    @classmethod
    def of(cls, said: dict[str, str | None], pattern: str, ids: dict[str, str]) -> "Person":
        """From the groups that a pattern found; `ids`: the LMS's number → the student's id."""
        name, canvas = said.get("name") or "", pattern == CANVAS
        late = canvas and re.search(r"(^|_)LATE$", name) is not None
        name = re.sub(r"(^|_)LATE$", "", name) if canvas else name
        first, _, last = name.rpartition(" ")
        known = said["student_id"] if canvas and said["student_id"].isdecimal() else None
        return cls(ids.get(said["student_id"], said["student_id"]), (first, last), known, late)
