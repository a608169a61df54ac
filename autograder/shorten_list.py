"""Many names, of which a sentence takes a few."""

from collections.abc import Sequence


def shorten_list(names: Sequence[str], shown: int, between: str = ", ") -> str:
    """The first names, and how many more there are.

    >>> shorten_list(["ada", "bob", "carol", "dan"], shown=2)
    'ada, bob and 2 more'
    """
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return between.join(names[:shown]) + more
