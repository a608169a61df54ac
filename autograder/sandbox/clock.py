"""How long a submission takes, whatever runs beside it: time in which it waited for a processor does not count."""

import time
from collections.abc import Callable

from autograder.sandbox import processes

WIDER = 5.0  # times a limit: what may pass on the wall while a submission waits for its turn
SHARE = 1.5  # processors that a submission may keep busy beside others
BURST = 0.5  # seconds of processor time beyond its share after which it goes behind everybody else
MOST = 0.8  # of a limit: who was at work, or asleep, for so long was late whatever ran beside it


class Clock:
    """The time of one request: the main process's own, or all the processor time that was used where that is more.

    `account()` says what all its processes have used so far, also those that ended; None where nobody keeps account.

    Attributes:
        used: seconds of processor time of all its processes.
        asleep: seconds in which every one of them slept.
    """

    def __init__(self, pid: int, pids: list[int], seconds: float, account: Callable[[], float | None] = lambda: None):
        self.pid, self.seconds, self.account = pid, seconds, account
        self.kept = account() is not None
        self.began = self.looked = time.monotonic()
        self.deadline = self.began + WIDER * seconds
        self.seen: dict = {}
        self.before = processes.waited(pid), self._busy(pids)
        self.waited = self.used = self.asleep = self.beyond = 0.0

    def look(self, pids: list[int]) -> None:
        """Take note of what was used since the last look; one that used more than its share goes to the end."""
        now, used = time.monotonic(), max(self.used, self._busy(pids) - self.before[1])
        self.waited = max(self.waited, processes.waited(self.pid) - self.before[0])
        self.asleep += (now - self.looked) * processes.asleep(pids)
        self.beyond = max(0.0, self.beyond + used - self.used - SHARE * (now - self.looked))
        self.looked, self.used = now, used
        if self.beyond > BURST:
            processes.yield_to_others(pids)

    def _busy(self, pids: list[int]) -> float:
        return (self.account() or 0.0) if self.kept else processes.busy(pids, self.seen)

    @property
    def elapsed(self) -> float:
        """Seconds, as far as the last look could tell."""
        return max(time.monotonic() - self.began - self.waited, self.used)

    @property
    def by_itself(self) -> bool:
        """Was it late whatever ran beside it?"""
        return self.used + self.asleep > MOST * self.seconds


class NotebookTime:
    """What is left for the requests to come."""

    def __init__(self, seconds: float):
        self.limit = self.seconds = seconds
        self.until, self.own = time.monotonic() + WIDER * seconds, 0.0

    @property
    def left(self) -> float:
        """Seconds; at the wider limit, on the wall, none."""
        return min(self.seconds, self.until - time.monotonic())

    def take(self, clock: Clock) -> None:
        """A request took this long."""
        self.seconds -= clock.elapsed
        self.own += clock.used + clock.asleep

    @property
    def by_itself(self) -> bool:
        """Was the notebook late whatever ran beside it?"""
        return self.own > MOST * self.limit
