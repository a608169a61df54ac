"""What a try of an edited solution may cost: CPU time, and memory as far as the system can limit it."""

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.probes.haste import in_haste

MEMORY = 1 << 30  # bytes more than the process has: more than a case needs
SECONDS = 0.2  # in one case
_ends = [math.inf]


@contextmanager
def limited() -> Iterator[None]:
    """Whatever runs here runs in haste, with `SECONDS` and `MEMORY`, as far as the system can limit memory."""
    _ends.append(time.thread_time() + SECONDS)
    try:
        with in_haste(), _limited_memory():
            yield
    finally:
        _ends.pop()


@contextmanager
def memory_added() -> Iterator[None]:
    """The memory that is taken in here is added to what this process may have: no submission is to blame for it."""
    pages = Path("/proc/self/statm")
    if not pages.exists():
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = _size(pages)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        if soft != resource.RLIM_INFINITY:
            soft += max(_size(pages) - before, 0)
            resource.setrlimit(resource.RLIMIT_AS, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _size(pages: Path) -> int:
    """Bytes of addresses that this process has."""
    import resource

    return int(pages.read_text().split()[0]) * resource.getpagesize()


@contextmanager
def _limited_memory() -> Iterator[None]:
    pages = Path("/proc/self/statm")
    if not pages.exists():  # a system without RLIMIT_AS, or one that doesn't say what a process has
        yield
        return
    import resource  # which Windows doesn't have

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _size(pages) + MEMORY
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(most, *limits, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def some(items: Iterable) -> Iterator:
    """The items, until the time is over."""
    for item in items:
        if time.thread_time() > _ends[-1]:
            raise TimeoutError("an edit took too long")
        yield item
