"""One submission, in a process of its own: run cells, run probes, answer in frames.

What student code can reach from here is worth nothing to it: no answer, no later case, no other submission.
"""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from types import FrameType

from IPython.core.interactiveshell import ExecutionResult

from autograder.probes.run import describe, probe_of, run_case, seeds_kept
from autograder.probes.torch.state import bring_back, note_state
from autograder.probes.torch.track import follow_threads
from autograder.protocol.channel import BadFrame, Channel, Closed
from autograder.stages import name_of
from autograder.worker.kernel import libc
from autograder.worker.shell import Shell, take_over_streams


class Interrupt:
    """SIGINT as KeyboardInterrupt, but only inside student code and never in the middle of a frame."""

    def __init__(self) -> None:
        self.armed = self.sending = self.pending = False
        signal.signal(signal.SIGINT, self)

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        if self.sending:
            self.pending = True
        elif self.armed:
            self.armed = False
            raise KeyboardInterrupt

    def arm(self) -> None:
        signal.signal(signal.SIGINT, self)
        self.pending, self.armed = False, True

    def disarm(self) -> None:
        self.armed = False


class Submission:
    """The worker's half of the conversation."""

    def __init__(self, shell: Shell, sock: socket.socket, out: int, err: int):
        self.shell, self.channel = shell, Channel(sock)
        self.out, self.err = os.dup(out), os.dup(err)
        self.pid = os.getpid()
        self.interrupt, self.token, self.lock = Interrupt(), None, threading.RLock()
        self.held: dict[str, dict] = {}  # exercise → the page's names at its test cell

    def serve(self) -> None:
        """Answer until the judge closes the channel."""
        take_over_streams()
        follow_threads()
        self.shell.emit = self.emit
        answer = {"cell": self.run_cell, "probe": self.run_probe}
        self.send({"op": "ready"})
        while True:
            try:
                header, tensors = self.channel.receive()
            except Closed:
                return
            self.token = header["token"]
            self.held |= {name: self.names() for name in header.get("hold", ())}
            answer[header["op"]](header, tensors)

    def run_cell(self, header: dict, _: dict) -> None:
        """Execute one cell; outputs have been sent by the time `done` is."""
        self.guard(lambda: self.shell.run_cell(header["source"], store_history=True))

    def names(self) -> dict:
        """What the names of the page mean now, and torch's own state."""
        return {"names": dict(self.shell.user_ns), "torch": note_state()}

    def run_probe(self, header: dict, tensors: dict) -> None:
        """Take the object that had this name at the test cell and run its probe on every case, one frame per case."""
        exercise, cases = header["exercise"], split_cases(header["cases"], tensors)
        held = self.held[exercise]
        self.shell.user_ns.clear()
        self.shell.user_ns.update(held["names"])
        bring_back(held["torch"])
        if name_of(exercise) not in self.shell.user_ns:
            self.send({"op": "done", "status": "missing"})
            return
        self.guard(lambda: self.run_cases(exercise, cases))

    def run_cases(self, exercise: str, cases: dict) -> None:
        student, probe = self.shell.user_ns[name_of(exercise)], probe_of(exercise)
        with seeds_kept():
            for name, case in cases.items():
                try:
                    record = run_case(probe, student, case)
                except KeyboardInterrupt:
                    raise
                except BaseException as error:  # noqa: BLE001 (SystemExit, or one of their own)
                    record = {"error": describe(error), "calls": []}
                self.send_case(name, record)

    def send_case(self, name: str, record: dict) -> None:
        tensors = record.pop("tensors", None)
        header = {"op": "case", "name": name, **record}
        try:
            self.send(header, tensors)
        except (BadFrame, TypeError, ValueError, KeyError) as error:
            message = f"the result cannot be sent to the judge: {str(error)[:500]}"
            self.send({"op": "case", "name": name, "error": {"type": "NotATensor", "message": message}, "calls": []})

    def guard(self, work: Callable[[], ExecutionResult | None]) -> None:
        """Do `work`, which is student code, and say how it ended whatever it raised."""
        began = time.perf_counter()
        try:
            status = self.attempt(work)
        except KeyboardInterrupt:
            status = "interrupted"
        except BaseException:  # noqa: BLE001 (student code may raise anything at all)
            status = "error"
        self.send({"op": "done", "status": status, "seconds": time.perf_counter() - began})

    def attempt(self, work: Callable[[], ExecutionResult | None]) -> str:
        try:
            self.interrupt.arm()
            result = work()
        finally:
            self.interrupt.disarm()
        if result is None or result.success:
            return "ok"
        error = result.error_before_exec or result.error_in_exec
        return "interrupted" if isinstance(error, KeyboardInterrupt) else "error"

    def emit(self, header: dict) -> None:
        """An output of the running cell; dropped when none runs."""
        with self.lock:
            if self.token is not None:
                self.send(header)

    def send(self, header: dict, tensors: dict | None = None) -> None:
        """One frame, whole, with the sizes of the two text files at this moment."""
        if os.getpid() != self.pid:
            os._exit(0)  # a copy that student code forked must not answer for the original
        with self.lock:
            self.interrupt.sending = True
            try:
                libc.fflush(None)  # text that C code holds back
                at = [os.fstat(self.out).st_size, os.fstat(self.err).st_size]
                self.channel.send({**header, "token": self.token, "at": at}, tensors)
                self.token = None if header["op"] == "done" else self.token
            finally:
                self.interrupt.sending = False
        if self.interrupt.pending and self.interrupt.armed:
            self.interrupt.pending = self.interrupt.armed = False
            raise KeyboardInterrupt


def split_cases(settings: list, tensors: dict) -> dict[str, dict]:
    """`[[case, settings], …]` and `"number|path" → array` as `{case: {"tensors", "settings"}}`."""
    cases = [{"tensors": {}, "settings": given} for _, given in settings]
    for key, array in tensors.items():
        number, _, path = key.partition("|")
        cases[int(number)]["tensors"][path] = array
    return {name: case for (name, _), case in zip(settings, cases, strict=True)}
