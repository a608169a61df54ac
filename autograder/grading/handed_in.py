"""What one student handed in for a stage: the files that count in a folder of submitted/, as bytes and sentences.

It is read in the reading room. Whatever else lies there is a sentence about that student, and nobody else's trouble.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.directory.course import Course
from autograder.grading.reading_room import NotReadable, read
from autograder.repair.reading import MAX_BYTES
from autograder.shorten_list import shorten_list

MAX_STAMP = 200  # bytes
MAX_BESIDE = 1000  # bytes
STAMP, SECRET = "timestamp.txt", "submission_secret.txt"
LATE = "late.txt"  # what an LMS said that gives no times
LEFT_OUT = "left_out.txt"  # what of a hand-in was not taken in, as sentences
MAX_SENTENCES = 20_000  # bytes of them
MAX_NAME = 200  # bytes of a student's id: names of files are made from it
SHOWN = 3


@dataclass(frozen=True)
class HandedIn:
    """The bytes of a notebook and of what nbgrader's exchange puts beside it, and what must be said of them.

    With `refused`, there is nothing to grade; `repairs` were needed to find it, `flags` are for a person to look at.
    """

    data: bytes = b""
    stamp: bytes = b""
    secret: bytes = b""  # by which the student's own nbgrader finds the feedback
    late: bytes = b""
    refused: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    nameless: bool = False  # of a directory that no gradebook, and no file of ours, can be named after

    @property
    def beside(self) -> dict[str, bytes]:
        """The files that go with the notebook wherever it goes: name → content."""
        files = {STAMP: self.stamp, SECRET: self.secret, LATE: self.late}
        return {name: content for name, content in files.items() if content}

    @property
    def identity(self) -> bytes:
        """The bytes by which two hand-ins are compared."""
        return self.data + "\0".join(self.refused + self.repairs).encode("utf-8", "surrogateescape")


def handed_in(course: Course, stage: str, student: str) -> HandedIn:
    """The hand-in in a student's directory for a stage."""
    if trouble := _name_trouble(student):
        return HandedIn(refused=(trouble,), nameless=True)
    return found_in(course.root, course.submitted_file(stage, student).parent, stage)


def found_in(root: Path, folder: Path, stage: str) -> HandedIn:
    """The hand-in in a folder below `root`; nothing outside `root` is read."""
    try:
        path, repairs = _notebook(root, folder, stage)
        data = read(root, path, MAX_BYTES)
    except NotReadable as why:
        return HandedIn(refused=(*_left_out(root, folder), str(why)))
    stamp, flags = _stamp(root, folder)
    flags += _left_out(root, folder)
    late = _small(root, folder / LATE)
    if late and not stamp:
        flags += (f"The LMS marked it as late but gave no time; put the time in {STAMP}.",)
    return HandedIn(data, stamp, _small(root, folder / SECRET), late, (), repairs, flags)


def timestamp(stamp: bytes) -> datetime | None:
    """When it was handed in; None where the file says nothing that is a date."""
    if not stamp.strip():
        return None
    from nbgrader.utils import parse_utc  # importing nbgrader takes half a second, and can wait until something runs

    try:
        return parse_utc(stamp.decode().strip())
    except (ValueError, OverflowError):
        return None


def _name_trouble(student: str) -> str | None:
    try:
        long = len(student.encode()) > MAX_NAME
    except UnicodeEncodeError:
        return "The name of this directory is not valid UTF-8; rename it to the student's id."
    if long or not student.isprintable():
        return (
            f"The name of this directory is {'too long' if long else 'not printable'}; rename it to the student's id."
        )
    return None


def _notebook(root: Path, folder: Path, stage: str) -> tuple[Path, tuple[str, ...]]:
    """The file that is meant, and what was done to find it."""
    usual = folder / f"{stage}.ipynb"
    if usual.exists() or usual.is_symlink():
        return usual, ()
    if folder.is_symlink():
        raise NotReadable(f"{folder.relative_to(root)} is a link; submit the files themselves.")
    there = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    notebooks = [name for name in there if name.lower().endswith(".ipynb")]
    if len(notebooks) == 1:
        return folder / notebooks[0], (f"The file is named {notebooks[0]}; it was graded as {usual.name}.",)
    if notebooks:
        named = shorten_list(notebooks, SHOWN)
        raise NotReadable(f"Found several notebooks ({named}), none of them named {usual.name}; keep only one.")
    others = shorten_list([name for name in there if name not in (STAMP, SECRET, LATE, LEFT_OUT)], SHOWN) or "nothing"
    raise NotReadable(f"There is no notebook {usual.name}; found {others}.")


def _stamp(root: Path, folder: Path) -> tuple[bytes, tuple[str, ...]]:
    """The timestamp's bytes; a flag if the file contains no date."""
    path = folder / STAMP
    if not path.exists() and not path.is_symlink():
        return b"", ()
    try:
        stamp = read(root, path, MAX_STAMP)
        if timestamp(stamp) is not None:
            return stamp, ()
    except NotReadable as why:
        return b"", (f"{why} It counts as on time; please check when it was submitted.",)
    return b"", (f"{STAMP} contains no date. It counts as on time; please check when it was submitted.",)


def _left_out(root: Path, folder: Path) -> tuple[str, ...]:
    """What was said when the hand-in was collected: each for a person to look at."""
    said = _small(root, folder / LEFT_OUT, MAX_SENTENCES).decode(errors="replace").splitlines()
    return tuple(f"Left out when the submission was collected: {sentence}" for sentence in said if sentence.strip())


def _small(root: Path, path: Path, limit: int = MAX_BESIDE) -> bytes:
    """A small file next to a notebook; empty if it is not a plain file."""
    try:
        return read(root, path, limit)
    except NotReadable:
        return b""
