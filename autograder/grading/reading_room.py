"""Reads bytes from a folder that somebody else writes in; every entry point that takes in files reads them here.

A regular file of the submitter, no link in any part of its path, no larger than a limit that is known before it is
read. Each part of a path is opened from the one before it: nothing can be exchanged between looking and reading.
"""

import os
import stat
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

from autograder.below import files_below
from autograder.files import write_whole

MAX_FILES = 200  # of one submission
MAX_FOLDERS = 50
MANY = 10_000  # entries of one folder that are looked at
MAX_TOTAL = 256 << 20  # bytes of one submission
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
BELOW = os.open in os.supports_dir_fd


class NotReadable(Exception):
    """A file is not read; the message says why."""


def read(root: Path, path: Path, limit: int) -> bytes:
    """The bytes of a file below `root`; a `NotReadable` for a link, a device, a pipe, or more than `limit` bytes."""
    descriptor = _opened(root, path)
    try:
        found = os.fstat(descriptor)
        if why := _refusal(root, path, found, limit):
            raise NotReadable(f"{path.relative_to(root)} {why}")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return file.read(limit)
    finally:
        os.close(descriptor)


def _refusal(root: Path, path: Path, found: os.stat_result, limit: int) -> str:
    if not stat.S_ISREG(found.st_mode):
        return "is not a plain file; submit the file itself."
    if found.st_nlink > 1 and (whose := _anothers(root, path, found)):
        return f"is {whose}, not a separate file; submit the file itself."
    return f"has {found.st_size:,} bytes; the limit is {limit:,}." if found.st_size > limit else ""


def copy_plain(source: Path, target: Path, limit: int, leave: tuple[str, ...] = ()) -> list[str]:
    """Copy the plain files of a folder into a new one; → a sentence for everything that was left out.

    Args:
        limit: bytes of one file.
        leave: patterns of names that are not wanted, and not spoken of.
    """
    root, room = source.parent, MAX_TOTAL
    left: list[str] = []
    if source.is_symlink() or not source.is_dir():
        return [f"{source.name} is not a separate folder; submit the files themselves."]
    for number, path in enumerate(_files_below(source, leave, left), start=1):
        if number > MAX_FILES:
            left.append(f"More than {MAX_FILES} files were submitted; the rest are left out.")
            break
        try:
            data = read(root, path, min(limit, room))
        except NotReadable as why:
            left.append(str(why))
            continue
        room -= len(data)
        write_whole(target / path.relative_to(source), data)
    target.mkdir(parents=True, exist_ok=True)
    return left


def _files_below(folder: Path, leave: tuple[str, ...], left: list[str]) -> list[Path]:
    """All files below a folder; no link is followed, and the number of folders opened is limited."""
    found, folders = [], [folder]
    for here in folders:
        try:
            wanted = (entry for entry in os.scandir(here) if not any(fnmatch(entry.name, each) for each in leave))
            entries = sorted(islice(wanted, MANY), key=lambda entry: entry.name)
        except OSError as error:
            left.append(f"{here.relative_to(folder.parent)} cannot be read: {error.strerror}.")
            continue
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                found.append(Path(entry.path))
            elif len(folders) < MAX_FOLDERS:
                folders.append(Path(entry.path))
    return found


def _opened(root: Path, path: Path) -> int:
    """A descriptor of a file below `root`, reached without following a link."""
    *folders, last = path.relative_to(root).parts
    if not BELOW:  # Windows
        for step in [path, *path.parents][: len(folders) + 1]:
            if step.is_symlink():
                raise NotReadable(f"{step.relative_to(root)} is a link; submit the file itself.")
        return _open(path, os.O_RDONLY | NO_LINK, None, path.relative_to(root))
    here, gone = _open(root, os.O_RDONLY | os.O_DIRECTORY, None, root), Path()
    try:
        for part in folders:
            gone /= part
            above, here = here, _open(part, os.O_RDONLY | os.O_DIRECTORY | NO_LINK, here, gone)
            os.close(above)
        return _open(last, os.O_RDONLY | os.O_NONBLOCK | NO_LINK, here, gone / last)
    finally:
        os.close(here)


def _open(name: str | Path, flags: int, folder: int | None, shown: Path) -> int:
    try:
        return os.open(name, flags, dir_fd=folder) if folder is not None else os.open(name, flags)
    except OSError as error:
        if folder is not None and _is_link(name, folder):
            raise NotReadable(f"{shown} is a link; submit the file itself.") from None
        raise NotReadable(f"{shown} cannot be read: {error.strerror}.") from None


def _is_link(name: str | Path, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


@dataclass(frozen=True, order=True)
class _Name:
    """A name of a file: when something was last put into its folder, the folder, and to whom that belongs."""

    changed: int
    folder: str
    user: int


def _anothers(root: Path, path: Path, found: os.stat_result) -> str | None:
    """The owner of a file with several names if it isn't the submitter's own; None if it is.

    The submitter's is a file that belongs to the owner of the folder it lies in. Where the course owns all of them, it
    is of the folder that was filled first; a name outside of all hand-ins could be anything.
    """
    names = _names_of(root, path, found)
    mine = next(name for name in names if name.folder == str(path.parent))
    owners = [name for name in names if name.user == found.st_uid] or names
    first = min(owners)
    if mine != first:
        other = Path(first.folder).relative_to(root).parts
        return f"a link to a file in {'/'.join(other)}"
    foreign = found.st_uid == mine.user != os.geteuid()
    return None if foreign or len(names) == found.st_nlink else "a link to another file"


def _names_of(root: Path, path: Path, found: os.stat_result) -> list[_Name]:
    """Every name of the same file among the hand-ins that lie beside this one."""
    parts = path.relative_to(root).parts
    top = root / parts[0] if len(parts) > 2 else root  # submitted/STUDENT/STAGE/FILE, or FOLDER/FILE of the exchange
    names = []
    for place in files_below(top):
        try:
            here, about = place.lstat(), place.parent.stat()
        except OSError:
            continue
        if (here.st_dev, here.st_ino) == (found.st_dev, found.st_ino):
            names.append(_Name(about.st_mtime_ns, str(place.parent), about.st_uid))
    return names
