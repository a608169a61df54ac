"""Draw the cases of exercises from a seed, and compute what the reference and each mistake give."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from autograder.catalogue.exercise import Case, Exercise
from autograder.catalogue.results import Results
from autograder.judging.judge import lost
from autograder.probes.run import probe_of, run_case, seeds_kept


def answer_key_of(exercises: tuple[Exercise, ...], seed: int) -> dict:
    """The content of an answers file for these exercises; see `autograder.judging.answer_key.load`."""
    return {exercise.id: answer_key_and_runs(exercise, seed)[0] for exercise in exercises}


def draw(exercise: Exercise, case: Case, seed: int) -> dict:
    """The inputs of a case, as they travel: `{"tensors": {path: array}, "settings": {…}}`.

    Every case has a generator of its own, made from the seed and the name of the case (or of the one
    that it is like): adding a case moves the numbers of no other.
    """
    digest = hashlib.sha256(f"{seed}/{exercise.id}/{case.same_as or case.name}".encode()).digest()
    generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))
    tensors: dict[str, np.ndarray] = {}
    settings: dict[str, Any] = {}
    _flatten(case.draw(generator), "", tensors, settings)
    return {"tensors": tensors, "settings": settings}


def expected_of(exercise: Exercise, seed: int) -> tuple[dict, dict]:
    """The cases of an exercise as drawn, and what the reference gives on each, in double precision."""
    probe = probe_of(exercise.id)
    cases = {case.name: draw(exercise, case, seed) for case in exercise.cases}
    expected = {}
    for case in exercise.cases:
        source = exercise.answered_by(case)
        record = _kept(_run(probe_of(source.id), source.reference, _doubled(cases[case.name])))
        single = _run(probe, exercise.reference, cases[case.name]).get("tensors", {})
        record["dtypes"] = {name: str(array.dtype) for name, array in single.items()}
        if source is not exercise and "tensors" in record:  # of what this track's probe returns, the other knows a part
            record["tensors"] = single | {name: x for name, x in record["tensors"].items() if name in single}
        if case.printed is not None:
            record["tensors"] |= {name: torch.tensor(value).double().numpy() for name, value in case.printed.items()}
        expected[case.name] = record
    return cases, expected


def answer_key_and_runs(exercise: Exercise, seed: int) -> tuple[dict, dict]:
    """The answers of one exercise; and all that came back from each mistake, `{name: {case: record}}`."""
    probe = probe_of(exercise.id)
    ran = {}
    with seeds_kept():
        cases, expected = expected_of(exercise, seed)
        for mistake in exercise.mistakes:
            theirs = mistake.of(exercise.reference)
            ran[mistake.name] = {name: _run(probe, theirs, case) for name, case in cases.items()}
    tolerances = {case.name: case.tolerance for case in exercise.cases}
    loses = {name: lost(exercise, Results(actual, expected, tolerances, cases)) for name, actual in ran.items()}
    mistakes = {name: {case: _kept(record) for case, record in records.items()} for name, records in ran.items()}
    return {"cases": cases, "expected": expected, "mistakes": mistakes, "loses": loses}, ran


def _run(probe: Callable, implementation: Callable, case: dict) -> dict:
    with _default_dtype(case):
        return run_case(probe, implementation, case)


def _kept(record: dict) -> dict:
    if "error" in record:  # a line of our own source, or a list of our parameters, says nothing to anybody
        return {"error": {key: record["error"][key] for key in ("type", "message")}}
    return {"tensors": record["tensors"]}


def _doubled(case: dict) -> dict:
    doubled = {
        path: array.astype("float64") if array.dtype == "float32" else array for path, array in case["tensors"].items()
    }
    return {"tensors": doubled, "settings": case["settings"]}


@contextmanager
def _default_dtype(case: dict) -> Iterator[None]:
    """New parameters and buffers take the precision of the inputs."""
    before = torch.get_default_dtype()
    wide = any(array.dtype == "float64" for array in case["tensors"].values())
    torch.set_default_dtype(torch.float64 if wide else torch.float32)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _flatten(node: dict, prefix: str, tensors: dict, settings: dict) -> None:
    """Split nested inputs in tensors, named by their path, and plain values, nested as they were."""
    for key, value in node.items():
        if isinstance(value, torch.Tensor):
            tensors[prefix + key] = value.numpy()
        elif isinstance(value, dict) and any(isinstance(leaf, torch.Tensor) for leaf in value.values()):
            _flatten(value, f"{prefix}{key}/", tensors, settings.setdefault(key, {}))
        else:
            settings[key] = value
