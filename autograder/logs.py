"""What went wrong on our side, kept with its traceback: in a course's `.course/log`, and on stderr with `--verbose`.

Of a submission the log holds its student's id and nothing else: of an exception's message only the first line, cut
short, because a message may quote the notebook that brought it about.
"""

import contextlib
import logging
import os
import re
import sys
from pathlib import Path

log = logging.getLogger("autograder")
log.addHandler(logging.NullHandler())  # else what nobody keeps would be printed in a student's notebook
log.setLevel(logging.INFO)

NAME = "log"
MAX_BYTES = 1 << 20  # a longer log gives way, and stays one more time as `log.1`
MESSAGE = 200  # characters of an exception's message
LINE = "%(asctime)s %(levelname)s %(message)s"
RAISED = re.compile(r"[A-Za-z_][\w.]*(: .*)?")  # the last line of a traceback, or the first of a long message
FAULT = re.compile(r"^\d{4}-\d\d-\d\d \S+ ERROR .*$", re.MULTILINE)


class _AsText(logging.Filter):
    """A directory's name may hold bytes that are no text: they become question marks, which every handler can write."""

    def filter(self, record):
        record.msg, record.args = record.getMessage().encode("utf-8", "replace").decode(), ()
        return True


log.addFilter(_AsText())


class _Formatter(logging.Formatter):
    def formatException(self, ei):  # noqa: N802 (logging's name)
        return without_contents(super().formatException(ei))


class _File(logging.FileHandler):
    def _open(self):
        path = Path(self.baseFilename)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MAX_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))
        path.touch(mode=0o600)
        return super()._open()

    def emit(self, record):
        """If the disk is full, the writer of the grades reports it."""
        with contextlib.suppress(OSError):
            super().emit(record)

    def handleError(self, record):  # noqa: N802 (logging's name)
        """The same, of a disk that is full by now."""


def keep_log(folder: Path) -> Path:
    """From now on write to `log` in this folder, which is made with the first line; → its path."""
    path = Path(folder).resolve() / NAME
    for handler in [handler for handler in log.handlers if isinstance(handler, _File)]:
        if handler.baseFilename == str(path):
            return path
        log.removeHandler(handler)
        handler.close()
    _add(_File(path, encoding="utf-8", delay=True), logging.WARNING)
    return path


def own_log() -> Path:
    """Where there is no course, as in a student's notebook: keep the log in the user's cache; → its path."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return keep_log(Path(cache) / "attention-workshop")


def be_verbose() -> None:
    """Show on stderr what is logged, and what is merely done."""
    _add(logging.StreamHandler(sys.stderr))


def fault(what: str, error: BaseException) -> None:
    """Keep an error of ours, with its traceback and those of its causes."""
    log.error(what, exc_info=(type(error), error, error.__traceback__))


def last_fault(folder: Path) -> str | None:
    """The line of the latest fault in the log of this folder, with the time; None where there was none."""
    for path in (folder / NAME, folder / f"{NAME}.1"):
        if path.exists() and (faults := FAULT.findall(path.read_text("utf-8", errors="replace"))):
            return faults[-1]
    return None


def without_contents(text: str) -> str:
    """A formatted traceback without what messages quote: places, lines of code, and the first line of each message.

    >>> print(without_contents('  File "a.py", line 1\\n    f()\\nE: x\\n  secret'))
      File "a.py", line 1
        f()
    E: x
    """
    kept: list[str] = []
    place = False  # the line before named one, and its code follows
    for line in text.splitlines():
        if line.startswith('  File "') or (place and line.startswith("    ")):
            kept.append(line)
        elif RAISED.fullmatch(line) or line.startswith(("Traceback", "The above", "During handling")):
            kept.append(line[:MESSAGE])
        place = line.startswith('  File "') or (place and line.startswith("    "))
    return "\n".join(kept)


def _add(handler: logging.Handler, level: int = logging.INFO) -> None:
    handler.setLevel(level)
    handler.setFormatter(_Formatter(LINE))
    log.addHandler(handler)
