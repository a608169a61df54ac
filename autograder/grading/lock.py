"""One at a time, among the processes of a machine that know the same file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: only the database's own locks are left
    fcntl = None


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until nobody else holds the lock on `path`, and hold it; the system releases it when a process dies."""
    with path.open("ab") as file:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
