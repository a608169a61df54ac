"""A course with secrets in it, everything around it that a submission could reach for, and a way to grade there."""

import dataclasses
import hashlib
import os
import re
import secrets
import socket
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.directory.course import Course
from autograder.grading.context import Context
from autograder.grading.task import close_workers, grade_bytes, worker_for
from autograder.sandbox import processes
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import refusal

STAGE = "01_attention"
CHECKOUT = Path(__file__).resolve().parents[2]
MEGABYTE = 1 << 20
LIMITS = Limits(
    memory=512 * MEGABYTE, cell_seconds=1.9, notebook_seconds=19, processes=23, output=50_021, files=23 * MEGABYTE
)


class World:
    """The course, and witnesses: files, a process, sockets and an environment that hold a secret."""

    def __init__(self, course: Course, sandbox: str = "bubblewrap", stripped_package: Path | None = None):
        self.canary = f"CANARY-{secrets.token_hex(8)}"
        self.home, self.shared = course.root.parent / "home", course.root.parent / "shared"
        os.environ["COURSE_CANARY"] = self.canary
        self.course = course
        context = Context.of(self.course, STAGE, sandbox)
        self.context = fast(dataclasses.replace(context, stripped_package=stripped_package or context.stripped_package))
        self.solved = nbformat.reads(submission(Handed("", 20), self.context.release).decode(), as_version=4)
        self._plant()
        self.process = subprocess.Popen([sys.executable, "-c", "input()", self.canary], stdin=subprocess.PIPE)
        self.listeners = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
        port = self.listeners[0].getsockname()[1]
        self.listeners[1].bind(f"\0attack-{port}")
        self.listeners[1].listen()
        self.places = {
            "@COURSE@": str(self.course.root),
            "@HOME@": str(self.home),
            "@CHECKOUT@": str(CHECKOUT),
            "@PORT@": str(port),
        }
        grade_bytes(self.context, nbformat.writes(self.with_canary()).encode())
        self.before = self.state()

    def with_canary(self) -> nbformat.NotebookNode:
        """The solved notebook of somebody who has a secret."""
        notebook = nbformat.from_dict(self.solved)
        notebook.cells.insert(1, nbformat.v4.new_code_cell(f"secret = {self.canary!r}\nprint(secret)", id="secret"))
        return notebook

    def _plant(self) -> None:
        for name in ("answers.txt", "solutions/secret.py", ".ssh/id"):
            for place in (self.home, self.shared, self.course.root, self.course.private):
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_text(self.canary)
        other = self.course.submitted_file(STAGE, "somebody")
        other.parent.mkdir(parents=True)
        other.write_text(nbformat.writes(self.with_canary()))

    def state(self) -> dict[str, str]:
        """A digest of every file that must stay as it is."""
        places = (self.course.root, self.home, self.shared)
        files = [path for place in places for path in place.rglob("*") if "__pycache__" not in path.parts]
        return {str(path): described(path) for path in files}

    def grade(self, data: bytes) -> dict:
        """Grade a file that was handed in."""
        return grade_bytes(self.context, data)

    def hidden_numbers_in(self, text: str) -> set[str]:
        """The numbers of hidden cases that stand in a text, to ten digits."""
        cases = [case for known in self.context.answer_key.values() for case in known["cases"].values()]
        arrays = [array.astype(float) for case in cases for array in case["tensors"].values()]
        hidden = {f"{number:.10f}" for array in arrays for number in array.flat}
        return hidden & {f"{float(found):.10f}" for found in re.findall(r"-?\d+\.\d{10,19}", text)}

    def visited(self) -> bool:
        """Has anybody knocked at one of the sockets?"""
        return bool(self.listeners and select_ready(self.listeners))

    def answer_the_door(self) -> None:
        """Nobody waits at a socket any more."""
        while waiting := select_ready(self.listeners):
            for listener in waiting:
                listener.accept()[0].close()

    def left_running(self) -> list[int]:
        """What runs below the worker server between two submissions."""
        server = worker_for(self.context).server
        return processes.descendants(server.pid) if server is not None else []

    def close(self) -> None:
        close_workers()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        for listener in self.listeners:
            listener.close()
        del os.environ["COURSE_CANARY"]


def fast(context: Context) -> Context:
    """The same with short limits, and without the page's demonstrations, which belong to no answer."""
    release = nbformat.from_dict(context.release)
    release.cells = [cell for cell in release.cells if cell.cell_type != "code" or needed(cell)]
    return dataclasses.replace(context, release=release, limits=LIMITS)


def needed(cell: nbformat.NotebookNode) -> bool:
    """Is it one of the page's imports, answers and tests?"""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "setup") != "setup"


def described(path: Path) -> str:
    """What a file is and holds."""
    if path.is_symlink() or not path.is_file():
        return f"{path.lstat().st_mode}"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def select_ready(listeners: list[socket.socket]) -> list[socket.socket]:
    """The sockets at which somebody waits."""
    import select

    return select.select(listeners, [], [], 0)[0]


@pytest.fixture(scope="session")
def world(copy_of_course, tmp_path_factory):
    if refusal():
        pytest.skip(f"bubblewrap cannot run here: {refusal()}")
    world = World(copy_of_course(tmp_path_factory.mktemp("attacked") / "course"))
    yield world
    world.close()


@pytest.fixture(scope="session")
def course(world) -> Course:
    return world.course
