"""Demonstrations that wait for the student's code."""

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
    try:
        yield
    except NotImplementedError:
        names = " and ".join(exercises)
        print(f"This demonstration waits for your {names}. Write it, run its cell, then run this one again.")
