"""Walks a folder that somebody else fills, however deep it is: `os.walk` and `rglob` call themselves at each level."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path


def files_below(folder: Path, skipped: Collection[str] = ()) -> Iterator[Path]:
    """Everything below a folder but the folders themselves, in no promised order; no link is followed.

    Args:
        folder: where to look; what cannot be listed is passed over.
        skipped: names of folders that are not entered.
    """
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listed:
                entries = list(listed)
        except OSError:
            continue
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)
            elif entry.name not in skipped:
                waiting.append(entry.path)
