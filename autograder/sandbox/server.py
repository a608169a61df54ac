"""One warm worker server, seen from outside: start it, wait for it, ask it for a submission, watch it, end it."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from autograder.protocol.channel import BadFrame, Channel, Closed, Late, pair, send_descriptors
from autograder.sandbox import processes, sandbox
from autograder.sandbox.accounts import Account
from autograder.sandbox.limits import Limits

START_SECONDS = 120.0
END_SECONDS = 10.0


class ServerFailed(Exception):
    """The machinery failed, not the submission."""


class Server:
    """A process with everything imported that forks once a submission (`mode` "once": serves one, unforked)."""

    def __init__(self, stripped_package: Path, files: int, kind: str, mode: str):
        self.stripped_package, self.kind, self.mode = stripped_package.resolve(), kind, mode
        self.scratch = Path("/tmp") if kind == "bubblewrap" else sandbox.scratch_directory("worker-", kind)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the server)
        self.process: subprocess.Popen | None = None
        self.account: Account | None = None
        try:
            self._start(files)
        except BaseException:
            self.close()
            raise

    def _start(self, files: int) -> None:
        command = sandbox.worker_command(self.stripped_package, self.mode, self.kind, self.scratch, files)
        mine, theirs = pair()
        self.control = Channel(mine)
        with theirs:
            self.process = subprocess.Popen(
                command.arguments,
                env=command.environment,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self.log,
                cwd="/",
                start_new_session=True,
                user=command.user,
                group=command.user,
                extra_groups=None if command.user is None else [],
            )

    def wait_until_ready(self) -> None:
        """Until everything that a first submission needs is imported; a `ServerFailed` where that cannot be had."""
        try:
            self.hello = self._hear(time.monotonic() + START_SECONDS)
            if self.hello.get("op") != "ready":
                raise ServerFailed("the worker server sent a message out of turn")
        except BaseException:
            self.close()
            raise
        assert self.process is not None
        self.pid = processes.leaf(self.process.pid)
        self.account = Account(self.pid)  # before anything is forked
        self.weigh()

    def weigh(self) -> None:
        """Note what every fork begins with: more, once the server has imported what most pages use."""
        self.base = processes.anonymous(self.pid)

    def _hear(self, deadline: float) -> dict:
        try:
            return self.control.receive(deadline)[0]
        except (BadFrame, Closed, Late) as error:
            why = self.last_words() or f"{type(error).__name__} {error}"
            raise ServerFailed(f"the worker server did not start, or it stopped: {why}") from None

    def submit(self, descriptors: list[int], limits: Limits, scratch: Path) -> None:
        """Ask for a fork that talks on `descriptors` (channel, standard output, standard error)."""
        inside = self.kind == "bubblewrap"
        order = {
            "limits": {
                "memory": limits.memory,
                "files": limits.files,
                "processes": limits.processes,
                "seconds": limits.notebook_seconds,
                "counted": inside,
            },
            "tmp": "/tmp" if inside else str(scratch),
            "home": "/tmp/notebook" if inside else str(scratch / "notebook"),
        }
        try:
            send_descriptors(self.control.sock, descriptors)
            self.control.send(order, deadline=time.monotonic() + END_SECONDS)
        except (OSError, Closed, Late) as error:
            raise ServerFailed(f"the worker server has ended: {self.last_words() or error}") from None

    def below(self) -> list[int]:
        """The processes of the submission that runs now."""
        return ([self.pid] if self.mode == "once" else []) + processes.descendants(self.pid)

    def end_submission(self) -> None:
        """Kill all that the submission started, and hear from the server that it is gone.

        A server that was meant to serve once, or does not answer, is closed.
        """
        try:
            served = self.mode != "once" and self.alive() and processes.end_below(self.pid)
            if served and self._hear(time.monotonic() + END_SECONDS).get("op") == "ended":
                return
        except ServerFailed:
            pass
        self.close()

    def alive(self) -> bool:
        """Also in a process that was forked from the one that started it."""
        return self.process is not None and not processes.zombie(self.process.pid)

    def last_words(self) -> str:
        """The end of what the server wrote to standard error."""
        with contextlib.suppress(OSError, ValueError):
            self.log.flush()
            data = os.pread(self.log.fileno(), 1 << 20, 0)
            return data.decode(errors="replace").strip()[-500:]
        return ""

    def close(self) -> None:
        """End the server and everything below it; may be called twice."""
        if self.process is not None:
            processes.end_below(self.process.pid)
            processes.signal_to(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            self.control.close()
        if self.account is not None:
            self.account.close()
        self.log.close()
        if self.kind != "bubblewrap":
            shutil.rmtree(self.scratch, ignore_errors=True)
