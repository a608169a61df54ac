"""A number, as a sentence says it."""


def counted(number: float, noun: str) -> str:
    """A number and its noun, which has an s after all numbers but one.

    >>> counted(1, "submission"), counted(0, "score"), counted(2.5, "point")
    ('1 submission', '0 scores', '2.5 points')
    """
    return f"{number:g} {noun}{'s' * (number != 1)}"
