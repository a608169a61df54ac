"""Servers that start while the judge is still being imported, for whichever grading process comes to want them.

`start` is called as early as it is known that there will be something to grade; the processes that are forked later
each `claim` one. A server that nobody claims goes when nobody holds its socket any more.
"""

import atexit
import contextlib
import multiprocessing
import os
from pathlib import Path

from autograder.sandbox import sandbox as sandboxes
from autograder.sandbox.server import Server, ServerFailed

waiting: list[Server] = []
released: list[Server] = []
tickets: list[int] = []  # the reading end of a pipe that holds a byte for each server: who reads it may have that one


def start(stripped_package: Path, sandbox: str | None, count: int) -> None:
    """Start `count` servers on a stripped package, and wait for none of them; where that cannot be, nothing happens."""
    forks = hasattr(os, "pidfd_open") and multiprocessing.get_start_method() == "fork"
    if tickets or not forks:
        return
    with contextlib.suppress(ServerFailed, OSError, RuntimeError):
        kind = sandboxes.choose(sandbox)
        mode = "nested" if kind == "bubblewrap" else "forked"
        waiting.extend(Server(stripped_package, 0, kind, mode) for _ in range(count))
    reader, writer = os.pipe()
    os.write(writer, bytes(range(len(waiting))))
    os.close(writer)
    tickets.append(reader)
    atexit.register(close)


def claim(stripped_package: Path, kind: str) -> Server | None:
    """A server on this stripped package, of this kind, that no other process has; this one lets go of the others."""
    if not tickets or not waiting:
        return None
    ticket = os.read(tickets[0], 1)
    mine = waiting[ticket[0]] if ticket else None
    let_go(mine)
    if mine is None:
        return None
    if (mine.stripped_package, mine.kind) == (stripped_package.resolve(), kind) and mine.alive():
        return mine
    mine.close()
    return None


def let_go(kept: Server | None = None) -> None:
    """This process wants none of those that wait, but the one that it has claimed."""
    others = [server for server in waiting if server is not kept]
    for server in others:
        server.control.close()
        server.log.close()
    released.extend(others)  # whoever claimed one ends it; `reap` hears of it
    waiting.clear()


def reap() -> None:
    """No process that could have claimed a server is left: end what is still there, and wait for all."""
    while released:
        released.pop().close()


def close() -> None:
    """End the servers that nobody claimed, where nothing was graded in the end."""
    while waiting:
        waiting.pop().close()
