"""What the exercises about text have in common: words in random letters, and rules about lists."""

import random
from itertools import pairwise

import torch

from autograder.catalogue.checks import fits
from autograder.catalogue.results import Finding, Results, difference_of_lists, read_text

LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßéñ"


def shuffled(g, letters=LETTERS) -> str:
    """The letters in a random order."""
    return "".join(letters[i] for i in torch.randperm(len(letters), generator=g).tolist())


def below(g, n: int) -> int:
    """A random whole number from 0 to n − 1."""
    return int(torch.randint(n, (1,), generator=g))


def sketch(seed: int, size: int, inner: int = 4, ends: int = 3) -> dict[tuple[int, ...], int]:
    """A text that is the same for everybody but for its letters: words as numbers of letters, and their counts.

    A word has one to five `inner` letters, none of them twice in a row, and a last one, which stands nowhere else where
    there are `ends`. What a wrong answer makes of it does not depend on what is drawn.
    """
    rng = random.Random(seed)
    words = {}
    while len(words) < size:
        word = [rng.randrange(inner) for _ in range(rng.randint(1, 5))]
        word.append(inner + rng.randrange(ends) if ends else rng.randrange(inner))
        if all(one != other for one, other in pairwise(word)):
            words[tuple(word)] = rng.randint(1, 10**5)
    return words


def spelled(g, words: dict[tuple[int, ...], int]) -> dict[str, int]:
    """The words in random letters, in the order of the alphabet, and their counts times a random number."""
    letters, times = sorted(shuffled(g)[:13]), 2 + below(g, 9)
    return {"".join(letters[i] for i in word): count * times for word, count in words.items()}


def same(case: str, name: str, read=lambda value: value, text: str = ""):
    """What the JSON of an output says, read in this way, is what the answer's says."""

    def check(results: Results) -> Finding | None:
        actual, expected = (
            read_text(array) for array in (results.output(case, name), results.expected_output(case, name))
        )
        if type(actual) is type(expected):
            actual, expected = read(actual), read(expected)
        return (
            None
            if actual == expected
            else Finding(text or f"{name} {difference_of_lists(actual, expected)}", case, name)
        )

    return check


def holds(case: str, names: tuple[str, ...], rule, text: str, given: tuple[str, ...] = ()):
    """`rule(*outputs, *given)` is true of what the JSON of these outputs says, and of what was given."""

    def read(*arrays):
        return rule(*map(read_text, arrays[: len(names)]), *arrays[len(names) :])

    return fits(case, names, given, read, text)
