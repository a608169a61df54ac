"""Many submissions at once, in processes of this machine."""

import ctypes
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain
from multiprocessing import active_children, parent_process

from autograder.grading.allowance import limit_memory
from autograder.grading.task import close_workers

AHEAD = 2  # submissions waiting for each busy process: enough to keep it busy, few enough to keep memory flat


def local(task: Callable, submissions: Iterable[tuple[str, tuple]], jobs: int) -> Iterator[tuple[str, object]]:
    """Run `task(*arguments)` for each `(student, arguments)`; iterate over `(student, result)` as they finish.

    The first ones are under way when this returns. A result is the task's own, or the exception that ended
    it. When a process dies, whatever was under way is tried once more, each alone, so that one submission
    cannot take others with it.
    """
    outcomes = _outcomes(task, submissions, jobs)
    next(outcomes, None)
    return outcomes


def _outcomes(task: Callable, submissions: Iterable, jobs: int) -> Iterator:
    """None when the first ones are under way; then what comes back."""
    suspects = []
    with tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as scratch:
        for entry, outcome in _through_pool(task, submissions, jobs, scratch):
            if entry is None:
                yield None
            elif isinstance(outcome, BrokenProcessPool):
                suspects.append(entry)
            else:
                yield entry[0], outcome
        for suspect in suspects:
            yield from ((entry[0], outcome) for entry, outcome in _through_pool(task, [suspect], 1, scratch) if entry)


def _through_pool(task: Callable, submissions: Iterable, jobs: int, scratch: str) -> Iterator[tuple]:
    """Pool after pool, each until all is done or a process of it dies: then all that was under way is suspect."""
    waiting, under_way = iter(submissions), False
    while (first := next(waiting, None)) is not None:
        with _pool(jobs, scratch) as pool:
            running = {}
            waiting = chain([first], waiting)
            _fill(pool, task, waiting, jobs * AHEAD, running)
            if not under_way:
                under_way = True
                yield None, None
            yield from _until_broken(pool, task, waiting, jobs * AHEAD, running)


def _until_broken(pool: ProcessPoolExecutor, task: Callable, waiting: Iterator, room: int, running: dict) -> Iterator:
    broken = False
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            entry, error = running.pop(future), future.exception()
            broken = broken or isinstance(error, BrokenProcessPool)
            yield entry, error or future.result()
        if not broken:
            _fill(pool, task, waiting, room, running)


def _fill(pool: ProcessPoolExecutor, task: Callable, waiting: Iterator, room: int, running: dict) -> None:
    """Give the pool what it has room for; what a pool that has just broken refuses counts as broken by it."""
    while len(running) < room and (entry := next(waiting, None)) is not None:
        try:
            future = pool.submit(task, *entry[1])
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        running[future] = entry


@contextmanager
def _pool(jobs: int, scratch: str) -> Iterator[ProcessPoolExecutor]:
    """Grading processes. Whoever leaves in the middle (Ctrl-C) waits for no submission that is under way."""
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(scratch,))
    try:
        yield pool
    except BaseException:
        for child in set(active_children()) - others:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(scratch: str) -> None:
    """A grading process leaves Ctrl-C to its parent, and on Linux dies when the parent does, however it dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if not parent_process().is_alive():
            os._exit(1)  # it died before that was said
    tempfile.tempdir = scratch
    limit_memory()
    close_workers()
