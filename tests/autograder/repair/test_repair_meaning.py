"""What counts is what a name means when its test runs: repaired notebooks are run, on a page of two small exercises."""

import copy

import nbformat
import pytest

from autograder.repair.canonical import make_cell, notebook_of
from autograder.repair.repair import repair

STUB = 'def {0}(x):\n    """Give {0} of a number."""\n    raise NotImplementedError'
DOUBLE, TRIPLE = "def double(x):\n    return 2 * x", "def triple(x):\n    return 3 * x"


def ours(name: str, source: str, kind: str = "code", **flags) -> nbformat.NotebookNode:
    grading = {"grade_id": name, "grade": False, "locked": False, "solution": False, "task": False, **flags}
    return make_cell(kind, source, name, {"nbgrader": grading}, {})


def own(source: str, name: str = "mine", kind: str = "code") -> nbformat.NotebookNode:
    return make_cell(kind, source, name, {}, {})


def page(double: str = STUB.format("double"), triple: str = STUB.format("triple")) -> dict:
    """The cells of the page by name, in order."""
    cells = [
        own("# Two small exercises\n\nThey are about numbers.", "intro", "markdown"),
        ours("setup", "import math", locked=True),
        ours("double", double, solution=True),
        ours("test_double", 'check("double", double)', grade=True, locked=True, points=2),
        own("print(math.pi)", "demo"),
        ours("triple", triple, solution=True),
        ours("test_triple", 'check("triple", triple)', grade=True, locked=True, points=3),
        own("## Why?", "heading", "markdown"),
        ours("why", "*Your answer here.*", "markdown", grade=True, solution=True, points=5),
        own("The end of the page.", "end", "markdown"),
    ]
    return {cell.id: cell for cell in cells}


RELEASE = notebook_of(list(page().values()))


def repaired(*cells):
    return repair(notebook_of(copy.deepcopy(list(cells))), RELEASE)


def run(notebook) -> dict:
    """Exercise → its value at 7, as found by its test when the cells have run in order."""
    space, found = {"check": lambda *_: None, "print": lambda *_: None}, {}
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        try:
            if grading.get("grade") and cell.cell_type == "code":
                name = grading["grade_id"].removeprefix("test_")
                found[name] = space[name](7)
            elif cell.cell_type == "code":
                exec(cell.source, space)
        except Exception as error:
            found.setdefault(grading.get("grade_id", "").removeprefix("test_"), type(error).__name__)
    return found


def with_after(cells: dict, name: str, *new) -> list:
    """The cells, with new ones after the one that is named."""
    return [item for key, cell in cells.items() for item in ((cell, *new) if key == name else (cell,))]


def without(cells: dict, *names: str) -> list:
    return [cell for key, cell in cells.items() if key not in names]


SOLVED = page(DOUBLE, TRIPLE)
HALF = page(triple=TRIPLE)  # double is not written


def test_a_new_cell_below_the_untouched_stub_counts_where_it_stands():
    result = repaired(*with_after(HALF, "double", own(DOUBLE)))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert (result.repairs, result.flags) == ([], [])
    assert len(result.notebook.cells) == len(RELEASE.cells) + 1


@pytest.mark.parametrize("place", ["intro", "setup", "test_double", "triple", "end"])
def test_a_new_cell_that_the_stub_would_overwrite_becomes_the_answer(place):
    result = repaired(*with_after(HALF, place, own(DOUBLE)))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert "Answers that stood in another cell were found there: `double`." in result.repairs


@pytest.mark.parametrize("place", ["intro", "demo", "end"])
def test_both_answers_written_into_one_new_cell_both_count(place):
    result = repaired(*with_after(page(), place, own(f"{DOUBLE}\n\n\n{TRIPLE}")))
    assert run(result.notebook) == {"double": 14, "triple": 21}


def test_an_assigned_answer_counts_as_a_definition():
    result = repaired(*with_after(HALF, "setup", own("double = lambda x: 2 * x")))
    assert run(result.notebook)["double"] == 14


