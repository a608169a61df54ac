"""Files that an instructor passes to the course: read only if they are plain files of a sensible size."""

from pathlib import Path

from autograder.errors import CourseError


def read_plain(path: Path, most: int, what: str) -> bytes:
    """The content of a file.

    Args:
        path: the file, or a link to one.
        most: bytes that it may have.
        what: how a sentence calls it.

    Raises:
        FileNotFoundError: it is not there, and `what` is empty.
        CourseError: it cannot be read, isn't a plain file (a pipe would never end), or is longer.
    """
    name = f"The {what} {path}" if what else str(path)
    try:
        if path.exists() and not path.is_file():
            raise CourseError(f"{name} cannot be read: it is not a plain file.")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        if not what and isinstance(error, FileNotFoundError):
            raise
        raise CourseError(f"{name} cannot be read: {error.strerror}.") from None
    if len(data) > most:
        raise CourseError(f"{name} cannot be read: it is longer than {most >> 10:,} kB.")
    return data
