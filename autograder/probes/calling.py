"""Call what a student wrote, whatever they named its arguments."""

import inspect
from inspect import Parameter

import torch
from torch import nn

from autograder.probes.side_effects import side_effects

BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def call(student, contract: str = "", **arguments):
    """`student(**arguments)` where it takes these names, in the order of the contract; else the values in their places.

    Args:
        student: a function, a class or a module.
        contract: the names of all arguments in their order, when `arguments` are only some of them.

    >>> call(lambda q, mask: (q, mask), q=1, mask=2)
    (1, 2)
    >>> call(lambda query, key=None, hidden=None: (query, key, hidden), "q k mask", q=1, mask=2)
    (1, None, 2)
    >>> call(lambda query, /, key=0, *more, mask=None: (query, key, mask), "q k mask", q=1, mask=2)
    (1, 0, 2)
    >>> call(lambda *all: all, "q k mask", q=1, mask=2)
    (1, None, 2)
    >>> call(lambda k, q: (k, q), q=1, k=2)
    (1, 2)
    >>> call(lambda query, k=0, **rest: (query, k, rest), "q mask k", q=1, mask=2, k=3)
    (1, 3, {'mask': 2})
    """
    try:
        signature = inspect.signature(student.forward if isinstance(student, nn.Module) else student)
    except (TypeError, ValueError):  # not callable, or a builtin without a signature
        return _watched(student, arguments, *arguments.values())
    order = contract.split() or list(arguments)
    if _takes(signature, arguments, order, strict=not inspect.isclass(student)):
        return _watched(student, arguments, **arguments)
    placed, named = _placed(signature, arguments, order)
    return _watched(student, arguments, *placed, **named)


def _watched(student, arguments: dict, *placed, **named):
    with side_effects(student, arguments):
        return student(*placed, **named)


def several(returned, *names: str) -> dict:
    """What a function returned that is to return several things, under their names; one alone is the first of them.

    >>> several((1, 2), "loss", "accuracy"), several(1, "loss", "accuracy")
    ({'loss': 1, 'accuracy': 2}, {'loss': 1})
    >>> several(None, "loss", "accuracy")
    Traceback (most recent call last):
        ...
    TypeError: cannot unpack non-iterable NoneType object
    """
    if returned is None:
        raise TypeError("cannot unpack non-iterable NoneType object")
    if isinstance(returned, dict):
        raise TypeError(f"a dict came back, expected {' and '.join(names)}, one after the other")
    whole = isinstance(returned, torch.Tensor) and (returned.ndim == 0 or len(returned) != len(names))
    if whole or isinstance(returned, (bool, int, float)):
        return {names[0]: returned}
    parts = [*returned]
    if len(parts) != len(names):
        few = f"not enough values to unpack (expected {len(names)}, got {len(parts)})"
        raise ValueError(few if len(parts) < len(names) else f"too many values to unpack (expected {len(names)})")
    return dict(zip(names, parts, strict=True))


def _takes(signature: inspect.Signature, arguments: dict, order: list[str], strict: bool) -> bool:
    """Does it take all arguments by name, and, if it says which, in this order?

    `strict`: what only passes arguments on to something else has not said that it knows their names.
    """
    try:
        signature.bind(**arguments)
    except TypeError:
        return False
    known = all(name in signature.parameters for name in arguments)
    return _in_order(signature, arguments, order) and (known or not (strict and _has(signature, "VAR_POSITIONAL")))


def _in_order(signature: inspect.Signature, arguments: dict, order: list[str]) -> bool:
    """Are the names that it shares with the contract in the contract's order?"""
    own = [p.name for p in signature.parameters.values() if p.kind in BY_PLACE and p.name in arguments]
    return own == [name for name in order if name in own]


def _has(signature: inspect.Signature, kind: str) -> bool:
    return any(p.kind is getattr(Parameter, kind) for p in signature.parameters.values())


def _placed(signature: inspect.Signature, arguments: dict, order: list[str]) -> tuple[list, dict]:
    """The arguments by place as far as there are places; those that it has further on, or has no place for, by name."""
    parameters, in_order = signature.parameters, _in_order(signature, arguments, order)
    open_end, open_names = _has(signature, "VAR_POSITIONAL"), _has(signature, "VAR_KEYWORD")
    places = [p.name for p in parameters.values() if p.kind in BY_PLACE]

    named, given = {}, {}
    for name, value in arguments.items():
        place, own = order.index(name), parameters.get(name)
        moved = name not in places or (in_order and places.index(name) > place)
        further_on = own is not None and own.kind in BY_NAME and moved
        gap = open_end and open_names and place > len(given)
        taken = open_names and own is None and place < len(places) and places[place] in order
        if further_on or gap or taken or (place >= len(places) and not open_end):
            named[name] = value
        else:
            given[place] = value
    defaults = dict(enumerate(_default(parameters[name]) for name in places))
    return [given.get(place, defaults.get(place)) for place in range(max(given, default=-1) + 1)], named


def _default(parameter: Parameter):
    return None if parameter.default is Parameter.empty else parameter.default
