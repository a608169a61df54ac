"""What the probes of the torch track run in: fresh tensors, a seed, one thread, and a note of what was called."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

SEED = 1706_03762  # a number that nobody else seeds with, so that seeding is noticed


class _Recorder(TorchFunctionMode):
    """Notes the name of every torch function that runs, wherever it was called from.

    A mode holds for the thread that enters it: `follow_threads` has the others enter theirs.
    """

    names: ClassVar[set[str]] = set()  # of the case that runs, for all threads

    def __torch_function__(self, func, types, args=(), kwargs=None):
        try:
            _Recorder.names.add(func.__name__)
        except AttributeError:
            _Recorder.names.add(str(func))
        return func(*args, **kwargs) if kwargs else func(*args)


def follow_threads() -> None:
    """From now on each new thread enters a recorder as the first thing that it does."""
    threading.setprofile(_enter_recorder)


def tensor(array: np.ndarray) -> torch.Tensor:
    """A fresh tensor of these numbers."""
    return torch.from_numpy(np.array(array, copy=True))


def array_of(value):
    """The numbers of a tensor, owning their memory; anything else unchanged."""
    if not issubclass(type(value), torch.Tensor):  # `isinstance` would believe what an object says of its class
        return value
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        value = value.as_subclass(torch.Tensor).detach().cpu()
        if value.is_floating_point() and value.dtype not in (torch.float32, torch.float64):
            value = value.float()
        return np.array(value.resolve_conj().resolve_neg().contiguous().numpy(), copy=True)


@contextmanager
def running(student) -> Iterator[set[str]]:
    """Where a case of a student's object runs; the names of all torch functions that run inside."""
    torch.default_generator.manual_seed(SEED)
    with torch.enable_grad(), _one_thread(), _recorded() as names:
        yield names


def _enter_recorder(*_) -> None:
    sys.setprofile(None)
    _Recorder().__enter__()


@contextmanager
def _recorded() -> Iterator[set[str]]:
    names = _Recorder.names = set()
    before = threading.getprofile()
    follow_threads()
    try:
        with _Recorder():
            yield names
    finally:
        threading.setprofile(before)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Tensors this small are ten times slower on several threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
