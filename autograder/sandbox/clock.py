"""How long a submission takes, whatever runs beside it: time in which it waited for a processor does not count."""

import time
from collections.abc import Callable
from typing import Any

from autograder.sandbox import processes

WIDER = 5.0  # times a limit: what may pass on the wall while a submission waits for its turn
SHARE = 1.5  # processors that a submission may keep busy beside others
BURST = 0.5  # seconds of processor time beyond its share after which it goes behind everybody else
MOST = 0.8  # of a limit: who was at work, or asleep, for so long was late whatever ran beside it


class Clock:
    """The time of one request: the main process's own, or all the processor time that was used where that is more.

    Args:
        pid: the main process.
        below: returns all processes of the submission, as they are now; not asked where there is an account.
        seconds: the limit.
        account: returns the processor time of all its processes so far, including those that ended; None if that isn't
            counted here.
        machine: measures processes, as the module `processes` does.
        now: a clock that never goes back, in seconds.

    Attributes:
        used: seconds of processor time of all its processes.
        asleep: seconds in which every one of them slept.
    """

    def __init__(
        self,
        pid: int,
        below: Callable[[], list[int]],
        seconds: float,
        account: Callable[[], float | None] = lambda: None,
        machine: Any = processes,
        now: Callable[[], float] = time.monotonic,
    ):
        self.pid, self.seconds, self.account, self.machine, self.now = pid, seconds, account, machine, now
        spent = account()
        self.kept = spent is not None
        self.began = self.looked = self.now()
        self.deadline = self.began + WIDER * seconds
        self.seen: dict = {}
        self.before = machine.waited(pid), machine.busy(below(), self.seen) if spent is None else spent
        self.waited = self.used = self.asleep = self.beyond = 0.0

    def look(self, pids: list[int]) -> None:
        """Take note of what was used since the last look; one that used more than its share goes to the end."""
        now, used = self.now(), max(self.used, self._busy(pids) - self.before[1])
        self.waited = max(self.waited, self.machine.waited(self.pid) - self.before[0])
        self.asleep += (now - self.looked) * self.machine.asleep(pids)
        self.beyond = max(0.0, self.beyond + used - self.used - SHARE * (now - self.looked))
        self.looked, self.used = now, used
        if self.beyond > BURST:
            self.machine.yield_to_others(pids)

    def _busy(self, pids: list[int]) -> float:
        return (self.account() or 0.0) if self.kept else self.machine.busy(pids, self.seen)

    @property
    def elapsed(self) -> float:
        """Seconds, as far as the last look could tell."""
        return max(self.now() - self.began - self.waited, self.used)

    @property
    def by_itself(self) -> bool:
        """Was it late whatever ran beside it?"""
        return self.used + self.asleep > MOST * self.seconds


class NotebookTime:
    """What is left for the requests to come."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic):
        self.limit = self.seconds = seconds
        self.now, self.until, self.own = now, now() + WIDER * seconds, 0.0

    @property
    def left(self) -> float:
        """Seconds; at the wider limit, on the wall, none."""
        return min(self.seconds, self.until - self.now())

    def take(self, clock: Clock) -> None:
        """A request took this long."""
        self.seconds -= clock.elapsed
        self.own += clock.used + clock.asleep

    @property
    def by_itself(self) -> bool:
        """Was the notebook late whatever ran beside it?"""
        return self.own > MOST * self.limit
