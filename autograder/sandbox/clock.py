"""How long a submission takes, whatever runs beside it: time in which it waited for a processor does not count."""

import math
import time

from autograder.sandbox import processes

WIDER = 5.0  # times a limit: what may pass on the wall while a submission waits for its turn
SHARE = 1.5  # processors that a submission may keep busy beside others
BURST = 0.5  # seconds of processor time beyond its share after which it goes behind everybody else
MOST = 0.8  # of a limit: who was at work for so long was late whatever the others did


class Clock:
    """The time of one request: the main process's own, or all the processor time that was used where that is more."""

    def __init__(self, pid: int, pids: list[int], seconds: float):
        self.pid, self.seconds = pid, seconds
        self.began = self.looked = time.monotonic()
        self.deadline = self.began + WIDER * seconds
        self.before, self.busy = processes.waited(pids), processes.busy(pids)
        self.waited = dict(self.before)  # thread → seconds, also of those that have ended
        self.used = self.beyond = 0.0

    def look(self, pids: list[int]) -> None:
        """Take note of what was used since the last look; whoever takes more than a share goes to the end."""
        now, used = time.monotonic(), max(self.used, processes.busy(pids) - self.busy)
        self.waited |= processes.waited(pids)
        self.beyond = max(0.0, self.beyond + used - self.used - SHARE * (now - self.looked))
        self.looked, self.used = now, used
        if self.beyond > BURST:
            processes.yield_to_others(pids)

    @property
    def elapsed(self) -> float:
        """Seconds, as far as the last look could tell."""
        return max(time.monotonic() - self.began - self._kept_waiting(self.pid), self.used)

    @property
    def lost(self) -> float:
        """Seconds that all its threads together waited for a processor; infinity where the system does not say."""
        return sum(map(self._kept_waiting, self.waited)) if self.pid in self.waited else math.inf

    @property
    def by_itself(self) -> bool:
        """Was it late whatever ran beside it?"""
        return late_by_itself(self.used, self.lost, self.seconds)

    def _kept_waiting(self, thread: int) -> float:
        return self.waited.get(thread, 0.0) - self.before.get(thread, 0.0)


class NotebookTime:
    """What is left for the requests to come."""

    def __init__(self, seconds: float):
        self.limit = self.seconds = seconds
        self.until, self.used, self.lost = time.monotonic() + WIDER * seconds, 0.0, 0.0

    @property
    def left(self) -> float:
        """Seconds; at the wider limit, on the wall, none."""
        return min(self.seconds, self.until - time.monotonic())

    def take(self, clock: Clock) -> None:
        """A request took this long."""
        self.seconds -= clock.elapsed
        self.used += clock.used
        self.lost += clock.lost

    @property
    def by_itself(self) -> bool:
        """Was the notebook late whatever ran beside it?"""
        return late_by_itself(self.used, self.lost, self.limit)


def late_by_itself(used: float, lost: float, limit: float) -> bool:
    """It was at work for most of the time, or it slept while none of its threads waited for long."""
    return used > MOST * limit or lost < (1 - MOST) * limit
