"""The last limit on what a submission may cost the grader itself, in case every smaller limit fails."""

import contextlib
import resource
import signal
import threading
from collections.abc import Iterator

SECONDS = 60.0  # of the grading process's own processor time, a submission
MEMORY = 768 << 20  # bytes of addresses, beyond what a grading process begins with


class TooCostly(Exception):
    """A submission took more of the grader's own time than any honest one could."""


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Inside, `TooCostly` after `seconds` of processor time; only the main thread has such a clock."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory() -> None:
    """Allow this process `MEMORY` more from now on; beyond it, a MemoryError. Workers remove this limit again."""
    with contextlib.suppress(OSError, ValueError), open("/proc/self/statm") as file:
        used = resource.getpagesize() * int(file.read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _stop(*_: object) -> None:
    raise TooCostly
