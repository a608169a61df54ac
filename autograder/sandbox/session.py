"""Run a notebook in an untrusted worker and bring back outputs, and what the probes found: never a verdict.

with Worker(stripped_package) as worker:
    run = worker.run(cells, probes)
"""

import os
import shutil
import time
from pathlib import Path

from autograder.logs import fault
from autograder.sandbox import ahead
from autograder.sandbox import sandbox as sandboxes
from autograder.sandbox.attempt import Attempt
from autograder.sandbox.clock import NotebookTime
from autograder.sandbox.conversation import Conversation
from autograder.sandbox.limits import Limits
from autograder.sandbox.records import CellRun, CellToRun, Found, Run
from autograder.sandbox.server import Server, ServerFailed

__all__ = ["CellToRun", "CellRun", "Found", "Limits", "Run", "Worker"]

MAX_FORKS = 32


class Worker:
    """One warm server on one stripped package. `sandbox`: `bubblewrap`, `limits`, or None for the better one.

    With `warm=False`, or where processes cannot fork, each submission gets a fresh process: slower, and the same.
    One thread at a time may use it; it outlives the thread that made it.
    """

    def __init__(
        self, stripped_package: Path, limits: Limits | None = None, sandbox: str | None = None, warm: bool = True
    ):
        self.stripped_package, self.limits = Path(stripped_package), limits or Limits()
        if not (self.stripped_package / "autograder" / "worker").is_dir():
            raise FileNotFoundError(f"{self.stripped_package} contains no stripped package; build one first")
        self.sandbox = sandboxes.choose(sandbox)
        self.warm = warm and hasattr(os, "fork")
        self.server: Server | None = None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server."""
        if self.server is not None:
            self.server.close()
            self.server = None

    def run(
        self,
        cells: list[CellToRun],
        probes: dict[str, dict[str, dict]],
        clock: NotebookTime | None = None,
        in_place: bool = False,
    ) -> Run:
        """Run `cells` in order, then probe each exercise as it was at its test cell.

        Args:
            cells: code cells; one with `exercise` is not executed, its object is probed.
            probes: `{exercise: {case: {"tensors": {path: array}, "settings": {…}}}}`.
            clock: what is left of the time for all runs of a submission; a whole notebook's, when left out.
            in_place: probe each where its test cell stands. No output of such a run may be shown.
        """
        clock = clock or NotebookTime(self.limits.notebook_seconds)
        began = time.monotonic()
        run = Run(cells=[CellRun(cell.id) for cell in cells])
        try:
            self._go(cells, probes, run, clock, in_place)
        except ServerFailed as failure:
            run.status = "ungradable"
            run.notes.append(str(failure))
            fault("the worker server failed", failure)
        for cell in cells:
            if cell.exercise and cell.exercise not in run.found:
                run.found[cell.exercise] = Found("crashed" if run.status == "done" else run.status)
        run.seconds = time.monotonic() - began
        return run

    def _go(self, cells: list[CellToRun], probes: dict, run: Run, left: NotebookTime, in_place: bool) -> None:
        """Until every cell has had its turn: fork, replay what went well, go on where the last fork was lost."""
        lost: set[int] = set()
        for _ in range(MAX_FORKS):
            scratch = sandboxes.scratch_directory("submission-", self.sandbox)
            try:
                attempt = Attempt(self._fork(scratch), run, lost, left, in_place)
                if attempt.go(cells, probes):
                    return
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
                sandboxes.sweep(self.sandbox)
        run.status = "crashed"
        run.notes.append(f"gave up after {MAX_FORKS} starts")

    def _fork(self, scratch: Path) -> Conversation:
        """A fresh fork of the server; with a fresh server once, should this one have died."""
        try:
            return Conversation(self._live_server(), self.limits, scratch)
        except ServerFailed:
            self.close()
        return Conversation(self._live_server(), self.limits, scratch)

    def _live_server(self) -> Server:
        if self.server is None or not self.server.alive():
            self.close()
            self.server = self._start()
        return self.server

    def _start(self) -> Server:
        nested = self.sandbox == "bubblewrap"
        mode = ("nested" if nested else "forked") if self.warm else "once"
        server = ahead.claim(self.stripped_package, self.sandbox) if self.warm else None
        server = server or Server(self.stripped_package, self.limits.files, self.sandbox, mode)
        server.wait_until_ready()
        if self.warm and not (server.hello["single_thread"] and server.hello["nested"] == nested):
            server.close()
            self.warm = False  # a fork would be unsafe, or not isolated from the server
            return self._start()
        return server
