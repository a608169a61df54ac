"""What takes the place of a size in an edited solution is no larger than a size."""

from autograder.catalogue.single_edits import single_edits
from autograder.judging.answer_key.solutions import LargeNumber, Solution, types_of

SOURCE = """
def layers(count, width, steps):
    return [[width] * width for _ in range(count)], steps
"""


def types(steps):
    return types_of(Solution("layers", __name__, SOURCE), lambda layers: layers(2, 3, steps))


def test_a_large_number_has_a_type_of_its_own():
    assert types(1000)["layers", "steps"] is LargeNumber
    assert types(5)["layers", "steps"] is int


def test_a_large_number_does_not_take_the_place_of_a_small_one():
    called = "`range(steps)` in place of `range(count)`"
    assert called in {edit.name for edit in single_edits(SOURCE, types(5))}
    assert called not in {edit.name for edit in single_edits(SOURCE, types(1000))}
