"""What an error that an answer ended in says: who raised it, and what its message mentions."""

import re
from collections.abc import Sequence

RAISED = re.compile(r"\b(raise|assert)\b")
UNEQUAL = ("to be equal size", "must match the size", "is invalid for input of size")  # as torch says that sizes differ


def raises_itself(line: str) -> bool:
    """Whether the line of code that an error came from raises it.

    >>> raises_itself("if heads < 1: raise ValueError(heads)"), raises_itself("x.unflatten(-1, (3, -1))")
    (True, False)
    """
    return RAISED.search(line) is not None


def mentions(message: str, word: str) -> bool:
    """Whether a message holds a word; a number must stand alone: 14 does not name 4, and 0.0 names 0.

    >>> mentions("14 features for 3 heads.", "3"), mentions("14 features", "4"), mentions("rate 0.0.", "0")
    (True, False, True)
    """
    alone = rf"(?<!\d)(?<!\d\.){re.escape(word)}(\.0+)?(?!\.?\d)"
    return re.search(alone, message) is not None if word[-1:].isdigit() else word in message


def is_torchs_own(error: dict, words: Sequence[str]) -> bool:
    """Whether torch raised it at a student's line, and says what does not fit: all these words, or unequal sizes."""
    if error["type"] not in ("RuntimeError", "IndexError") or raises_itself(error.get("line", "raise")):
        return False
    said = re.findall(r"\w+", error["message"])
    named = bool(words) and all(word in said for word in words)
    return named or any(text in error["message"] for text in UNEQUAL)
