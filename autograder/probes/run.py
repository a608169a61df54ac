"""Run a student's object on the cases of an exercise and hand back raw tensors.

This package runs beside student code and is trusted with nothing: it holds no answer, and it returns
numbers, never a verdict. The judge, elsewhere, compares.

A *case* travels as two flat parts, ready for a wire: `tensors` (path → array) and `settings` (a JSON
object). `weights/o_proj.bias` in `tensors` becomes `weights={"o_proj.bias": …}` when the probe is called.
"""

import copy
import importlib
import json
import os
import re
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

import course_lib
from autograder.probes.noticing import noticing
from autograder.probes.torch.modules import ParameterMismatch
from autograder.stages import stage_of

SEED = 1706_03762  # a number that nobody else seeds with, so that seeding is noticed
OURS = os.path.dirname(__file__)
LIBRARIES = (
    OURS,
    *(os.path.dirname(package.__file__) for package in (course_lib, torch)),
    os.path.dirname(os.__file__),
)
OWN_LAYER = re.compile(r"\b(_[A-Z]\w*|StandIn\w*)\.forward\(\)")  # a stand-in of ours, where the student's call goes


class NotATensor(TypeError):
    """The student's object gave something that cannot cross as plain numbers."""


class Text(str):
    """What a probe returns for lists and strings: JSON, which crosses as its bytes."""

    def __new__(cls, value):
        try:
            return super().__new__(cls, json.dumps(value, default=repr))
        except (TypeError, ValueError):  # a dict with tuples for keys, a list that holds itself
            return super().__new__(cls, json.dumps(repr(value)))


class _Recorder(TorchFunctionMode):
    """Notes the name of every torch function that runs, wherever it was called from.

    A mode holds for the thread that enters it: `follow_threads` has the others enter theirs.
    """

    names: ClassVar[set[str]] = set()  # of the case that runs, for all threads

    def __torch_function__(self, func, types, args=(), kwargs=None):
        _Recorder.names.add(getattr(func, "__name__", str(func)))
        return func(*args, **(kwargs or {}))


def follow_threads() -> None:
    """From now on each new thread enters a recorder as the first thing that it does."""
    threading.setprofile(_enter_recorder)


def _enter_recorder(*_) -> None:
    sys.setprofile(None)
    _Recorder().__enter__()


@contextmanager
def _recorded() -> Iterator[set[str]]:
    """The names of all torch functions that run inside."""
    names = _Recorder.names = set()
    before = threading.getprofile()
    follow_threads()
    try:
        with _Recorder():
            yield names
    finally:
        threading.setprofile(before)


def probe_of(exercise: str):
    """The probe of an exercise: the function of that name in the module of its stage's track and topic."""
    stage = stage_of(exercise)
    return getattr(importlib.import_module(f"autograder.probes.{stage.track}.{stage.topic}"), exercise)


def plain(value, name: str) -> np.ndarray:
    """A tensor, a number, or the bytes of a text as an array that owns its memory; else a `NotATensor`."""
    if isinstance(value, torch.Tensor):
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            value = value.as_subclass(torch.Tensor).detach().cpu()
            if value.is_complex():
                raise NotATensor(f"{name} holds complex numbers, where real ones are due")
            if value.is_floating_point() and value.dtype not in (torch.float32, torch.float64):
                value = value.float()
            return np.array(value.resolve_conj().resolve_neg().contiguous().numpy(), copy=True)
    if isinstance(value, Text):
        return np.frombuffer(bytearray(value.encode()), dtype=np.uint8)
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        array = np.array(value)
        if array.dtype.kind in "biuf":
            return array
    raise NotATensor(f"{name} is {_article(type(value).__name__)}, not a tensor")


def inputs_of(case: dict) -> dict:
    """The keyword arguments of a probe: fresh tensors, so that no case sees what another changed."""
    inputs = copy.deepcopy(case.get("settings", {}))
    for path, array in case.get("tensors", {}).items():
        *parents, leaf = path.split("/")
        here = inputs
        for parent in parents:
            here = here.setdefault(parent, {})
        here[leaf] = torch.from_numpy(np.array(array, copy=True))
    return inputs


def run_case(probe, student, case: dict) -> dict:
    """One case: `{"tensors": {name: array}}`, or `{"error": {...}}` when the student's object raised."""
    torch.manual_seed(SEED)
    names = set()
    try:
        with warnings.catch_warnings(), torch.enable_grad(), _one_thread(), noticing() as noticed, _recorded() as names:
            warnings.simplefilter("ignore")
            found = probe(student, **inputs_of(case))
        tensors = {name: plain(value, name) for name, value in found.items()}
    except Exception as error:  # noqa: BLE001 (whatever a student's code raises is a result)
        return {"error": describe(error), "calls": sorted(names)}
    return {"tensors": tensors, "calls": sorted(names), "noticed": sorted(noticed)}


@contextmanager
def _one_thread():
    """Tensors this small are ten times slower on several threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def collect(exercise: str, student, cases: dict[str, dict]) -> dict[str, dict]:
    """Run the probe of `exercise` on every case: `{case: {"tensors" or "error", "calls"}}`."""
    probe = probe_of(exercise)
    return {name: run_case(probe, student, case) for name, case in cases.items()}


def describe(error: BaseException) -> dict:
    """An exception as JSON: its type, its message, and the last line of the student's code it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(LIBRARIES)]
    message = OWN_LAYER.sub("forward() of the layer that you call", str(error)[:2000])
    record = {"type": type(error).__name__, "message": message}
    record["kinds"] = [kind.__name__ for kind in type(error).__mro__[:10]]  # a ValueError of one's own is a ValueError
    if theirs and theirs[-1].line:
        record["line"] = theirs[-1].line[:200]
    if isinstance(error, ParameterMismatch):
        record["expected"], record["found"] = error.expected, error.found
    return record


def _article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
