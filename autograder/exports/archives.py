"""Unpack the notebooks of an archive: no member leaves the folder, none is a link, and all together stay within bounds.

An archive inside is one student's: it has an allowance of its own, and takes nothing of the others'.
"""

import lzma
import os
import stat
import struct
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.counted import counted

MAX_NAME = 200  # characters of one part of a path
MAX_FOLDERS = 50  # of one path
BLOCK = 1 << 20
END_OF_ZIP = 22 + 0xFFFF  # bytes: the last record, and a comment
JUNK = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db")
BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(NotImplementedError, RuntimeError, EOFError, OSError, ValueError),
)


@dataclass(frozen=True)
class Bounds:
    """What an archive may hold.

    Attributes:
        file: bytes of one member, and of all members of a student's archive.
        inside: notebooks in an archive that a student handed in.
        directory: bytes of the list of its members, which is read whole.
        total: bytes of all members of the class's archive.
        members: how many these are.
    """

    file: int = 256 << 20
    inside: int = 100
    directory: int = 16 << 20
    total: int = 8 << 30
    members: int = 100_000


BOUNDS = Bounds()


class Unpacked:
    """The notebooks of a zip in a folder: what was left out, with the reason, and what remains of the allowance.

    Args:
        within: the name of the archive, if it is inside another one.
        bounds: how much is unpacked.
    """

    def __init__(self, within: str = "", bounds: Bounds = BOUNDS):
        self.left: list[str] = []
        self.others: dict[str, str] = {}  # members that are no notebooks, or hold others → the reason
        self.within, self.bounds, self.most = within, bounds, bounds.inside if within else bounds.members
        self.total = self.members = 0

    def unpack(self, archive: Path, folder: Path) -> None:
        """Unpack `archive` into `folder`; a zip inside it goes into a folder of its own name, once."""
        if self.within and directory_size(archive) > self.bounds.directory:
            self.left.append(f"{self.within}: it contains more files than a submission may")
            return
        try:
            opened = zipfile.ZipFile(archive)
        except BROKEN:
            self.left.append(f"{self.within or archive.name}: not a zip file, or a broken one")
            return
        with opened:
            files = [m for m in opened.infolist() if not m.is_dir() and not {*_parts(m)} & {*JUNK}]
            wanted = [m for m in files if _suffix(m) == ".ipynb" or (_suffix(m) == ".zip" and not self.within)]
            for member in wanted:
                self._member(opened, member, folder)
            if self.within and len(files) > len(wanted):
                self.others[self.within] = f"it contains no notebooks: {counted(len(files) - len(wanted), 'file')}"
            elif not self.within:
                self.others |= {m.filename: "not a notebook" for m in files if _suffix(m) not in (".ipynb", ".zip")}

    def _member(self, opened: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path) -> None:
        shown = f"{self.within}/{member.filename}" if self.within else member.filename
        self.members += 1
        if self.within and self.members > self.most:
            self.left += [f"{self.within}: it contains more than {self.most} notebooks"] * (
                self.members == self.most + 1
            )
            return
        if why := self._refusal(member):
            self.left.append(f"{shown}: {why}")
            return
        path = folder / PurePosixPath(member.filename)
        is_first = not os.path.lexists(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._copy(opened, member, path)
        except BROKEN as error:
            if is_first:
                with suppress(OSError):  # a file may be where its folder should be
                    path.unlink()
            self.left.append(f"{shown}: could not be unpacked ({getattr(error, 'strerror', None) or error})")
            return
        if path.suffix.lower() == ".zip":
            inside = Unpacked(shown, self.bounds)
            inside.unpack(path, path.with_suffix(""))
            self.left += inside.left
            self.others |= inside.others
            path.unlink()

    def _refusal(self, member: zipfile.ZipInfo) -> str:
        name = member.filename
        parts = PurePosixPath(name).parts
        if name.startswith("/") or "\\" in name or "\0" in name or ".." in parts or ":" in parts[0][:2]:
            return "its path points outside the archive"
        if stat.S_ISLNK(member.external_attr >> 16):
            return "it is a link"
        if any(len(part) > MAX_NAME for part in parts):
            return "its name is too long"
        if len(parts) > MAX_FOLDERS:
            return "it is in too many folders"
        if member.file_size > self.bounds.file:
            return f"it is larger than {self.bounds.file >> 20} MiB"
        allowed = self.bounds.file if self.within else self.bounds.total
        if self.members > self.most or self.total + member.file_size > allowed:
            return f"the archive is larger than allowed for a {'submission' if self.within else 'class'}"
        return ""

    def _copy(self, opened: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
        """Copy no more than the member says it holds: the size in its header is only a claim."""
        written = 0
        with opened.open(member) as source, path.open("xb") as target:
            while block := source.read(BLOCK):
                written += len(block)
                if written > member.file_size:
                    raise ValueError("it is larger than its header says")
                target.write(block)
        self.total += written


def directory_size(archive: Path) -> float:
    """How many bytes the list of members has, as the end of a zip says; where it says so twice, the larger number.

    Source: PKWARE, APPNOTE 4.3.16. A list of 64-bit numbers counts as endless: no student's archive needs it.
    """
    with archive.open("rb") as file:
        file.seek(max(0, archive.stat().st_size - END_OF_ZIP))
        end = file.read()
    if b"PK\x06\x07" in end:
        return float("inf")
    starts = [at for at in range(len(end) - 21) if end[at : at + 4] == b"PK\x05\x06"]
    return max((int.from_bytes(end[at + 12 : at + 16], "little") for at in starts), default=0)


def _parts(member: zipfile.ZipInfo) -> tuple[str, ...]:
    return PurePosixPath(member.filename).parts


def _suffix(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename).suffix.lower()
