"""Many submissions at once, in processes of this machine."""

import atexit
import signal
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import chain
from multiprocessing import active_children
from typing import TypeVar

from autograder.die_with_parent import die_with_parent
from autograder.grading.allowance import limit_memory
from autograder.grading.task import close_workers
from autograder.logs import log
from autograder.sandbox import ahead

Key = TypeVar("Key")  # what tells the submissions apart
Outcome = dict | BaseException  # what the task returned, or what ended it
AHEAD = 2  # submissions waiting for each busy process: enough to keep it busy, few enough to keep memory flat


def local(
    task: Callable, submissions: Iterable[tuple[Key, tuple]], jobs: int
) -> Generator[tuple[Key, Outcome], None, None]:
    """Run `task(*arguments)` for each `(key, arguments)`; iterate over `(key, result)` as they finish.

    The first ones are under way when this returns. A result is the task's own, or the exception that ended
    it. When a process dies, whatever was under way is tried again, one at a time, so that one submission
    cannot take others with it.
    """
    outcomes = _outcomes(task, submissions, jobs)
    next(outcomes, None)
    return outcomes


_warm: list[tuple[Executor, ExitStack]] = []  # the pool that is kept, if there is one


def kept_warm(
    task: Callable, submissions: Iterable[tuple[Key, tuple]], jobs: int
) -> Generator[tuple[Key, Outcome], None, None]:
    """As `local`, one at a time, in a process that is kept for the next call: for a server that grades at a click."""
    for student, arguments in submissions:
        try:
            outcome = _warm_pool().submit(task, *arguments).result()
        except BrokenProcessPool:
            end_warm()
            yield from local(task, [(student, arguments)], 1)
            continue
        except Exception as error:  # noqa: BLE001 (the task's own, for whoever asked)
            outcome = error
        except BaseException:
            end_warm()
            raise
        yield student, outcome


def _warm_pool() -> Executor:
    if not _warm:
        stack = ExitStack()
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True))
        _warm.append((stack.enter_context(_pool(1, scratch)), stack))
    return _warm[0][0]


def end_warm() -> None:
    """End the process that `kept_warm` keeps; the next call starts another."""
    while _warm:
        _warm.pop()[1].close()


atexit.register(end_warm)


def _outcomes(task: Callable, submissions: Iterable, jobs: int) -> Generator:
    """Yield None once the first submissions are under way; then the results."""
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
            running: dict[Future, tuple] = {}
            waiting = chain([first], waiting)
            _fill(pool, task, waiting, jobs * AHEAD, running)
            ahead.let_go()  # whoever is to have one was forked by now
            if not under_way:
                under_way = True
                yield None, None
            yield from _until_broken(pool, task, waiting, jobs * AHEAD, running)


def _until_broken(pool: Executor, task: Callable, waiting: Iterator, room: int, running: dict) -> Iterator:
    broken = False
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            entry, error = running.pop(future), future.exception()
            broken = broken or isinstance(error, BrokenProcessPool)
            yield entry, error or future.result()
        if not broken:
            _fill(pool, task, waiting, room, running)


def _fill(pool: Executor, task: Callable, waiting: Iterator, room: int, running: dict) -> None:
    """Fill the pool; a submission that a broken pool refuses counts as one that it broke on."""
    while len(running) < room and (entry := next(waiting, None)) is not None:
        try:
            future = pool.submit(task, *entry[1])
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        running[future] = entry


@contextmanager
def _pool(jobs: int, scratch: str) -> Iterator[Executor]:
    """Grading processes. On Ctrl-C it doesn't wait for submissions that are running."""
    others = set(active_children())
    pool = _processes_or_threads(jobs, scratch)
    try:
        yield pool
    except BaseException:
        for child in set(active_children()) - others:
            child.kill()
        _hang_up(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        ahead.reap()


def _hang_up(pool: Executor) -> None:
    """Tell the pool's own thread that no more results will come.

    A process that is killed while it sends a result leaves half of it in the pipe. The thread would wait for the rest
    as long as anyone holds the writing end open, and this process does.
    """
    if results := getattr(pool, "_result_queue", None):
        results._writer.close()


def _processes_or_threads(jobs: int, scratch: str) -> Executor:
    """Processes; threads where /dev/shm is missing or full: a pool of processes keeps its semaphores there.

    What a submission runs is in a process of its own either way. Threads lack only the second net around the judge:
    the limits of `autograder.grading.allowance`.
    """
    try:
        return ProcessPoolExecutor(jobs, initializer=_begin, initargs=(scratch,))
    except OSError as error:
        log.warning("grading in threads, because this machine has no semaphores: %s", error)
        ahead.close()  # only processes can share those
        return ThreadPoolExecutor(jobs)


def _begin(scratch: str) -> None:
    """Set up a grading process: it ignores Ctrl-C, and dies with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    tempfile.tempdir = scratch
    limit_memory()
    close_workers()
