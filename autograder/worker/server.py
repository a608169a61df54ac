"""The warm server: imports everything once, then forks once a submission.

It holds no answer and relays nothing: each submission gets a channel of its own from the judge, and the server
closes its copy as soon as it has forked. Its control socket comes as standard input.
"""

import contextlib
import os
import select
import socket
import traceback

from autograder.protocol.channel import Channel, Closed, receive_descriptors
from autograder.worker import isolate, kernel
from autograder.worker.preload import Preload, single_thread

DESCRIPTORS = 3  # channel, standard output, standard error
MANY = 12  # submissions that together lose as much to small pages as it takes to move to huge ones


def main(mode: str) -> None:
    """Serve until the judge hangs up. `mode`: `nested`, `forked` or `once` (no fork: one submission only)."""
    control = take_control()
    preload = Preload()
    exercises = preload.needed()
    channel = Channel(control)
    nesting = isolate.try_nesting() if mode == "nested" else {"nested": False}
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # nobody of the same user may look into the server or change it
    with contextlib.suppress(Closed):  # who started it ahead of time may want it no more
        channel.send({"op": "ready", "exercises": exercises, "single_thread": single_thread(), **nesting})
    served = 0
    while descriptors := receive_descriptors(control, DESCRIPTORS):
        try:
            order, _ = channel.receive()
        except Closed:
            return
        if served:  # a second one: there will be more
            preload.usual()
        if served == MANY:
            kernel.use_huge_pages()
        order["limits"]["used"] = isolate.size()
        if mode == "once":
            control.close()
            become_submission(descriptors, order, nested=False)
        if not run_forked(control, descriptors, order, nested=mode == "nested"):
            return
        served += 1
        channel.send({"op": "ended"})


def take_control() -> socket.socket:
    """The control socket came as standard input; nothing that runs later may find it there."""
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return control


def run_forked(control: socket.socket, descriptors: list[int], order: dict, nested: bool) -> bool:
    """Fork a submission and outlive it; → whether the judge is still there.

    A judge that was killed hangs up: then the submission dies too, whatever it is doing.
    """
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        control.close()
        become_submission(descriptors, order, nested)
    for descriptor in descriptors:
        os.close(descriptor)
    gone = wait_for(child, control)
    isolate.end_children()
    return not gone


def wait_for(child: int, control: socket.socket) -> bool:
    """Until `child` has ended or the judge hangs up; → whether it was the judge."""
    if not hasattr(os, "pidfd_open"):
        os.waitpid(child, 0)
        return False
    ended = os.pidfd_open(child)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(control, select.POLLIN)
    ready = [descriptor for descriptor, _ in poll.poll()]
    os.close(ended)
    return ended not in ready


def become_submission(descriptors: list[int], order: dict, nested: bool) -> None:
    """Shut every door, then serve the judge; does not return."""
    from autograder.worker.shell import Shell
    from autograder.worker.submission import Submission

    try:
        channel, out, err = descriptors
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
        isolate.die_with_parent()
        os.dup2(out, 1)
        os.dup2(err, 2)
        isolate.keep_only(*descriptors)
        if nested:
            descend(descriptors)
            isolate.private_mounts(order["limits"]["files"])
        settle(order["home"], order["tmp"])
        isolate.limit(**order["limits"])
        isolate.renounce()
        Submission(Shell.instance(), socket.socket(fileno=channel), out, err).serve()
    except Exception:  # noqa: BLE001 (the judge reads this where it says why a submission could not start)
        traceback.print_exc()
    finally:
        os._exit(0)


def descend(descriptors: list[int]) -> None:
    """Enter new namespaces: this process waits, its child, process 1 there, continues."""
    isolate.enter_namespaces()
    isolate.die_with_parent()  # new credentials made the kernel forget it
    child = os.fork()
    if child:
        for descriptor in descriptors:
            os.close(descriptor)
        os.waitpid(child, 0)
        os._exit(0)
    isolate.die_with_parent()


def settle(home: str, tmp: str) -> None:
    """A separate session and working directory."""
    if os.getsid(0) != os.getpid():
        os.setsid()
    os.makedirs(home, exist_ok=True)
    os.chdir(home)
    os.environ.update(HOME=home, TMPDIR=tmp, IPYTHONDIR=f"{tmp}/.ipython", MPLCONFIGDIR=f"{tmp}/.matplotlib")
