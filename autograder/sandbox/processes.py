"""The processes below one process: who they are, what they use, and how to end them."""

import contextlib
import functools
import math
import os
import select
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
    """Memory of its own that `pid` has touched, in bytes, and its page tables; what it shares with its parent too."""
    return _kibibytes(f"/proc/{pid}/status", "RssAnon:", "RssShmem:", "VmPTE:")


def share(pid: int) -> int:
    """As `anonymous`, with each shared page divided among those that share it; slower."""
    if not (shared := _kibibytes(f"/proc/{pid}/smaps_rollup", "Pss_Anon:", "Pss_Shmem:")):
        return anonymous(pid)
    return shared + _kibibytes(f"/proc/{pid}/status", "VmPTE:")


def _kibibytes(path: str, *names: str) -> int:
    """The sum of some lines of a file of /proc, in bytes; 0 where it is not there."""
    with contextlib.suppress(OSError), open(path) as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith(names))
    return 0


def memory(pids: list[int], base: int, limit: int) -> int:
    """What `pids` use together, beyond the `base` that each inherited; exact only where it may pass `limit`."""
    bound = sum(max(0, anonymous(pid) - base) for pid in pids)
    return bound if bound <= limit else min(bound, sum(share(pid) for pid in pids))


def sockets(pid: int) -> int:
    """What the sockets of the network that `pid` is in may hold when they are full, in bytes: no process's memory."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/net/sockstat") as file:
        return int(file.readline().split()[2]) * _full_socket()
    return 0


@functools.cache
def _full_socket() -> int:
    """The kernel takes another message until the buffer is full, and messages of up to its size."""
    with contextlib.suppress(OSError), open("/proc/sys/net/core/wmem_default") as file:
        return 2 * int(file.read())
    return 2 * 212_992


def busy(pids: list[int], seen: dict) -> float:
    """Seconds of processor time of `pids`, and of what ended below them.

    The kernel adds the time of a child that is waited for to its parent's. If the parent ignores SIGCHLD, it is added
    nowhere, and the child counts with the time at which it was last seen. A child that was seen only once represents
    those that came and went between two calls: it counts for the time between them, less its wait for a processor.

    Args:
        seen: kept by the caller between calls, empty at the first.
    """
    own, children = {}, 0.0
    now = time.monotonic()
    between = now - seen.setdefault("looked", now)
    least = seen.setdefault("least", {})  # what each counts for when it is gone
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            own[pid] = times.user + times.system
            children += times.children_user + times.children_system
            least[pid] = 0.0 if pid in least else between * at_work(pid)
    before = seen.setdefault("children", children)
    last = seen.setdefault("own", {})
    last |= own
    gone = sum(max(seconds, least.get(pid, 0.0)) for pid, seconds in last.items() if pid not in own)
    seen["looked"] = now
    return sum(own.values()) + before + max(children - before, gone)


def waited(pid: int) -> float:
    """Seconds that `pid` was ready to run and had no processor; 0 where the system does not say."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[1]) / 1e9
    return 0.0


def at_work(pid: int) -> float:
    """Of the time in which `pid` wanted a processor, the share in which it had one; 1 where nobody knows."""
    with contextlib.suppress(OSError, IndexError, ZeroDivisionError), open(f"/proc/{pid}/schedstat") as file:
        had, waited_for, *_ = map(int, file.read().split())
        return had / (had + waited_for)
    return 1.0


def asleep(pids: list[int]) -> bool:
    """Does every thread of `pids` sleep: none runs, waits for a processor or for a disk? False where nobody knows."""
    states = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/stat") as file:
                    states.add(file.read().rpartition(")")[2].split()[0])
    return bool(states) and not states & {"R", "D"}


def yield_to_others(pids: list[int]) -> None:
    """Every thread of `pids`, and what it starts, runs only when nobody else wants to; there is no way back."""
    for pid in pids if hasattr(os, "SCHED_IDLE") else ():
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError):
                    os.sched_setscheduler(int(thread), os.SCHED_IDLE, os.sched_param(0))


def threads(pid: int) -> int:
    """How many threads `pid` has; 0 when it is gone."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).num_threads()
    return 0


def signal_to(pid: int, number: int) -> None:
    """Send a signal; a process that has ended is not an error."""
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
        wait_for_ends(alive, 0.005)
    return True


def wait_for_ends(pids: list[int], seconds: float) -> None:
    """Wait until all of `pids` have ended, or `seconds` have passed; a millisecond where the system can't tell."""
    until = time.monotonic() + seconds
    for pid in pids:
        try:
            ends = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        except (AttributeError, OSError):  # no such call in this Python, or on this system
            time.sleep(0.001)
            return
        poll = select.poll()
        poll.register(ends, select.POLLIN)
        poll.poll(math.ceil(1000 * max(0.0, until - time.monotonic())))
        os.close(ends)


def zombie(pid: int) -> bool:
    """Is `pid` dead already?"""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    return True
