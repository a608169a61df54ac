"""One submission as a task: bytes in, a plain result out. Runs in a grading process, here or on another machine."""

import atexit
import contextlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path

import nbformat

from autograder.grading.allowance import TooCostly, limited
from autograder.grading.context import Context
from autograder.grading.records import Records
from autograder.grading.submission import Graded, grade, sanitised, unreadable
from autograder.sandbox.session import Worker

TOO_MUCH = "Reading and judging it took more memory or time than one submission may use; please check it."

_workers: dict[tuple, Worker] = {}


def grade_bytes(
    context: Context, data: bytes, folder: Path | None = None, refused: tuple[str, ...] = (), again: bool = False
) -> dict:
    """Grade a submitted file, or take the result from the records in `folder` when it has been graded before.

    With `refused`, sentences that say why, there is no file to grade; `again` looks into no records.

    Returns:
        `{"submission": as in --json, without the student, "notebook": the text of the graded one or None,
        "timed_out": did anything in it, "disputed": perhaps through what ran beside it, "twice": is it the second time
        that it was not}`.
        Nothing that a submission does makes this raise.
    """
    try:
        with limited():
            notebook, repairs, flags = (None, [], list(refused)) if refused else sanitised(data, context)
            if notebook is None:
                return _plain(unreadable(context, flags), repairs, [])
            result = _result(context, notebook, folder, again)
    except (MemoryError, TooCostly):
        close_workers(threading.get_ident())  # nobody knows where it was stopped
        return _plain(unreadable(context, [TOO_MUCH]))
    submission = result["submission"]
    submission["repairs"], submission["flags"] = repairs + submission["repairs"], flags + submission["flags"]
    return result


def _result(context: Context, notebook: nbformat.NotebookNode, folder: Path | None, again: bool = False) -> dict:
    """From the records, or graded now and kept there; a timeout is kept only if it is the second on its own."""
    if folder is None:
        return _plain(grade(notebook, context, worker_for(context)))
    records = Records(folder, context.stage, context.digest)
    key = records.key(json.dumps(notebook, sort_keys=True))
    if not again and (kept := records.result(key)) is not None:
        return kept
    result = _plain(grade(notebook, context, worker_for(context)))
    if result["submission"]["status"] != "ungradable":
        with contextlib.suppress(OSError):  # it only saves time; who writes the grades says what the disk refuses
            result["twice"] = records.late_again(key, result["timed_out"] and not result["disputed"])
            if result["twice"] or not result["timed_out"]:
                records.keep(key, result)
    return result


def worker_for(context: Context) -> Worker:
    """The warm worker of this thread for a context. Courses share it: the name of a package says what is in it."""
    thread = threading.get_ident()
    key = (thread, context.stripped_package.name, context.limits.files, context.sandbox)
    if key not in _workers or not _workers[key].stripped_package.is_dir():
        close_workers(thread)
        _workers[key] = Worker(context.stripped_package, context.limits, context.sandbox)
    _workers[key].limits = context.limits  # the server has only the one on files; each submission gets the others
    return _workers[key]


def close_workers(thread: int | None = None) -> None:
    """End every worker of this process, or of one of its threads."""
    for key in [key for key in _workers if thread in (None, key[0])]:
        _workers.pop(key).close()


atexit.register(close_workers)


def _plain(graded: Graded, repairs: Sequence[str] = (), flags: Sequence[str] = ()) -> dict:
    submission = graded.as_json("")
    submission["repairs"] = [*repairs, *submission["repairs"]]
    submission["flags"] = [*flags, *submission["flags"]]
    text = nbformat.writes(graded.notebook) if graded.notebook else None
    timeouts = {"timed_out": graded.timed_out, "disputed": graded.disputed, "twice": False}
    return {"submission": submission, "notebook": text} | timeouts
