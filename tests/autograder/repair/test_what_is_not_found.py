"""A cell that isn't an answer, or may be one that can't be found, is restored, and a person is asked to look."""

import copy

import pytest

from autograder.repair.repair import repair

from .two_exercises import (
    DOUBLE,
    HALF,
    RELEASE,
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


def test_what_cannot_stand_alone_in_a_locked_cell_is_flagged():
    cells = dict(copy.deepcopy(SOLVED))
    cells["setup"].source = "import math (for pi)"
    result = repaired(*cells.values())
    assert run(result.notebook) == RIGHT
    assert "`setup` was overwritten" in result.flags[0]


def test_the_inside_of_a_definition_far_from_its_beginning_is_flagged():
    result = repaired(*with_after(page('def double(x):\n    """Twice."""', TRIPLE), "end", own("    return 2 * x")))
    assert any("body of a definition" in flag for flag in result.flags)


def test_a_renamed_answer_is_flagged():
    result = repaired(*page(DOUBLE.replace("double", "twice"), TRIPLE).values())
    assert run(result.notebook)["double"] == "KeyError"
    assert "Nothing before its test defines `double`" in result.flags[0]


def test_text_below_an_unanswered_question_is_flagged():
    result = repaired(*with_after(SOLVED, "why", own("Because the variance grows.", kind="markdown")))
    assert "`why` has no answer, but there is text right below it" in result.flags[0]
    assert result.repairs == []


def test_the_notebook_of_another_stage_is_named_and_nothing_else_is_said():
    answer = ours("PositionalEncoding", STUB.format("PositionalEncoding"), solution=True)
    test = ours("test_LearnedPositions", 'check("LearnedPositions", LearnedPositions)', grade=True, locked=True)
    cells = [SOLVED["setup"], own("Because.", kind="markdown"), answer, test, SOLVED["why"], SOLVED["end"]]
    result = repaired(*cells)
    assert (result.repairs, result.flags) == ([], ["This looks like the notebook of 03_positions."])
    assert repaired(*cells, SOLVED["double"]).flags != result.flags


def test_a_notebook_of_no_stage_is_flagged():
    result = repaired(SOLVED["setup"], own("x = 17"))
    assert "no exercise of this stage" in result.flags[0]
    assert "x = 17" in [cell.source for cell in result.notebook.cells]


def test_what_the_student_deleted_is_flagged_not_only_put_back():
    result = repaired(*without(SOLVED, "double"))
    assert run(result.notebook) == {"double": "NotImplementedError", "triple": 21}
    assert result.repairs == ["Missing cells were put back as released: `double`."]
    assert "missing" in result.flags[0]


@pytest.mark.parametrize("cells", [SOLVED, HALF, without(SOLVED, "double", "setup"), [*SOLVED.values()][::-1]])
def test_a_repaired_notebook_needs_no_repair(cells):
    once = repaired(*(cells.values() if isinstance(cells, dict) else cells))
    twice = repair(once.notebook, RELEASE)
    assert twice.notebook == once.notebook
    assert (twice.repairs, twice.flags) == ([], [])


def test_nothing_handed_in_is_the_release():
    result = repaired()
    assert result.notebook == RELEASE
    assert run(result.notebook) == {"double": "NotImplementedError", "triple": "NotImplementedError"}