def test_an_answer_written_into_a_deleted_cells_place_is_found():
    result = repaired(*with_after({k: c for k, c in HALF.items() if k != "double"}, "end", own(DOUBLE)))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert [cell.id for cell in result.notebook.cells] == [cell.id for cell in RELEASE.cells]


def test_an_answer_merged_with_everything_around_it_is_found():
    merged = "\n\n".join(SOLVED[name].source for name in ("double", "test_double", "demo", "triple", "test_triple"))
    cells = without(page(merged), "test_double", "demo", "triple", "test_triple")
    assert run(repaired(*cells).notebook) == {"double": 14, "triple": 21}


def test_an_answer_merged_into_prose_is_found():
    prose = own(f"# Two small exercises\n\n{DOUBLE}\n\nThey are about numbers.", "intro", "markdown")
    result = repaired(prose, *without(SOLVED, "intro", "double"))
    assert run(result.notebook) == {"double": 14, "triple": 21}


def test_an_answer_written_into_its_test_cell_is_kept_as_an_own_cell():
    cells = dict(copy.deepcopy(HALF))
    cells["test_double"].source = f"{DOUBLE}\n\n{cells['test_double'].source}"
    result = repaired(*cells.values())
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert "Locked cells that were edited were restored: `test_double`." in result.repairs


def test_imports_added_to_a_locked_cell_are_kept():
    cells = dict(page("def double(x):\n    return operator.mul(2, x)", TRIPLE))
    cells["setup"].source = "import math\nimport operator"
    result = repaired(*cells.values())
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert next(cell for cell in result.notebook.cells if cell.id == "setup").source == "import math"


def test_what_cannot_stand_alone_in_a_locked_cell_is_flagged():
    cells = dict(copy.deepcopy(SOLVED))
    cells["setup"].source = "import math (for pi)"
    result = repaired(*cells.values())
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert "`setup` held something else" in result.flags[0]


@pytest.mark.parametrize("place", ["intro", "setup", "test_double", "end"])
def test_a_helper_in_a_cell_of_its_own_runs_before_the_test(place):
    cells = page("def double(x):\n    return times(2, x)", TRIPLE)
    helper = own("import operator\ndef times(a, b):\n    return operator.mul(a, b)", "helper")
    result = repaired(*with_after(cells, place, helper))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert bool(result.repairs) == (place in ("test_double", "end"))


def test_a_helper_of_a_helper_comes_too_and_in_order():
    cells = page("def double(x):\n    return times2(x)", TRIPLE)
    base, helper = (
        own("from functools import partial\nfrom operator import mul", "base"),
        own("times2 = partial(mul, 2)", "b"),
    )
    assert run(repaired(*with_after(cells, "end", base, helper)).notebook) == {"double": 14, "triple": 21}


def test_a_helper_moves_with_its_displaced_answer():
    cells = page("def double(x):\n    return times(2, x)", TRIPLE)
    rest = without(cells, "double")
    result = repaired(*rest, own("def times(a, b):\n    return a * b", "helper"), cells["double"])
    assert run(result.notebook) == {"double": 14, "triple": 21}


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
    assert run(result.notebook) == {"double": 14, "triple": 21}
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
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert result.repairs == ["Answers that had been split in the middle were joined: `double`."]


def test_the_inside_of_a_definition_far_from_its_beginning_is_flagged():
    result = repaired(*with_after(page('def double(x):\n    """Twice."""', TRIPLE), "end", own("    return 2 * x")))
    assert any("inside of a definition" in flag for flag in result.flags)


def again(factor: int):
    """A second answer cell with the identity of the first, as a notebook editor copies it."""
    return ours("double", f"def double(x):\n    return {factor} * x", solution=True)


def test_of_two_different_answers_before_the_test_the_last_counts_and_is_flagged():
    result = repaired(*with_after(page("def double(x):\n    return x", TRIPLE), "double", again(2)))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert any("different answers for `double`" in flag for flag in result.flags)


