"""An answer, and what it needs, counts wherever it stands: repaired notebooks are run."""

import copy

import pytest

from .two_exercises import (
    DOUBLE,
    HALF,
    RELEASE,
    RIGHT,
    SOLVED,
    TRIPLE,
    ours,
    own,
    page,
    repaired,
    run,
    with_after,
    without,
)

MERGED = "\n\n".join(SOLVED[name].source for name in ("double", "test_double", "demo", "triple", "test_triple"))
IN_PROSE = own(f"# Two small exercises\n\n{DOUBLE}\n\nThey are about numbers.", "intro", "markdown")
USING_A_HELPER = page("def double(x):\n    return times(2, x)", TRIPLE)
TWO_HELPERS = (own("from functools import partial\nfrom operator import mul", "a"), own("times = partial(mul)", "b"))
HAND_INS = {
    "assigned": with_after(HALF, "setup", own("double = lambda x: 2 * x")),
    "both in a new cell at the top": with_after(page(), "intro", own(f"{DOUBLE}\n\n\n{TRIPLE}")),
    "both in a new cell between": with_after(page(), "demo", own(f"{DOUBLE}\n\n\n{TRIPLE}")),
    "both in a new cell at the end": with_after(page(), "end", own(f"{DOUBLE}\n\n\n{TRIPLE}")),
    "merged with all around it": without(page(MERGED), "test_double", "demo", "triple", "test_triple"),
    "merged into prose": [IN_PROSE, *without(SOLVED, "intro", "double")],
    "with a helper of a helper": with_after(USING_A_HELPER, "end", *TWO_HELPERS),
    "displaced with its helper": [
        *without(USING_A_HELPER, "double"),
        own("def times(a, b):\n    return a * b", "helper"),
        USING_A_HELPER["double"],
    ],
}


@pytest.mark.parametrize("cells", HAND_INS.values(), ids=HAND_INS)
def test_an_answer_counts_wherever_it_stands(cells):
    assert run(repaired(*cells).notebook) == RIGHT


def test_a_new_cell_below_the_untouched_stub_counts_where_it_stands():
    result = repaired(*with_after(HALF, "double", own(DOUBLE)))
    assert run(result.notebook) == RIGHT
    assert (result.repairs, result.flags) == ([], [])
    assert len(result.notebook.cells) == len(RELEASE.cells) + 1


@pytest.mark.parametrize("place", ["intro", "setup", "test_double", "triple", "end"])
def test_a_new_cell_that_the_stub_would_overwrite_becomes_the_answer(place):
    result = repaired(*with_after(HALF, place, own(DOUBLE)))
    assert run(result.notebook) == RIGHT
    assert "Answers were found in another cell: `double`." in result.repairs


def test_an_answer_written_into_a_deleted_cells_place_is_found():
    result = repaired(*with_after({k: c for k, c in HALF.items() if k != "double"}, "end", own(DOUBLE)))
    assert run(result.notebook) == RIGHT
    assert [cell.id for cell in result.notebook.cells] == [cell.id for cell in RELEASE.cells]


def test_an_answer_written_into_its_test_cell_is_kept_as_an_own_cell():
    cells = dict(copy.deepcopy(HALF))
    cells["test_double"].source = f"{DOUBLE}\n\n{cells['test_double'].source}"
    result = repaired(*cells.values())
    assert run(result.notebook) == RIGHT
    assert "Locked cells that were edited were restored: `test_double`." in result.repairs


def test_imports_added_to_a_locked_cell_are_kept():
    cells = dict(page("def double(x):\n    return operator.mul(2, x)", TRIPLE))
    cells["setup"].source = "import math\nimport operator"
    result = repaired(*cells.values())
    assert run(result.notebook) == RIGHT
    assert next(cell for cell in result.notebook.cells if cell.id == "setup").source == "import math"


@pytest.mark.parametrize("place", ["intro", "setup", "test_double", "end"])
def test_a_helper_in_a_cell_of_its_own_runs_before_the_test(place):
    cells = page("def double(x):\n    return times(2, x)", TRIPLE)
    helper = own("import operator\ndef times(a, b):\n    return operator.mul(a, b)", "helper")
    result = repaired(*with_after(cells, place, helper))
    assert run(result.notebook) == RIGHT
    assert bool(result.repairs) == (place in ("test_double", "end"))


def test_a_local_name_is_no_reason_to_move_a_cell():
    cells = page("def double(x):\n    y = 2 * x\n    return y", TRIPLE)
    result = repaired(*with_after(cells, "end", own("y = 5")))
    assert result.repairs == []
    assert result.notebook.cells[-1].source == "y = 5"


def test_an_answer_split_into_helper_and_definition_counts_whole():
    parts = [ours("double", "def times(a, b):\n    return a * b", solution=True)]
    parts += [ours("double", "def double(x):\n    return times(2, x)", solution=True)]
    cells = without(SOLVED, "double")
    result = repaired(*cells[:2], *parts, *cells[2:])
    assert run(result.notebook) == RIGHT
    assert result.repairs


@pytest.mark.parametrize(
    "parts",
    [
        ("def double(x):", "    return 2 * x"),
        ("def double(x):\n    ", "return 2 * x"),
        ('def double(x):\n    """Twice."""', "    y = x + x", "    return y"),
        ("def double(x):\n    if x:", "        return 2 * x\n    return 0"),
    ],
)
def test_a_definition_torn_in_the_middle_is_joined(parts):
    pieces = [own(part, f"part-{at}") for at, part in enumerate(parts[1:])]
    result = repaired(*with_after(page(parts[0], TRIPLE), "double", *pieces))
    assert run(result.notebook) == RIGHT
    assert result.repairs == ["Answers split across cells were joined: `double`."]


@pytest.mark.parametrize("lost", [True, False])
def test_a_written_answer_is_found_by_its_place(lost):
    cells = dict(copy.deepcopy(SOLVED))
    cells["why"].source = "Because the variance grows."
    if lost:
        cells["why"].metadata, cells["why"].id = {}, "another"
    result = repaired(*cells.values())
    assert next(cell for cell in result.notebook.cells if cell.id == "why").source == "Because the variance grows."
    assert bool(result.repairs) == lost
