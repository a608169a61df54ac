"""Demonstrations that wait for the student's code."""

import sys
from contextlib import contextmanager


@contextmanager
def needs_your(*exercises: str):
    """Run a demonstration, or say kindly what it waits for while an exercise is still unwritten.

    Args:
        exercises: the names of what the demonstration calls.

    >>> with needs_your("softmax"):
    ...     raise NotImplementedError
    This demonstration waits for your softmax. Write it, run its cell, then run this one again.
    """
    begun = _figures()
    try:
        yield
    except NotImplementedError:
        for number in _figures() - begun:  # half a picture would be shown, empty and without words
            sys.modules["matplotlib.pyplot"].close(number)
        names = " and ".join(exercises)
        print(f"This demonstration waits for your {names}. Write it, run its cell, then run this one again.")


def _figures() -> set[int]:
    """The numbers of pyplot's open figures."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()
