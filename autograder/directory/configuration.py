"""The instructor's nbgrader_config.py: the whole of it, or the plain values in it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from traitlets.config import Config, PyFileConfigLoader

from autograder.errors import CourseError

FILE = "nbgrader_config.py"
VALUES_ALONE = ContextVar("VALUES_ALONE", default=False)


def read_config(root: Path) -> Config:
    """All of it, as nbgrader reads it; a `CourseError` where it does not run."""
    try:
        with importing_from(root):
            return PyFileConfigLoader(FILE, path=str(root)).load_config()
    except Exception as error:
        raise CourseError(f"{root / FILE} cannot be used: {type(error).__name__}: {error}.") from None


def read_values(root: Path) -> Config:
    """Its plain values, without importing nbgrader, which takes half a second."""
    before = VALUES_ALONE.set(True)
    try:
        return read_config(root)
    finally:
        VALUES_ALONE.reset(before)


@contextmanager
def importing_from(root: Path) -> Iterator[None]:
    """Inside, modules next to an nbgrader_config.py can be imported, as in nbgrader."""
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
