"""Call what a student wrote, whatever they named its arguments."""

import inspect


def call(student, **arguments):
    """`student(**arguments)` where it takes these names, else the same values by position, in this order.

    >>> call(lambda q, mask: (q, mask), q=1, mask=2)
    (1, 2)
    >>> call(lambda query, hidden=None: (query, hidden), q=1, mask=2)
    (1, 2)
    """
    try:
        inspect.signature(student).bind(**arguments)
    except (TypeError, ValueError):
        return student(*arguments.values())
    return student(**arguments)
