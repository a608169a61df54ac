"""What the exercises about text have in common: words drawn letter by letter, and rules about lists."""

import torch

from autograder.catalogue.checks import fits
from autograder.judging.results import Finding, Results, difference_of_lists, read_text

LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßéñ"


def shuffled(g, letters=LETTERS) -> str:
    """The letters in a random order."""
    return "".join(letters[i] for i in torch.randperm(len(letters), generator=g).tolist())


def below(g, n: int) -> int:
    """A random whole number from 0 to n − 1."""
    return int(torch.randint(n, (1,), generator=g))


def word(g, letters: str, length: int) -> str:
    """A random word without a letter that follows itself, so that no two of its pairs overlap."""
    found = ""
    while len(found) < length:
        letter = letters[below(g, len(letters))]
        found += letter if not found.endswith(letter) else ""
    return found


def same(case: str, name: str, read=lambda value: value, text: str = ""):
    """What the JSON of an output says, read in this way, is what the answer's says."""

    def check(results: Results) -> Finding | None:
        found, due = (read(read_text(array)) for array in (results.output(case, name), results.answer(case, name)))
        return None if found == due else Finding(text or f"{name} {difference_of_lists(found, due)}", case, name)

    return check


def holds(case: str, names: tuple[str, ...], rule, text: str, given: tuple[str, ...] = ()):
    """`rule(*outputs, *given)` is true of what the JSON of these outputs says, and of what was given."""

    def read(*arrays):
        return rule(*map(read_text, arrays[: len(names)]), *arrays[len(names) :])

    return fits(case, names, given, read, text)
