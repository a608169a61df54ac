"""Whether a case runs in haste: as one of many tries, each of which must be cheap."""

from collections.abc import Iterator
from contextlib import contextmanager

_deep: list[None] = []


@contextmanager
def in_haste() -> Iterator[None]:
    """Whatever a track could only find out slowly is an error in here."""
    _deep.append(None)
    try:
        yield
    finally:
        _deep.pop()


def is_hasty() -> bool:
    """Whether this is one of many tries."""
    return bool(_deep)
