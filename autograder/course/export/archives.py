"""Unpack an archive from outside: no member leaves the folder, none is a link, and all together stay within bounds."""

import stat
import zipfile
from pathlib import Path, PurePosixPath

MAX_FILE = 256 << 20  # bytes of one member
MAX_TOTAL = 8 << 30  # bytes of all
MAX_MEMBERS = 100_000
MAX_NAME = 200  # characters of one part of a path
BLOCK = 1 << 20
JUNK = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db")
BROKEN = (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)


class Unpacked:
    """A zip in a folder: what was left out, with the reason, and what remains of the allowance."""

    def __init__(self):
        self.left: list[str] = []
        self.total = self.members = 0

    def unpack(self, archive: Path, folder: Path, within: str = "", nested: bool = True) -> None:
        """Unpack `archive` into `folder`; a zip inside it goes into a folder of its own name, once."""
        try:
            opened = zipfile.ZipFile(archive)
        except BROKEN:
            self.left.append(f"{within or archive.name}: no zip file, or a broken one")
            return
        with opened:
            for member in opened.infolist():
                if not member.is_dir() and not set(PurePosixPath(member.filename).parts) & set(JUNK):
                    self._member(opened, member, folder, within, nested)

    def _member(
        self, opened: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, within: str, nested: bool
    ) -> None:
        shown = f"{within}/{member.filename}" if within else member.filename
        self.members += 1
        if why := self._refusal(member):
            self.left.append(f"{shown}: {why}")
            return
        path = folder / PurePosixPath(member.filename)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._copy(opened, member, path)
        except BROKEN as error:
            path.unlink(missing_ok=True)
            self.left.append(f"{shown}: could not be unpacked ({error})")
            return
        if nested and path.suffix.lower() == ".zip":
            self.unpack(path, path.with_suffix(""), shown, nested=False)
            path.unlink()

    def _refusal(self, member: zipfile.ZipInfo) -> str:
        name = member.filename
        parts = PurePosixPath(name).parts
        if name.startswith("/") or "\\" in name or "\0" in name or ".." in parts or ":" in parts[0][:2]:
            return "its path leads out of the archive"
        if stat.S_ISLNK(member.external_attr >> 16):
            return "it is a link"
        if any(len(part) > MAX_NAME for part in parts):
            return "its name is too long"
        if member.file_size > MAX_FILE:
            return f"it is larger than {MAX_FILE >> 20} MiB"
        if self.members > MAX_MEMBERS or self.total + member.file_size > MAX_TOTAL:
            return "the archive is larger than a class can be"
        return ""

    def _copy(self, opened: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
        """Copy no more than the member says it holds: the size in its header is only a claim."""
        written = 0
        with opened.open(member) as source, path.open("xb") as target:
            while block := source.read(BLOCK):
                written += len(block)
                if written > member.file_size:
                    raise ValueError("it is larger than it says")
                target.write(block)
        self.total += written
