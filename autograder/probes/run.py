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
import random
import re
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import numpy as np
import torch

import course_lib
from autograder.probes.side_effects import watch_side_effects
from autograder.probes.torch import track as torch_track
from autograder.probes.torch.modules import ParameterMismatch
from autograder.stages import stage_of

SEED = 1706_03762  # a number that nobody else seeds with, so that seeding is noticed
OURS, PACKAGE = os.path.dirname(__file__), __name__.rpartition(".")[0]
LIBRARIES = (
    OURS,
    os.path.dirname(course_lib.__file__),
    os.path.dirname(os.path.dirname(torch.__file__)),  # where all packages are installed
    os.path.dirname(os.__file__),
)
OWN_LAYER = re.compile(r"\b(_[A-Z]\w*|StandIn\w*)\.forward\(\)")  # a stand-in of ours, where the student's call goes
OWN_PLACE = re.compile(
    rf"\nThe error occurred while tracing the function \S+ at {re.escape(OURS)}\S+ for \w+\."
    r"(?: This concrete value was not available in Python because it depends on the values? of [^\n]*)?"  # ours, too
)
PLACES = sorted((f"{os.path.dirname(folder)}{os.sep}" for folder in LIBRARIES), key=len, reverse=True)  # this machine's
_keeping: list[bool] = []  # whether somebody further out sees to the seeds
ADDRESS = re.compile(r"(object id |0x)[0-9a-f]{6,}")  # says nothing, and is another one each time


class NotATensor(TypeError):
    """The student's object gave something that cannot cross as plain numbers."""


class Text(str):
    """What a probe returns for lists and strings: JSON, which crosses as its bytes."""

    def __new__(cls, value):
        try:
            return super().__new__(cls, json.dumps(value, default=repr))
        except (TypeError, ValueError):  # a dict with tuples for keys, a list that holds itself
            return super().__new__(cls, json.dumps(repr(value)))


def probe_of(exercise: str):
    """The probe of an exercise: the function of that name in the module of its stage's track and topic."""
    stage = stage_of(exercise)
    return getattr(importlib.import_module(f"autograder.probes.{stage.track}.{stage.topic}"), exercise)


def track_of(probe) -> ModuleType:
    """What a probe runs in: the module `track` beside it; torch's where it stands elsewhere."""
    package = probe.__module__.rpartition(".")[0]
    return importlib.import_module(f"{package}.track") if package.startswith(PACKAGE) else torch_track


def plain(value, name: str, track: ModuleType = torch_track) -> np.ndarray:
    """A tensor, a number, or the bytes of a text as an array that owns its memory; else a `NotATensor`."""
    value = track.array_of(value)
    if isinstance(value, Text):
        return np.frombuffer(bytearray(value.encode()), dtype=np.uint8)
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        array = np.array(value)
        if array.dtype.kind in "biuf":
            return array
        if array.dtype.kind == "c":
            raise NotATensor(f"{name} contains complex numbers, expected real ones")
    raise NotATensor(f"{name} is {_article(type(value).__name__)}, not a tensor")


def inputs_of(case: dict, track: ModuleType = torch_track) -> dict:
    """The keyword arguments of a probe: fresh tensors, so that no case sees what another changed."""
    inputs = copy.deepcopy(case.get("settings", {}))
    for path, array in case.get("tensors", {}).items():
        *parents, leaf = path.split("/")
        here = inputs
        for parent in parents:
            here = here.setdefault(parent, {})
        here[leaf] = track.tensor(array)
    return inputs


def run_case(probe, student, case: dict) -> dict:
    """One case: `{"tensors": {name: array}}`, or `{"error": {...}}` when the student's object raised."""
    track, names = track_of(probe), set()
    try:
        with warnings.catch_warnings(), seeds_kept(), watch_side_effects() as noticed, track.running(student) as names:
            warnings.simplefilter("ignore")
            random.seed(SEED)
            np.random.seed(SEED)  # noqa: NPY002 (the global one)
            found = probe(student, **inputs_of(case, track))
        tensors = {name: plain(value, name, track) for name, value in found.items()}
    except Exception as error:  # noqa: BLE001 (whatever a student's code raises is a result)
        return {"error": describe(error), "calls": sorted(map(str, names))}
    return {"tensors": tensors, "calls": sorted(map(str, names)), "noticed": sorted(noticed)}


@contextmanager
def seeds_kept() -> Iterator[None]:
    """The random numbers of Python and NumPy continue afterwards as before. Of several around each other, the outermost
    sees to it: a fifth of a millisecond, which is paid once for all cases and not for each."""
    if _keeping:
        yield
        return
    generator = np.random.get_bit_generator()
    of_python, of_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 (the global one)
    _keeping.append(True)
    try:
        yield
    finally:
        _keeping.clear()
        random.setstate(of_python)
        np.random.set_bit_generator(generator)
        np.random.set_state(of_numpy)  # noqa: NPY002


def collect(exercise: str, student, cases: dict[str, dict]) -> dict[str, dict]:
    """Run the probe of `exercise` on every case: `{case: {"tensors" or "error", "calls"}}`."""
    probe = probe_of(exercise)
    with seeds_kept():
        return {name: run_case(probe, student, case) for name, case in cases.items()}


def describe(error: BaseException) -> dict:
    """An exception as JSON: its type, its message, and the last line of the student's code it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(LIBRARIES)]
    message = OWN_PLACE.sub("", ADDRESS.sub(r"\1…", _message(error)))
    message = OWN_LAYER.sub("forward() of the layer that you call", message)
    for place in PLACES:
        message = message.replace(place, "")
    record = {"type": type(error).__name__, "message": message}
    record["kinds"] = [kind.__name__ for kind in type(error).__mro__[:10]]  # a ValueError of one's own is a ValueError
    if theirs and theirs[-1].line:
        record["line"] = theirs[-1].line[:200]
    if isinstance(error, ParameterMismatch):
        record["expected"], record["found"] = error.expected, error.found
    return record


def _message(error: BaseException) -> str:
    """The text of an exception; nothing if its own `__str__` fails."""
    try:
        text = str.__getitem__(str(error), slice(2000))  # a string of a class of its own may lie
    except Exception:  # noqa: BLE001 (`__str__` is the student's, too)
        return ""
    return text.encode(errors="replace").decode()


def _article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
