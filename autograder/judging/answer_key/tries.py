"""What a correct solution gives in a case under an edit: kept for the next submission, so a class pays for it once."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import torch

from autograder.catalogue.exercise import Exercise
from autograder.judging.answer_key.limits import limited, memory_added
from autograder.judging.answer_key.solutions import Solution
from autograder.probes.run import probe_of, run_case


@dataclass(frozen=True)
class Case:
    """The inputs of a case. Two are equal if they hold the same numbers: a course draws its own."""

    name: str
    inputs: dict = field(compare=False)
    digest: bytes = b""

    def __post_init__(self) -> None:
        whole = hashlib.sha256(repr(self.inputs["settings"]).encode())
        for path, array in sorted(self.inputs["tensors"].items()):
            whole.update(f"{path}{array.dtype}{array.shape}".encode() + array.tobytes())
        object.__setattr__(self, "digest", whole.digest())

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return sum(array.size for array in self.inputs["tensors"].values())


class Edited(Protocol):
    """Whatever edits a source text."""

    def of(self, source: str) -> str: ...

    def __hash__(self) -> int: ...


_loaded: set[str] = set()


def load(exercise: Exercise, cases: dict[str, dict]) -> None:
    """Run the reference once, before the first try: a framework takes time and memory when it begins.

    JAX takes 700 MiB of addresses, which no submission is to blame for.
    """
    probe = probe_of(exercise.id)
    framework = probe.__module__.rpartition(".")[0]
    if framework not in _loaded:
        _loaded.add(framework)
        smallest = min((Case(name, inputs) for name, inputs in cases.items()), key=lambda case: case.size)
        with memory_added(), torch.random.fork_rng(devices=[]):
            run_case(probe, exercise.reference, smallest.inputs)


@lru_cache(maxsize=20_000)
def given(exercise: str, solution: Solution, edit: Edited, case: Case) -> dict:
    """What a solution gives in a case under an edit; an error where it can't even be defined."""
    made = _made(solution, edit)
    if made is None:
        return {"error": {"type": "EditError"}}
    with limited():
        return run_case(probe_of(exercise), made, case.inputs)


@lru_cache(maxsize=4096)
def _made(solution: Solution, edit: Edited) -> Callable | None:
    try:
        return solution.defined(edit.of(solution.source))
    except Exception:  # noqa: BLE001 (a default, say, that is no longer defined)
        return None
