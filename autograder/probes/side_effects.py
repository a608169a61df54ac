"""What an answer does besides giving a result: an argument changed, a mode left switched, random numbers reseeded."""

import ctypes
import inspect
import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.random import MT19937, get_bit_generator
from torch import nn

from autograder.protocol.sentences import DRAWS

KEY_BYTES = 4 * 624  # the beginning of a Mersenne twister's state

equal = torch.equal  # as it was before any answer could replace it
_noticed: list[str] = []


@contextmanager
def watch_side_effects() -> Iterator[list[str]]:
    """Collect what is noticed of all calls inside, each thing once."""
    _noticed.clear()
    yield _noticed


def notice(thing: str) -> None:
    """Add what else a call has changed."""
    if thing not in _noticed:
        _noticed.append(thing)


@contextmanager
def noticed_inside() -> Iterator[list[str]]:
    """Collect everything that is noticed inside, even if it was noticed before; complete when the block has ended."""
    before, inside = _noticed.copy(), []
    _noticed.clear()
    try:
        yield inside
    finally:
        inside += _noticed
        _noticed[:] = dict.fromkeys(before + inside)


@contextmanager
def side_effects(student, arguments: dict) -> Iterator[None]:
    """Notice what a call of `student` with these arguments changes, besides a generator that it draws from."""
    held = {name: value for name, value in arguments.items() if not isinstance(value, (torch.Generator, nn.Module))}
    modules = {name: value for name, value in arguments.items() if isinstance(value, nn.Module)}
    if isinstance(student, nn.Module):
        modules["the module itself"] = student
    before = {name: _copy(value) for name, value in held.items()}
    modes = {name: _modes(module) for name, module in modules.items()}
    learns = {name: [(p, p.requires_grad) for p in module.parameters()] for name, module in modules.items()}
    grad, seeds = torch.is_grad_enabled(), _seeds()
    state = None if inspect.isclass(student) else torch.default_generator.get_state()  # parameters are drawn as well
    try:
        yield
    finally:
        with torch.no_grad(), torch._C.DisableTorchFunction():
            changed = [f"argument {name}" for name, value in held.items() if not _same(before[name], value)]
        changed += [
            f"mode of {name}" for name, module in modules.items() if not modes[name].items() <= _modes(module).items()
        ]
        changed += [
            f"requires_grad of {name}"
            for name, parts in learns.items()
            if any(p.requires_grad != was for p, was in parts)
        ]
        changed += ["gradient mode"] if torch.is_grad_enabled() != grad else []
        changed += ["random seed"] if _seeds() != seeds else []
        changed += [DRAWS] if state is not None and not torch.default_generator.get_state().equal(state) else []
        torch.set_grad_enabled(grad)
        for thing in changed:
            notice(thing)


def _modes(module: nn.Module) -> dict[str, bool]:
    return {name: part.training for name, part in module.named_modules()}


def _seeds() -> tuple:
    """What changes where somebody seeds, and not where torch's own generator is drawn from."""
    return torch.initial_seed(), random.getstate(), _numpy_key()


def _numpy_key() -> bytes:
    """The key of NumPy's global generator, read where it is: `get_state` takes a hundred times as long."""
    generator = get_bit_generator()
    if type(generator) is MT19937:
        return ctypes.string_at(generator.ctypes.state_address, KEY_BYTES)
    return repr(generator.state).encode()


def _copy(value):
    if isinstance(value, torch.Tensor):
        with torch.no_grad(), torch._C.DisableTorchFunction():
            return value.detach().clone()
    if isinstance(value, dict):
        return {key: _copy(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copy(part) for part in value]
    return value.copy() if isinstance(value, np.ndarray) else value  # else it cannot change, or must be the same one


def _same(before, after) -> bool:
    if isinstance(after, torch.Tensor):
        return (before.shape, before.dtype) == (after.shape, after.dtype) and equal(
            before.nan_to_num(), after.detach().nan_to_num()
        )
    if isinstance(after, dict):
        return (
            isinstance(before, dict)
            and before.keys() == after.keys()
            and all(_same(before[key], after[key]) for key in after)
        )
    if isinstance(after, (list, tuple)):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(after, np.ndarray):
        return isinstance(before, np.ndarray) and np.array_equal(before, after)
    return before is after or (isinstance(after, (bool, int, float, str)) and before == after)
