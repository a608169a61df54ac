"""Answers without content: bodies that anybody can write who has not read the exercise. They must earn nothing.

A function takes the reference's arguments and returns one of `VALUES`; a class has the reference's methods, and each of
them returns one of `VALUES` of its own arguments.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO

import torch
from torch import nn

from autograder.catalogue.exercise import Exercise
from autograder.judging.judge import judge
from autograder.probes.run import collect

MOST, MEAN = 0.10, 0.05  # of an exercise's points: for one trivial answer, and for all of them on average
MEGABYTE = 1 << 20


def _tensor(arguments: list) -> torch.Tensor:
    """The first tensor among the arguments; one of two zeros where there is none."""
    return next((x for x in arguments if torch.is_tensor(x)), torch.zeros(2))


def _first(arguments: list):
    return arguments[0] if arguments else None


VALUES: dict[str, Callable] = {
    "return": lambda arguments: None,
    "return 0.0": lambda arguments: 0.0,
    "return 0": lambda arguments: 0,
    "return 1.0": lambda arguments: 1.0,
    "return 100.0": lambda arguments: 100.0,
    "return []": lambda arguments: [],
    "return {}": lambda arguments: {},
    'return ""': lambda arguments: "",
    "return True": lambda arguments: True,
    "return False": lambda arguments: False,
    **{
        f"return argument {place}": lambda arguments, place=place: dict(enumerate(arguments)).get(place)
        for place in range(5)
    },
    "return first.clone()": lambda arguments: _tensor(arguments).clone(),
    "return -first": lambda arguments: -_tensor(arguments),
    "return first * 2 + 1": lambda arguments: _tensor(arguments) * 2 + 1,
    "return first * 0": lambda arguments: _tensor(arguments) * 0,
    "return zeros_like(first)": lambda arguments: torch.zeros_like(_tensor(arguments)),
    "return ones_like(first)": lambda arguments: torch.ones_like(_tensor(arguments)),
    "return ones_like(first, bool)": lambda arguments: torch.ones_like(_tensor(arguments), dtype=torch.bool),
    "return rand_like(first)": lambda arguments: torch.rand(_tensor(arguments).shape),
    "return torch.tensor(0.0)": lambda arguments: torch.tensor(0.0),
    "return (first * 0.0).sum()": lambda arguments: (_tensor(arguments) * 0.0).sum(),
    "return first.float().mean()": lambda arguments: _tensor(arguments).float().mean(),
    "return first.float().sum()": lambda arguments: _tensor(arguments).float().sum(),
    "return NaN": lambda arguments: torch.full_like(_tensor(arguments).float(), torch.nan),
    "return 0 * all arguments": lambda arguments: sum((x * 0.0).sum() for x in arguments if torch.is_tensor(x)),
    **{
        f"return {', '.join(['first'] * many)}": lambda arguments, many=many: (_first(arguments),) * many
        for many in (2, 3, 4)
    },
    "return 0.0, 0.0": lambda arguments: (0.0, 0.0),
    "return zeros, zeros": lambda arguments: (torch.zeros_like(_tensor(arguments)),) * 2,
    "return zeros.sum(), zeros.sum()": lambda arguments: ((_tensor(arguments) * 0.0).sum(),) * 2,
    "return first, second": lambda arguments: tuple(arguments[:2]),
    "print a megabyte": lambda arguments: print("x" * MEGABYTE),
    "yield": lambda arguments: (x for x in arguments),
}


def _bound(signature: inspect.Signature, arguments: tuple, named: dict, method: bool) -> list:
    return [*signature.bind_partial(*((None,) * method), *arguments, **named).arguments.values()][method:]


def _function(reference: Callable, value: Callable) -> Callable:
    signature = inspect.signature(reference)

    def trivial(*arguments, **named):
        return value(_bound(signature, arguments, named, False))

    trivial.__signature__ = signature
    return trivial


def _class(reference: type, value: Callable) -> type:
    """The reference's methods without their bodies; what it keeps is nothing."""
    base = nn.Module if issubclass(reference, nn.Module) else object
    methods = {}
    for name, method in inspect.getmembers(reference, inspect.isfunction):
        own = any(name in vars(part) for part in reference.__mro__ if part.__module__ == reference.__module__)
        if own and name != "__init__":
            methods[name] = _method(method, value)

    def begin(self, *arguments, **named):
        if base is nn.Module:
            base.__init__(self)

    begin.__signature__ = inspect.signature(reference.__init__)
    return type(reference.__name__, (base,), methods | {"__init__": begin})


def _method(reference: Callable, value: Callable) -> Callable:
    signature = inspect.signature(reference)

    def trivial(self, *arguments, **named):
        return value(_bound(signature, arguments, named, True))

    trivial.__signature__ = signature
    return trivial


class _Callable:
    def __call__(self, *arguments, **named):
        return _first(list(arguments) or list(named.values()))


async def _coroutine(*arguments, **named):
    return _first(list(arguments) or list(named.values()))


def _itself(*arguments, **named):
    return _itself


OBJECTS: dict[str, Callable] = {
    "lambda": lambda reference: lambda *arguments, **named: None,
    "partial": lambda reference: functools.partial(lambda *arguments, **named: 0.0),
    "object with __call__": lambda reference: _Callable(),
    "coroutine": lambda reference: _coroutine,
    "returns itself": lambda reference: _itself,
    "class without anything": lambda reference: type(reference.__name__, (), {}),
    "module without forward": lambda reference: type(reference.__name__, (nn.Module,), {}),
    "identity": lambda reference: nn.Identity,
    "an instance": lambda reference: nn.Identity(),
    "the class object": lambda reference: object,
    "None": lambda reference: None,
    "a tensor": lambda reference: torch.zeros(3),
}


def trivial_answers(reference: Callable, names: Iterable[str] = ()) -> Iterator[tuple[str, object]]:
    """Name and answer: of all, or of these names."""
    make = _class if inspect.isclass(reference) else _function
    for name in names or (*VALUES, *OBJECTS):
        yield name, make(reference, VALUES[name]) if name in VALUES else OBJECTS[name](reference)


def shares_of_points(exercise: Exercise, answer_key: dict, names: Iterable[str] = ()) -> dict[str, float]:
    """What each trivial answer earns, as a share of the exercise's points."""
    nameless = replace(exercise, mistakes=())
    shares = {}
    for name, answer in trivial_answers(exercise.reference, names):
        with redirect_stdout(StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a coroutine that nobody awaits
            actual = collect(exercise.id, answer, answer_key["cases"])
        shares[name] = judge(nameless, answer_key, actual).score / exercise.points
    return shares
