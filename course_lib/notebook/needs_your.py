"""Demonstrations that wait for the student's code."""

import sys
import traceback
from contextlib import contextmanager


class NotRunYet(NotImplementedError):
    """A cell of the page that a demonstration builds on has not been run; the message says which."""


@contextmanager
def needs_your(*exercises: str):
    """Run a demonstration; while an exercise that it needs is unwritten, say what it waits for instead.

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
        names = _unwritten(missing, exercises)
        them = "it, run its cell" if len(names) == 1 else "them, run their cells"
        advice = f"your {' and '.join(names)}. Write {them}, then run this one again."
        print(f"This demonstration waits for {missing if isinstance(missing, NotRunYet) else advice}")


def _unwritten(missing: NotImplementedError, exercises: tuple[str, ...]) -> tuple[str, ...]:
    """Which exercises stopped it: the one whose code raised, else the innermost one called, else all of them.

    A demonstration names what it calls, and what it calls may call an exercise that it does not name.
    """
    frames = [frame for frame, _ in traceback.walk_tb(missing.__traceback__)]
    ran = [frame.f_code.co_qualname.partition(".")[0] for frame in frames]
    if frames[-1].f_globals.get("__name__") == "__main__" and ran[-1].isidentifier():
        return (ran[-1],)
    return tuple(name for name in ran if name in exercises)[-1:] or exercises


def _figures() -> set[int]:
    """The numbers of pyplot's open figures."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()
