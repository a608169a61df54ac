"""A clear TypeError for a value of the wrong type, before it leads to a confusing result."""


def expect(value, kinds: type | tuple[type, ...], rule: str):
    """Return the value if it has one of these types; else raise a TypeError with the rule and the value.

    A text where a list of tokens is meant would go through letter by letter.

    >>> expect("the cat", list, "a sentence must be a list of tokens")
    Traceback (most recent call last):
        ...
    TypeError: a sentence must be a list of tokens, but 'the cat' is of type str
    """
    if not isinstance(value, kinds):
        raise TypeError(f"{rule}, but {value!r:.60} is of type {type(value).__name__}")
    return value
