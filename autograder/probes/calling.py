"""Call what a student wrote, whatever they named its arguments."""

import inspect

from torch import nn


def call(student, contract: str = "", **arguments):
    """`student(**arguments)` where it takes these names; else the same values in the places of the contract.

    Args:
        student: a function, a class or a module.
        contract: the names of all arguments in their order, when `arguments` are only some of them.

    >>> call(lambda q, mask: (q, mask), q=1, mask=2)
    (1, 2)
    >>> call(lambda query, key=None, hidden=None: (query, key, hidden), "q k mask", q=1, mask=2)
    (1, None, 2)
    """
    try:
        signature = inspect.signature(student.forward if isinstance(student, nn.Module) else student)
    except (TypeError, ValueError):  # not callable, or a builtin without a signature
        return student(*arguments.values())
    try:
        signature.bind(**arguments)
    except TypeError:
        places = contract.split() or list(arguments)
        theirs = [name for name, p in signature.parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if len(theirs) > max(places.index(name) for name in arguments):
            arguments = {theirs[places.index(name)]: value for name, value in arguments.items()}
    return student(**arguments)
