"""The warm server: imports everything once, then forks once a submission.

It holds no answer and relays nothing: each submission gets a channel of its own from the judge, and the server
closes its copy as soon as it has forked. Started as
`python -I -S -c "…" MODE JSON` with its control socket as standard input.
"""

import os
import signal
import socket
import sys

from autograder.worker import isolate, kernel
from autograder.worker.channel import Channel, Closed, receive_descriptors
from autograder.worker.preload import preload, single_thread
from autograder.worker.shell import Shell
from autograder.worker.submission import Submission

DESCRIPTORS = 3  # channel, standard output, standard error


def main(mode: str) -> None:
    """Serve until the judge hangs up. `mode`: `nested`, `forked` or `once` (no fork: one submission only)."""
    control = take_control()
    exercises = preload()
    channel = Channel(control)
    trial = try_nesting() if mode == "nested" else {"nested": False}
    channel.send({"op": "ready", "exercises": exercises, "single_thread": single_thread(), **trial})
    while descriptors := receive_descriptors(control, DESCRIPTORS):
        control.setblocking(False)
        try:
            order, _ = channel.receive()
        except Closed:
            return
        if mode == "once":
            control.close()
            become_submission(descriptors, order, nested=False)
        code = run_forked(control, descriptors, order, nested=mode == "nested")
        channel.send({"op": "ended", "code": code})


def take_control() -> socket.socket:
    """The control socket came as standard input; nothing that runs later may find it there."""
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return control


def run_forked(control: socket.socket, descriptors: list[int], order: dict, nested: bool) -> int:
    """Fork a submission and outlive it; → how it ended, as `waitpid` tells it."""
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        control.close()
        isolate.die_with_parent()
        if nested:
            descend(descriptors)
        become_submission(descriptors, order, nested)
    for descriptor in descriptors:
        os.close(descriptor)
    code = os.waitpid(child, 0)[1]
    reap()
    return code


def descend(descriptors: list[int]) -> None:
    """Into namespaces of one's own: this process waits, its child, process 1 there, goes on."""
    isolate.enter_namespaces()
    child = os.fork()
    if child:
        for descriptor in descriptors:
            os.close(descriptor)
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    isolate.die_with_parent()


def become_submission(descriptors: list[int], order: dict, nested: bool) -> None:
    """Shut every door, then serve the judge; does not return."""
    try:
        os.setsid() if os.getpid() != os.getsid(0) else None
        if nested:
            isolate.private_mounts(order["files"])
        home = order["home"]
        os.makedirs(home, exist_ok=True)
        os.chdir(home)
        os.environ.update(HOME=home, TMPDIR=order["tmp"], IPYTHONDIR=f"{order['tmp']}/.ipython")
        channel, out, err = descriptors
        os.dup2(out, 1)
        os.dup2(err, 2)
        isolate.keep_only(*descriptors)
        limits = {name: order[name] for name in ("memory", "files", "processes", "seconds")}
        isolate.limit(**limits, counted=nested)
        isolate.renounce()
        Submission(Shell.instance(), socket.socket(fileno=channel), out, err).serve()
    except KeyboardInterrupt:
        pass
    finally:
        os._exit(0)


def try_nesting() -> dict:
    """Can a child have namespaces of its own here? → what could be had, and why not."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            isolate.enter_namespaces()
            if not os.fork():
                own_proc = isolate.private_mounts(1 << 20)
                isolate.renounce()
                os.write(writer, b"own /proc" if own_proc else b"no /proc")
                os._exit(0)
            os.wait()
        except BaseException as error:  # noqa: BLE001 (a child must not return into the server's code)
            os.write(writer, f"refused: {error}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        said = answers.read()
    os.waitpid(child, 0)
    return {"nested": said in ("own /proc", "no /proc"), "nesting": said or "refused"}


def reap() -> None:
    """Collect what the submission left behind; the judge kills it, this only buries it."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(sys.argv[1])
