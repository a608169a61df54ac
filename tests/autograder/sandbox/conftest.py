"""A small stripped package, one warm worker for each sandbox, and a way to play notebooks on it."""

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest

import autograder
from autograder.sandbox import sandbox
from autograder.sandbox.session import CellToRun, Limits, Worker
from autograder.stripping.package import UNTRUSTED

HERE = Path(autograder.__file__).parent
SOLVED = """
import torch
def softmax(logits, dim=-1):
    shifted = torch.exp(logits - logits.amax(dim, keepdim=True))
    return shifted / shifted.sum(dim, keepdim=True)
"""


def make_stripped_package(place: Path) -> Path:
    """What a builder makes: only these parts of the project are there for student code to see."""
    for part in UNTRUSTED:
        shutil.copytree(HERE / part, place / "autograder" / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "stages.py", place / "autograder")
    (place / "autograder" / "__init__.py").touch()
    (place / "course_lib").mkdir()
    (place / "course_lib" / "__init__.py").write_text("STRIPPED = True\n")
    return place


def notebook(*sources: str) -> list[CellToRun]:
    """Cells `c0`, `c1`, …; a source `? NAME` stands for the locked test cell of that exercise."""
    cells = []
    for number, source in enumerate(sources):
        exercise = source[2:] if source.startswith("? ") else None
        cells.append(CellToRun(f"c{number}", source, exercise))
    return cells


def cases(count: int = 2) -> dict:
    """Inputs for `softmax`: the rows are 3, 5, 7, … long."""
    draw = np.random.default_rng(7)
    return {
        f"case {n}": {"tensors": {"logits": draw.normal(size=(2 + n, 3 + 2 * n))}, "settings": {"dim": -1}}
        for n in range(count)
    }


def expected(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


class Played:
    """A run, and short questions to it."""

    def __init__(self, run, probes: dict):
        self.run, self.found, self.probes = run, run.found, probes

    def __getitem__(self, number: int):
        return self.run.cells[number]

    @property
    def statuses(self) -> str:
        return " ".join(cell.status for cell in self.run.cells)

    def text(self, number: int = 0) -> str:
        """All that a cell wrote and showed as text."""
        outputs = self.run.cells[number].outputs
        return "".join(one.get("text") or one.get("data", {}).get("text/plain", "") for one in outputs)

    @property
    def right(self) -> bool:
        """Did every case of `softmax` come back, with the numbers of a softmax?"""
        found, probe = self.found["softmax"], self.probes["softmax"]
        return found.status == "ran" and all(
            np.allclose(found.cases[name]["tensors"]["weights"], expected(case["tensors"]["logits"]))
            for name, case in probe.items()
        )


class Player:
    """Plays notebooks on one warm worker; limits last for one play."""

    def __init__(self, worker: Worker):
        self.worker = worker

    def __call__(self, *sources: str, probes: dict | None = None, **limits) -> Played:
        probes = {"softmax": cases()} if probes is None else probes
        kept = self.worker.limits
        self.worker.limits = dataclasses.replace(kept, **limits)
        try:
            return Played(self.worker.run(notebook(*sources), probes), probes)
        finally:
            self.worker.limits = kept

    def solved(self, *sources: str, **limits) -> Played:
        """Play `sources`, then a right answer and its test."""
        return self(*sources, SOLVED, "? softmax", **limits)


@pytest.fixture(scope="session")
def stripped_package(tmp_path_factory) -> Path:
    return make_stripped_package(tmp_path_factory.mktemp("student") / "stripped")


def start(stripped_package: Path, kind: str) -> Worker:
    if kind == "bubblewrap" and sandbox.refusal():
        pytest.skip(f"bubblewrap cannot run here: {sandbox.refusal()}")
    return Worker(stripped_package, Limits(cell_seconds=20, notebook_seconds=60), sandbox=kind)


@pytest.fixture(scope="session")
def boxed(stripped_package):
    """Plays in bubblewrap: for what must not be let loose on this machine."""
    with start(stripped_package, "bubblewrap") as worker:
        yield Player(worker)


@pytest.fixture(scope="session", params=["bubblewrap", "limits"])
def play(request, stripped_package):
    """Plays in each sandbox."""
    if request.param == "bubblewrap":
        yield request.getfixturevalue("boxed")
        return
    with start(stripped_package, "limits") as worker:
        yield Player(worker)
