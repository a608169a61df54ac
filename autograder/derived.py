"""Results derived from the installed sources, cached until one of them changes.

A change is seen by size and time, as Python sees it for its bytecode: reading and parsing all sources takes half a
second, and each `course grade` would pay for it.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import autograder
import course_lib
from autograder.files import write_whole


def derived(place: Path | None, name: str, make: Callable[[], str]) -> str:
    """What `make` returns; read from the file `name`.json at `place` if the sources have not changed since.

    Where `place` is None, or nothing can be kept there, it is made each time.
    """
    if place is None:
        return make()
    path, sources = place / f"{name}.json", stamp()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(path.read_text("utf-8"))
        if known["sources"] == sources:
            return str(known["made"])
    made = make()
    with contextlib.suppress(OSError):
        write_whole(path, json.dumps({"sources": sources, "made": made}).encode())
    return made


@cache
def stamp() -> str:
    """A digest of the name, size and time of every file of both packages."""
    return digest_of(Path(str(package.__file__)).parent for package in (autograder, course_lib))


def digest_of(roots: Iterable[Path]) -> str:
    """A digest of the name, size and time of every file below these folders."""
    whole = hashlib.sha256()
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(files):
                path = os.path.join(folder, name)
                status = os.stat(path)
                whole.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return whole.hexdigest()
