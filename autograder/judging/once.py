"""What is worked out once for objects that nobody changes, such as the parts of an answer key."""

from collections.abc import Callable
from functools import wraps
from typing import Any

MOST = 256  # some more than a course has exercises


def once_for_each(function: Callable) -> Callable:
    """The function, called once for the same arguments: the same objects, whatever they hold. The last ones stay alive.

    >>> sizes = once_for_each(lambda numbers: print("counting") or len(numbers))
    >>> numbers = [1, 2, 3]
    >>> sizes(numbers), sizes(numbers), sizes([1, 2, 3])
    counting
    counting
    (3, 3, 3)
    """
    known: dict[tuple[int, ...], tuple] = {}

    @wraps(function)
    def call(*objects: object) -> Any:
        place = tuple(map(id, objects))
        if place not in known:
            if len(known) >= MOST:
                known.clear()
            known[place] = objects, function(*objects)
        return known[place][1]

    return call