def test_of_two_different_answers_around_the_test_the_one_before_counts_and_is_flagged():
    result = repaired(*with_after(SOLVED, "test_double", again(5)))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert any("different answers for `double`" in flag for flag in result.flags)


@pytest.mark.parametrize("place", ["intro", "double", "test_double", "end"])
def test_a_copy_of_the_stub_never_undoes_an_answer(place):
    result = repaired(*with_after(SOLVED, place, ours("double", STUB.format("double"), solution=True)))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert "Repeated cells were taken out: `double`." in result.repairs
    assert result.flags == []


def test_a_definition_below_the_test_does_not_count_and_is_flagged():
    result = repaired(*with_after(SOLVED, "end", own("def double(x):\n    return 5 * x")))
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert "`double` is defined again below its test" in result.flags[0]


def test_a_renamed_answer_is_flagged():
    result = repaired(*page(DOUBLE.replace("double", "twice"), TRIPLE).values())
    assert run(result.notebook)["double"] == "KeyError"
    assert "Nothing before its test defines `double`" in result.flags[0]


def test_a_test_called_on_something_else_is_restored_and_flagged():
    cells = dict(copy.deepcopy(SOLVED))
    cells["test_double"].source = 'check("double", twice)'
    result = repaired(*cells.values())
    assert result.flags == ["The test of `double` was called on `twice`: `double` is what is graded."]
    assert run(result.notebook)["double"] == 14


def test_a_merge_conflict_with_the_stub_is_decided():
    conflict = f"<<<<<<< HEAD\n{DOUBLE}\n=======\n{STUB.format('double')}\n>>>>>>> release"
    result = repaired(*page(conflict, TRIPLE).values())
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert result.flags == []


def test_a_merge_conflict_between_two_answers_is_flagged():
    conflict = f"<<<<<<< HEAD\n{DOUBLE}\n||||||| base\n=======\n{DOUBLE.replace('2', '5')}\n>>>>>>> theirs"
    result = repaired(*page(conflict, TRIPLE).values())
    assert run(result.notebook) == {"double": 14, "triple": 21}
    assert "unresolved merge conflict" in result.flags[0]


def test_markers_that_a_merge_left_between_cells_are_flagged():
    markers = [
        own(text, f"m{at}", "markdown") for at, text in enumerate(("<<<<<<< local", "=======", ">>>>>>> remote"))
    ]
    cells = without(SOLVED, "double")
    result = repaired(*cells[:2], markers[0], again(2), markers[1], again(5), markers[2], *cells[2:])
    assert run(result.notebook) == {"double": 35, "triple": 21}
    assert [flag.split()[0] for flag in result.flags] == ["Cells", "There"]


@pytest.mark.parametrize("lost", [True, False])
def test_a_written_answer_is_found_by_its_place(lost):
    cells = dict(copy.deepcopy(SOLVED))
    cells["why"].source = "Because the variance grows."
    if lost:
        cells["why"].metadata, cells["why"].id = {}, "another"
    result = repaired(*cells.values())
    assert next(cell for cell in result.notebook.cells if cell.id == "why").source == "Because the variance grows."
    assert bool(result.repairs) == lost


def test_text_below_an_unanswered_question_is_flagged():
    result = repaired(*with_after(SOLVED, "why", own("Because the variance grows.", kind="markdown")))
    assert "`why` has no answer, but there is text right below it" in result.flags[0]
    assert result.repairs == []


def test_the_notebook_of_another_stage_is_flagged():
    result = repaired(SOLVED["setup"], own("x = 17"))
    assert "No exercise of this stage" in result.flags[0]
    assert "x = 17" in [cell.source for cell in result.notebook.cells]


def test_what_the_student_deleted_is_flagged_not_only_put_back():
    result = repaired(*without(SOLVED, "double"))
    assert run(result.notebook) == {"double": "NotImplementedError", "triple": 21}
    assert result.repairs == ["Missing cells were put back as released: `double`."]
    assert "gone" in result.flags[0]


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
