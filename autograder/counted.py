"""Numbers with their nouns, for sentences."""


def counted(number: float, noun: str) -> str:
    """A number and its noun, in the plural unless the number is 1.

    >>> counted(1, "submission"), counted(0, "score"), counted(2.5, "point")
    ('1 submission', '0 scores', '2.5 points')
    """
    return f"{number:g} {noun}{'s' * (number != 1)}"
