"""Run a notebook in an untrusted worker and bring back outputs, and what the probes found: never a verdict.

with Worker(edition) as worker:
    run = worker.run(cells, probes)
"""

import shutil
import tempfile
import time
from pathlib import Path

from autograder.engine import sandbox as sandboxes
from autograder.engine.attempt import Attempt
from autograder.engine.limits import Limits
from autograder.engine.records import Cell, CellRun, Found, Run
from autograder.engine.server import Server, ServerFailed

__all__ = ["Cell", "CellRun", "Found", "Limits", "Run", "Worker"]

MAX_REPLAYS = 32


class Worker:
    """One warm server on one student edition. `sandbox`: `bubblewrap`, `limits`, or None for the better one.

    With `warm=False`, or where processes cannot fork, each submission gets a fresh process: slower, and the same.
    """

    def __init__(self, edition: Path, limits: Limits | None = None, sandbox: str | None = None, warm: bool = True):
        self.edition, self.limits = Path(edition), limits or Limits()
        if not (self.edition / "autograder" / "worker").is_dir():
            raise FileNotFoundError(f"{self.edition} holds no student edition: build one first")
        self.sandbox = sandboxes.choose(sandbox)
        self.warm, self.server = warm, None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """End the server."""
        if self.server is not None:
            self.server.close()
            self.server = None

    def run(self, cells: list[Cell], probes: dict[str, dict[str, dict]]) -> Run:
        """Run `cells` in order and probe each exercise at its test cell.

        Args:
            cells: code cells; one with `exercise` is not executed, its object is probed.
            probes: `{exercise: {case: {"tensors": {path: array}, "settings": {…}}}}`.
        """
        began = time.monotonic()
        run = Run()
        for last in (False, True):
            try:
                self._attempts(cells, probes, run := Run(), began)
                break
            except ServerFailed as failure:
                self.close()
                run.notes.append(str(failure))
                if last:
                    run.status = "ungradable"
                    run.found = {exercise: Found("ungradable") for exercise in probes}
        run.seconds = time.monotonic() - began
        return run

    def _attempts(self, cells: list[Cell], probes: dict, run: Run, began: float) -> None:
        """Until every cell has had its turn: fork, replay what went well, go on where the last fork was lost."""
        run.cells = [CellRun(cell.id) for cell in cells]
        lost: set[str] = set()
        deadline = began + self.limits.notebook_seconds
        for _ in range(MAX_REPLAYS + 1):
            scratch = Path(tempfile.mkdtemp(prefix="submission-"))
            try:
                attempt = Attempt(self._server(), self.limits, scratch, run, lost, deadline)
                over = attempt.go(cells, probes)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            if not self.server.alive():
                self.close()
            if over:
                return
        run.status = "crashed"
        run.notes.append(f"stopped after {MAX_REPLAYS} replays")

    def _server(self) -> Server:
        if self.server is None:
            self.server = self._start()
        return self.server

    def _start(self) -> Server:
        if not self.warm:
            return Server(self.edition, self.limits, self.sandbox, "once")
        mode = "nested" if self.sandbox == "bubblewrap" else "forked"
        server = Server(self.edition, self.limits, self.sandbox, mode)
        if (mode == "nested" and not server.hello.get("nested")) or not server.hello.get("single_thread"):
            server.close()
            self.warm = False
            return self._start()
        return server
