"""Answers without content: bodies that anybody can write who has not read the exercise. They must earn nothing.

A function takes the reference's arguments and returns one of `VALUES`; a class has the reference's methods, and each of
them returns one of `VALUES` of its own arguments.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from functools import partial
from io import StringIO

from autograder.catalogue.exercise import Exercise
from autograder.judging.judge import points_of
from autograder.probes.run import collect
from autograder.stages import stage_of
from tests.mutation.arrays import ARRAYS, Arrays

MOST, MEAN = 0.10, 0.05  # of an exercise's points: for one trivial answer, and for all of them on average
MEGABYTE = 1 << 20


def _first(arguments: list):
    return arguments[0] if arguments else None


VALUES: dict[str, Callable[[list, Arrays], object]] = {
    "return": lambda arguments, arrays: None,
    "return 0.0": lambda arguments, arrays: 0.0,
    "return 0": lambda arguments, arrays: 0,
    "return 1.0": lambda arguments, arrays: 1.0,
    "return 100.0": lambda arguments, arrays: 100.0,
    "return []": lambda arguments, arrays: [],
    "return {}": lambda arguments, arrays: {},
    'return ""': lambda arguments, arrays: "",
    "return True": lambda arguments, arrays: True,
    "return False": lambda arguments, arrays: False,
    **{
        f"return argument {place}": lambda arguments, arrays, place=place: dict(enumerate(arguments)).get(place)
        for place in range(5)
    },
    "return first.clone()": lambda arguments, arrays: arrays.copy(arrays.first(arguments)),
    "return -first": lambda arguments, arrays: -arrays.first(arguments),
    "return first * 2 + 1": lambda arguments, arrays: arrays.first(arguments) * 2 + 1,
    "return first * 0": lambda arguments, arrays: arrays.first(arguments) * 0,
    "return zeros_like(first)": lambda arguments, arrays: arrays.full_like(arguments, 0),
    "return ones_like(first)": lambda arguments, arrays: arrays.full_like(arguments, 1),
    "return ones_like(first, bool)": lambda arguments, arrays: arrays.full_like(arguments, 1) == 1,
    "return rand_like(first)": lambda arguments, arrays: arrays.random(arrays.first(arguments).shape),
    "return rand(())": lambda arguments, arrays: arrays.random(()),
    "return rand(()), rand(())": lambda arguments, arrays: (arrays.random(()), arrays.random(())),
    "return rand_like(first), rand_like(first)": lambda arguments, arrays: (
        arrays.random(arrays.first(arguments).shape),
        arrays.random(arrays.first(arguments).shape),
    ),
    "return abs(first)": lambda arguments, arrays: abs(arrays.first(arguments)),
    "return first**2": lambda arguments, arrays: arrays.first(arguments) ** 2,
    "return first.T": lambda arguments, arrays: arrays.first(arguments).T,
    "return first[0]": lambda arguments, arrays: arrays.first(arguments)[0],
    "return first[:, 0]": lambda arguments, arrays: arrays.first(arguments)[:, 0],
    "return first[..., :1]": lambda arguments, arrays: arrays.first(arguments)[..., :1],
    "return first[:, 1:]": lambda arguments, arrays: arrays.first(arguments)[:, 1:],
    "return first[0, :, 0, 0]": lambda arguments, arrays: arrays.first(arguments)[0, :, 0, 0],
    "return first.sum(-1)": lambda arguments, arrays: (arrays.first(arguments) * 1.0).sum(-1),
    "return first.argmax(-1)": lambda arguments, arrays: arrays.first(arguments).argmax(-1),
    "return first.reshape(-1)": lambda arguments, arrays: arrays.first(arguments).reshape(-1),
    "return tensor(0.0)": lambda arguments, arrays: arrays.of(0.0),
    "return (first * 0.0).sum()": lambda arguments, arrays: (arrays.first(arguments) * 0.0).sum(),
    "return first.float().mean()": lambda arguments, arrays: (arrays.first(arguments) * 1.0).mean(),
    "return first.float().sum()": lambda arguments, arrays: (arrays.first(arguments) * 1.0).sum(),
    "return NaN": lambda arguments, arrays: arrays.full(arrays.first(arguments) * 1.0, float("nan")),
    "return 0 * all arguments": lambda arguments, arrays: sum((x * 0.0).sum() for x in arguments if arrays.are(x)),
    **{
        f"return {', '.join(['first'] * many)}": lambda arguments, arrays, many=many: (_first(arguments),) * many
        for many in (2, 3, 4)
    },
    "return 0.0, 0.0": lambda arguments, arrays: (0.0, 0.0),
    "return zeros, zeros": lambda arguments, arrays: (arrays.full_like(arguments, 0),) * 2,
    "return zeros.sum(), zeros.sum()": lambda arguments, arrays: ((arrays.first(arguments) * 0.0).sum(),) * 2,
    "return first, second": lambda arguments, arrays: tuple(arguments[:2]),
    "print a megabyte": lambda arguments, arrays: print("x" * MEGABYTE),
    "yield": lambda arguments, arrays: (x for x in arguments),
}


def _bound(signature: inspect.Signature, arguments: tuple, named: dict, method: bool) -> list:
    return [*signature.bind_partial(*((None,) * method), *arguments, **named).arguments.values()][method:]


def _function(reference: Callable, value: Callable) -> Callable:
    signature = inspect.signature(reference)

    def trivial(*arguments, **named):
        return value(_bound(signature, arguments, named, False))

    trivial.__signature__ = signature
    return trivial


def _class(reference: type, value: Callable, module: type) -> type:
    """The reference's methods without their bodies; what it keeps is nothing."""
    base = module if issubclass(reference, module) else object
    methods = {}
    for name, method in inspect.getmembers(reference, inspect.isfunction):
        own = any(name in vars(part) for part in reference.__mro__ if part.__module__ == reference.__module__)
        if own and name != "__init__":
            methods[name] = _method(method, value)

    def begin(self, *arguments, **named):
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


