"""Whether a call leaves alone what is not its own: global variables, and the attributes of a module."""

import functools
import inspect
from collections.abc import Iterator
from contextlib import contextmanager

from flax import nnx

from autograder.probes.side_effects import notice

GLOBAL, ATTRIBUTE = "value of a global variable", "set of the module's attributes"
KEEPS = (list, dict, set)  # what can grow in its place


@contextmanager
def globals_watched(student) -> Iterator[None]:
    """Notice a global variable of the student's page that is other than before."""
    names = _globals_of(student)
    before = _seen(names)
    try:
        yield
    finally:
        if _seen(names) != before:
            notice(GLOBAL)


@contextmanager
def attributes_watched(module: nnx.Module) -> Iterator[None]:
    """Notice a module that keeps, after a call, what it did not hold before."""
    before = _seen(vars(module))
    yield
    if isinstance(module, nnx.Module) and _seen(vars(module)) != before:
        notice(ATTRIBUTE)


def _seen(names: dict) -> dict:
    """Which object each name stands for, and how much it holds."""
    return {
        name: (id(value), len(value) if isinstance(value, KEEPS) else 0)
        for name, value in names.copy().items()
        if not name.startswith("__")
    }


def _globals_of(student) -> dict:
    while isinstance(student, functools.partial):
        student = student.func
    functions = vars(student).values() if inspect.isclass(student) else (student,)
    return next((one.__globals__ for one in functions if inspect.isfunction(one)), {})
