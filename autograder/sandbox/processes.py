"""The processes below one process: who they are, what they use, and how to end them."""

import contextlib
import os
import signal
import time

import psutil


def children(pid: int) -> list[int]:
    """The children of every thread of `pid`."""
    if not os.path.isdir("/proc/self/task"):  # psutil looks at every process of the machine: 700 times slower
        return listed_children(pid)
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(child) for child in file.read().split()]
    return found


def listed_children(pid: int) -> list[int]:
    """The same where there is no /proc."""
    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(pid).children()]
    return []


def descendants(pid: int) -> list[int]:
    """Everything below `pid`, parents first, without `pid`."""
    found = children(pid)
    for parent in found:
        found += children(parent)
    return found


def leaf(pid: int) -> int:
    """The end of a chain of only children: past a launcher, a sandbox and its process 1."""
    while len(below := children(pid)) == 1:
        pid = below[0]
    return pid


def anonymous(pid: int) -> int:
    """Memory of its own that `pid` has touched, in bytes; pages shared with its parent count too."""
    total = 0
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith(("RssAnon:", "RssShmem:")):
                total += int(line.split()[1]) << 10
    return total


def share(pid: int) -> int:
    """As `anonymous`, with each shared page divided among those that share it; slower."""
    total = 0
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith(("Pss_Anon:", "Pss_Shmem:")):
                total += int(line.split()[1]) << 10
        return total
    return anonymous(pid)


def memory(pids: list[int], base: int, limit: int) -> int:
    """What `pids` use together, beyond the `base` that each inherited; exact only where it may pass `limit`."""
    bound = sum(max(0, anonymous(pid) - base) for pid in pids)
    return bound if bound <= limit else min(bound, sum(share(pid) for pid in pids))


def threads(pid: int) -> int:
    """How many threads `pid` has; 0 when it is gone."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).num_threads()
    return 0


def signal_to(pid: int, number: int) -> None:
    """Send a signal; a process that is gone is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def end_below(pid: int, patience: float = 5.0) -> bool:
    """Kill everything below `pid`, also what goes on forking; → whether nothing is left but zombies."""
    until = time.monotonic() + patience
    while alive := [child for child in descendants(pid) if not zombie(child)]:
        if time.monotonic() > until:
            return False
        for child in alive:
            signal_to(child, signal.SIGSTOP)
        for child in alive:
            signal_to(child, signal.SIGKILL)
        time.sleep(0.001)
    return True


def zombie(pid: int) -> bool:
    """Is `pid` dead already?"""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    return True