OBJECTS: dict[str, Callable[[Callable, Arrays], object]] = {
    "lambda": lambda reference, arrays: lambda *arguments, **named: None,
    "partial": lambda reference, arrays: functools.partial(lambda *arguments, **named: 0.0),
    "object with __call__": lambda reference, arrays: _Callable(),
    "coroutine": lambda reference, arrays: _coroutine,
    "returns itself": lambda reference, arrays: _itself,
    "class without anything": lambda reference, arrays: type(reference.__name__, (), {}),
    "module without forward": lambda reference, arrays: type(reference.__name__, (arrays.module,), {}),
    "identity": lambda reference, arrays: arrays.identity,
    "an instance": lambda reference, arrays: arrays.identity(),
    "the class object": lambda reference, arrays: object,
    "None": lambda reference, arrays: None,
    "a tensor": lambda reference, arrays: arrays.of([0.0] * 3),
}


def trivial_answers(exercise: Exercise, names: Iterable[str] = ()) -> Iterator[tuple[str, object]]:
    """Name and answer: of all, or of these names."""
    reference, arrays = exercise.reference, ARRAYS[stage_of(exercise.id).track]()
    make = partial(_class, module=arrays.module) if inspect.isclass(reference) else _function
    for name in names or (*VALUES, *OBJECTS):
        if name in VALUES:
            yield name, make(reference, partial(VALUES[name], arrays=arrays))
        else:
            yield name, OBJECTS[name](reference, arrays)


def shares_of_points(exercise: Exercise, answer_key: dict, names: Iterable[str] = ()) -> dict[str, float]:
    """What each trivial answer earns, as a share of the exercise's points."""
    shares = {}
    for name, answer in trivial_answers(exercise, names):
        with redirect_stdout(StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a coroutine that nobody awaits
            actual = collect(exercise.id, answer, answer_key["cases"])
        shares[name] = points_of(exercise, answer_key, actual).score / exercise.points
    return shares
