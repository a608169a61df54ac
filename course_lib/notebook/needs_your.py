"""Demonstrations that wait for the student's code."""

import sys
from contextlib import contextmanager


class NotRunYet(NotImplementedError):
    """A cell of the page that a demonstration builds on has not been run; the message says which."""


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
    except NotImplementedError as missing:
        for number in _figures() - begun:  # half a picture would be shown, empty and without words
            sys.modules["matplotlib.pyplot"].close(number)
        names = " and ".join(exercises)
        advice = f"your {names}. Write it, run its cell, then run this one again."
        print(f"This demonstration waits for {missing if isinstance(missing, NotRunYet) else advice}")


def _figures() -> set[int]:
    """The numbers of pyplot's open figures."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()
