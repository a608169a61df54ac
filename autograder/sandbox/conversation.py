"""The judge's half of the talk with one forked submission. Nothing that it hears may raise out of here."""

import secrets
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

from autograder.protocol.channel import BadFrame, Channel, Closed, Late, pair
from autograder.sandbox import processes
from autograder.sandbox.clock import Clock
from autograder.sandbox.limits import Limits
from autograder.sandbox.outputs import Outputs, Text, TooMuch
from autograder.sandbox.server import Server, ServerFailed

READY_SECONDS = 30.0
GRACE_SECONDS = 1.0
WATCH_SECONDS = 0.05
SLACK = 32 << 20
MAX_HEARD = 256 << 20  # bytes from one fork


class OverLimit(Exception):
    """The submission passed a limit that only the judge can see; its argument is the limit's name."""


class Conversation:
    """One fork: ask it for a cell or a probe, hear what comes, end it. `alive` is False once it is lost."""

    def __init__(self, server: Server, limits: Limits, scratch: Path):
        self.server, self.limits = server, limits
        self.text, self.alive, self.watched = Text(), False, 0.0
        mine, theirs = pair()
        self.channel = Channel(mine)
        with theirs:
            server.submit([theirs.fileno(), *self.text.descriptors()], limits, scratch)
        self._greet()
        self.pid = processes.leaf(server.pid)
        self.alive = True

    def _greet(self) -> None:
        """Before this frame no student code has run: what goes wrong up to here is the machinery's failure."""
        try:
            header, _ = self.channel.receive(time.monotonic() + READY_SECONDS)
            if header.get("op") == "ready":
                self.server.weigh()
                return
            why = "it sent a message out of turn"
        except (BadFrame, Closed, Late) as error:
            why = f"{type(error).__name__} {error} {self.text.last_words()}"
        self.end()
        raise ServerFailed(f"a submission could not start: {why}")

    def ask(
        self, request: dict, tensors: dict | None, seconds: float, outputs: Outputs, hear: Callable
    ) -> tuple[str, str | None]:
        """Send `request` and hear every frame until `done`; → (status, name of the limit it hit).

        `seconds` are the submission's own, as `clock` counts them.

        status: what the worker said in `done`, or `timeout` (it could be interrupted, or is lost), `crashed`
        (lost), `malformed` (lost, and not to be trusted again).
        """
        self.token, self.late = secrets.token_hex(8), False
        account = self.server.account
        assert account is not None, "a server that is ready has one"
        self.clock = Clock(self.pid, self.server.below, seconds, account.seconds)
        deadline = self.clock.deadline
        said = False
        try:
            self.refuse_early_frames()
            self.channel.send({**request, "token": self.token}, tensors, deadline, self._watch)
            said = True
            return self._listen(deadline, outputs, hear), None
        except Late:
            self._interrupt(outputs) if said else self._lose(outputs)
            return "timeout", None
        except TooMuch:
            self._lose(outputs)
            return "crashed", "output"
        except BadFrame:
            self._lose(outputs)
            return "malformed", None
        except Closed:
            self._lose(outputs)
            return "crashed", None
        except OverLimit as over:
            self._lose(outputs)
            return "crashed", str(over)

    def _listen(self, deadline: float, outputs: Outputs, hear: Callable) -> str:
        while True:
            header, tensors = self.channel.receive(deadline, self._watch)
            if header.get("token") != self.token:
                raise BadFrame("a frame does not carry the token of its request")
            outputs.advance(header.get("at"))
            if self.channel.received > MAX_HEARD:
                raise TooMuch("it sent more than the limit")
            if header.get("op") == "done":
                if header.get("status") not in ("ok", "error", "interrupted", "missing"):
                    raise BadFrame("a frame does not say how the cell ended")
                return "error" if header["status"] == "interrupted" else header["status"]
            if header.get("op") in ("output", "clear"):
                outputs.add(header)
            else:
                hear(header, tensors)
            self._watch()

    def _interrupt(self, outputs: Outputs) -> None:
        """Time is up: ask politely, wait a moment, and give it up if that did not help."""
        self.late = True
        processes.signal_to(self.pid, signal.SIGINT)
        try:
            self._listen(time.monotonic() + GRACE_SECONDS, outputs, _too_late)
        except (Late, BadFrame, Closed, OverLimit):
            self._lose(outputs)

    def refuse_early_frames(self) -> None:
        if self.channel.pending():
            if not self.channel.sock.recv(1, socket.MSG_PEEK):
                raise Closed("the submission's process has ended")
            raise BadFrame("the submission sent a message before it was asked")

    def _watch(self) -> None:
        """Called while waiting: are all its processes together within the limits?"""
        now = time.monotonic()
        if now - self.watched < WATCH_SECONDS:
            return
        self.watched = now
        pids = self.server.below()
        self.clock.look(pids)
        if sum(processes.threads(pid) for pid in pids) > self.limits.processes + len(("fork", "init")):
            raise OverLimit("processes")
        room = self.limits.memory + SLACK - (processes.sockets(self.pid) if self.server.kind == "bubblewrap" else 0)
        if processes.memory(pids, self.server.base, room) > room:
            raise OverLimit("memory")
        if self.clock.elapsed > self.clock.seconds and not self.late:
            raise Late

    def _lose(self, outputs: Outputs) -> None:
        """Take the text that is left, and kill what is left."""
        outputs.advance()
        self.alive = False
        processes.end_below(self.server.pid)

    def end(self) -> None:
        """Hang up, and bury what is left of it."""
        self.channel.close()
        self.text.close()
        self.server.end_submission()


def _too_late(header: dict, tensors: dict) -> None:
    """What arrives after the deadline does not count."""
