"""Of several answers one counts, and a person is asked to look where it is not plain which; repaired ones are run."""

import copy

import pytest

from .two_exercises import (
    DOUBLE,
    RIGHT,
    SOLVED,
    STUB,
    TRIPLE,
    ours,
    own,
    page,
    repaired,
    run,
    with_after,
    without,
)


def again(factor: int):
    """A second answer cell with the identity of the first, as a notebook editor copies it."""
    return ours("double", f"def double(x):\n    return {factor} * x", solution=True)


def test_of_two_different_answers_before_the_test_the_last_counts_and_is_flagged():
    result = repaired(*with_after(page("def double(x):\n    return x", TRIPLE), "double", again(2)))
    assert run(result.notebook) == RIGHT
    assert any("different answers for `double`" in flag for flag in result.flags)


def test_of_two_different_answers_around_the_test_the_one_before_counts_and_is_flagged():
    result = repaired(*with_after(SOLVED, "test_double", again(5)))
    assert run(result.notebook) == RIGHT
    assert any("different answers for `double`" in flag for flag in result.flags)


@pytest.mark.parametrize("place", ["intro", "double", "test_double", "end"])
def test_a_copy_of_the_stub_never_undoes_an_answer(place):
    result = repaired(*with_after(SOLVED, place, ours("double", STUB.format("double"), solution=True)))
    assert run(result.notebook) == RIGHT
    assert "Duplicate cells were removed: `double`." in result.repairs
    assert result.flags == []


def test_a_definition_below_the_test_does_not_count_and_is_flagged():
    result = repaired(*with_after(SOLVED, "end", own("def double(x):\n    return 5 * x")))
    assert run(result.notebook) == RIGHT
    assert "`double` is defined again below its test" in result.flags[0]


def test_a_test_called_on_something_else_is_restored_and_flagged():
    cells = dict(copy.deepcopy(SOLVED))
    cells["test_double"].source = 'check("double", twice)'
    result = repaired(*cells.values())
    assert result.flags == ["The test of `double` was called on `twice`; `double` is graded."]
    assert run(result.notebook)["double"] == 14


def test_a_merge_conflict_with_the_stub_is_decided():
    conflict = f"<<<<<<< HEAD\n{DOUBLE}\n=======\n{STUB.format('double')}\n>>>>>>> release"
    result = repaired(*page(conflict, TRIPLE).values())
    assert run(result.notebook) == RIGHT
    assert result.flags == []


def test_a_merge_conflict_between_two_answers_is_flagged():
    conflict = f"<<<<<<< HEAD\n{DOUBLE}\n||||||| base\n=======\n{DOUBLE.replace('2', '5')}\n>>>>>>> theirs"
    result = repaired(*page(conflict, TRIPLE).values())
    assert run(result.notebook) == RIGHT
    assert "unresolved merge conflict" in result.flags[0]


def test_markers_that_a_merge_left_between_cells_are_flagged():
    markers = [
        own(text, f"m{at}", "markdown") for at, text in enumerate(("<<<<<<< local", "=======", ">>>>>>> remote"))
    ]
    cells = without(SOLVED, "double")
    result = repaired(*cells[:2], markers[0], again(2), markers[1], again(5), markers[2], *cells[2:])
    assert run(result.notebook) == {"double": 35, "triple": 21}
    assert [flag.split()[0] for flag in result.flags] == ["The", "There"]
