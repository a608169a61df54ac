"""Many submissions at once: on this machine's processes, or on a running dask cluster."""

import ctypes
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from autograder.grading.task import close_workers

AHEAD = 2  # submissions waiting for each busy process: enough to keep it busy, few enough to keep memory flat


def local(task: Callable, submissions: Iterable[tuple[str, tuple]], jobs: int) -> Iterator[tuple[str, object]]:
    """Run `task(*arguments)` for each `(student, arguments)`; yield `(student, result)` as they finish.

    A result is the task's own, or the exception that ended it. When a process dies, whatever was under
    way is tried once more, each alone, so that one submission cannot take others with it.
    """
    suspects = []
    for student, arguments, outcome in _through_pool(task, submissions, jobs):
        if isinstance(outcome, BrokenProcessPool):
            suspects.append((student, arguments))
        else:
            yield student, outcome
    for suspect in suspects:
        for student, _, outcome in _through_pool(task, [suspect], 1):
            yield student, outcome


def _through_pool(task: Callable, submissions: Iterable, jobs: int) -> Iterator[tuple[str, tuple, object]]:
    waiting = iter(submissions)
    pool, running = None, {}
    try:
        while True:
            while len(running) < jobs * AHEAD and (entry := next(waiting, None)) is not None:
                pool = pool or ProcessPoolExecutor(jobs, initializer=_begin)
                running[pool.submit(task, *entry[1])] = entry
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                student, arguments = running.pop(future)
                error = future.exception()
                yield student, arguments, error if error else future.result()
            if any(isinstance(future.exception(), BrokenProcessPool) for future in finished):
                for student, arguments in running.values():
                    yield student, arguments, BrokenProcessPool()
                pool.shutdown(wait=False)
                pool, running = None, {}
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """A grading process leaves Ctrl-C to its parent, and on Linux dies when the parent does, however it dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    close_workers()
