"""Processor time by control group, where this machine lets us make one: it counts all that ran there.

The kernel adds a child's time to its parent's when the parent waits for it. A parent that ignores SIGCHLD waits for
nobody; a group counts what ran in it all the same.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

V1, V2, V2_BESIDE_V1 = (Path("/sys/fs/cgroup", name) for name in ("cpuacct", "", "unified"))
PREFIX = "submissions-"


class Account:
    """A group of one server and everything that it forks, made below the first of `parents` that allows it."""

    def __init__(self, pid: int, parents: Iterable[Path] | None = None):
        self.folder: Path | None = None
        for parent in places() if parents is None else parents:
            with contextlib.suppress(OSError):
                sweep(parent)
                self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
                (self.folder / "cgroup.procs").write_text(str(pid))
                if self.seconds() is not None:
                    return
            self.close()

    def seconds(self) -> float | None:
        """Processor time of the group so far; None where there is no group."""
        if self.folder is None:
            return None
        with contextlib.suppress(OSError):
            return int((self.folder / "cpuacct.usage").read_text()) / 1e9
        with contextlib.suppress(OSError, ValueError, IndexError):
            words = (self.folder / "cpu.stat").read_text().split()
            return int(words[words.index("usage_usec") + 1]) / 1e6
        return None

    def close(self) -> None:
        """Remove the group, once nothing runs in it any more."""
        if self.folder is not None:
            sweep(self.folder.parent)
            self.folder = None


def places() -> list[Path]:
    """Where a group of ours may be made: below the one that this process is in."""
    with contextlib.suppress(OSError):
        own = dict(line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines())
        known = ((V1, own.get("cpuacct") or own.get("cpu,cpuacct")), (V2, own.get("")), (V2_BESIDE_V1, own.get("")))
        return [root / path.lstrip("/") for root, path in known if path and (root / "cgroup.procs").exists()]
    return []


def sweep(parent: Path) -> None:
    """Remove our groups in which nothing runs, also those of graders that were killed."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # the kernel refuses where something runs
            os.rmdir(folder)
