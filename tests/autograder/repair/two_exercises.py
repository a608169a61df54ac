"""A page of two small exercises, and what they mean when a repaired notebook is run."""

import copy

import nbformat

from autograder.repair.canonical import make_cell, notebook_of
from autograder.repair.repair import repair

STUB = 'def {0}(x):\n    """Give {0} of a number."""\n    raise NotImplementedError'
DOUBLE, TRIPLE = "def double(x):\n    return 2 * x", "def triple(x):\n    return 3 * x"
RIGHT = {"double": 14, "triple": 21}  # at 7


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
SOLVED = page(DOUBLE, TRIPLE)
HALF = page(triple=TRIPLE)  # double is not written


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
