"""Files that are written completely or not at all, and the reason if one could not be written."""

import contextlib
import errno
import os
from pathlib import Path

OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)


def write_whole(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write under a temporary name, then rename: no reader meets half a file, and none is left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def disk_trouble(error: BaseException) -> str | None:
    """What the disk refused, for a file or a database, in words; None for any other error.

    >>> disk_trouble(OSError(28, "No space left on device", "gradebook.db"))
    'gradebook.db: No space left on device'
    >>> disk_trouble(OSError(2, "No such file or directory", "gradebook.db"))
    """
    if isinstance(error, OSError) and error.errno in OF_THE_DISK:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    if type(error).__name__ in ("OperationalError", "DatabaseError"):  # SQLAlchemy's: a full disk, no server, no base
        return f"the gradebook: {getattr(error, 'orig', error)}"
    return None
