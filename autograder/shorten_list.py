"""How a sentence says many: a few of the names, or their number."""

from collections.abc import Sequence


def shorten_list(names: Sequence[str], shown: int, between: str = ", ") -> str:
    """The first names, and how many more there are.

    >>> shorten_list(["ada", "bob", "carol", "dan"], shown=2)
    'ada, bob and 2 more'
    """
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return between.join(names[:shown]) + more


def counted(number: float, noun: str) -> str:
    """A number and its noun, which has an s after all numbers but one.

    >>> counted(1, "submission"), counted(0, "score"), counted(2.5, "point")
    ('1 submission', '0 scores', '2.5 points')
    """
    return f"{number:g} {noun}{'s' * (number != 1)}"
