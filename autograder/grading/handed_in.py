"""What one student handed in for a stage: the files that count in a folder of submitted/, as bytes and sentences.

It is read in the reading room. Whatever else lies there is a sentence about that student, and nobody else's trouble.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.directory.course import Course
from autograder.grading.reading_room import NotReadable, read
from autograder.repair.reading import MAX_BYTES
from autograder.shorten_list import shorten_list
from autograder.stages import UnknownStage

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


def misplaced(course: Course, stage: str) -> list[str]:
    """A sentence for everything of a stage that is on the wrong level of submitted/, where it is not found."""
    below = [
        f"submitted/{stage}/{name}: the student comes first, as in submitted/{name}/{stage}/."
        for name in _below_the_stage(course, stage)
    ]
    return below + [
        f"{path.relative_to(course.root)}: it belongs in submitted/{student or 'STUDENT'}/{stage}/."
        for student, path in _astray(course, stage)
    ]


def misplaced_by(course: Course, stage: str) -> set[str]:
    """The students with something of a stage on the wrong level."""
    named = {student for student, path in _astray(course, stage) if student and _stage_of(course, path) == stage}
    return named.union(_below_the_stage(course, stage))


def _below_the_stage(course: Course, stage: str) -> list[str]:
    return [path.name for path in _inside(course.root / "submitted" / stage) if path.is_dir()]


def _astray(course: Course, stage: str) -> Iterator[tuple[str | None, Path]]:
    """(student, notebook) of each that may be of this stage, in no stage's folder; None if no folder says whose."""
    found: list[tuple[str | None, Path]]
    for path in _inside(course.root / "submitted"):
        if path.name == stage or path.suffix == ".ipynb":
            found = [(None, notebook) for notebook in ([path] if path.is_file() else _notebooks_in(path))]
        elif path.name in course.stages or (path / stage).exists():
            found = []
        else:
            others = [folder for folder in _inside(path) if not _is_an_assignment(course, folder.name)]
            found = [(path.name, notebook) for folder in (path, *others) for notebook in _notebooks_in(folder)]
        yield from (one for one in found if _stage_of(course, one[1]) in (stage, None))


def _is_an_assignment(course: Course, name: str) -> bool:
    """Whether a student's folder of this name is one that nbgrader, or a file manager, knows."""
    return name.startswith(".") or (course.root / "source" / name).is_dir()


def _notebooks_in(folder: Path) -> list[Path]:
    return [path for path in _inside(folder) if path.suffix == ".ipynb" and path.is_file()]


def _stage_of(course: Course, notebook: Path) -> str | None:
    """The stage that a notebook's name begins with, or that the folder below the student's names."""
    if named := next((stage for stage in course.stages if notebook.stem.startswith(stage)), None):
        return named
    folder = notebook.parent
    try:
        return course.stage(folder.name) if folder.parents[1] == course.root / "submitted" else None
    except UnknownStage:
        return None


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []


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
