"""The corpus of hostile submissions: one file an attack in `corpus/`, each a module that is harmless to import.

An attack's module says, in its docstring, what is tried, and in constants what the rest needs to know:

    KIND        the kind of attack, as the table groups them
    DESERVES    what the honest part is worth, of 20 points
    GETS        what it gets, where the attack costs it a part of that; the same when left out
    ANSWERS     answer cell → source, where it is not the right answer
    CELL        a code cell of the student's own, run before the first answer
    STATUS      exercise → the status that the judge must give it
    FLAGGED     is a person to be asked to look at it?
    STOCK       why stock nbgrader is not set on it; absent where it can be
    NOTE        a sentence for the table
    change(nb)  alters the notebook; data(nb) gives the bytes of the file that is handed in

Sources may say @COURSE@, @HOME@, @CHECKOUT@ and @PORT@: a student who knows where everything lies.
"""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

CORPUS = Path(__file__).parent / "corpus"
NOT_SOLVED = "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"  # 0 of 8 points
KINDS = (
    "patching",
    "rewriting cells",
    "objects that lie",
    "forged output",
    "forged frames",
    "hidden cases",
    "reading",
    "finding the reference",
    "built-in functions",
    "ending the process",
    "stalling",
    "bombs",
    "left behind",
    "network",
    "metadata and cells",
    "the file",
    "the instructor's browser",
)


@dataclass(frozen=True)
class Attack:
    """One hostile submission and what it deserves."""

    name: str
    tries: str
    kind: str
    deserves: float
    gets: float
    answers: dict[str, str] = field(default_factory=dict)
    cell: str = ""
    status: dict[str, str] = field(default_factory=dict)
    flagged: bool = False
    stock: str = ""
    note: str = ""
    change: Callable | None = None
    data: Callable | None = None

    def handed_in(self, solved: nbformat.NotebookNode, places: dict[str, str]) -> bytes:
        """The file of this submission: the solved notebook with the attack in it."""
        notebook = nbformat.from_dict(solved)
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = self.answers.get(name, cell.source)
        if self.cell:
            notebook.cells.insert(first_answer(notebook), nbformat.v4.new_code_cell(self.cell, id="own"))
        if self.change:
            self.change(notebook)
        data = self.data(notebook) if self.data else nbformat.writes(notebook).encode()
        for placeholder, place in places.items():
            data = data.replace(placeholder.encode(), place.encode())
        return data


def first_answer(notebook: nbformat.NotebookNode) -> int:
    """The index of the first cell that a student fills in."""
    return next(at for at, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("solution"))


def load(path: Path) -> Attack:
    """The attack that a file of the corpus describes."""
    spec = importlib.util.spec_from_file_location(f"attack_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Attack(
        name=path.stem.replace("_", " "),
        tries=" ".join(module.__doc__.split()),
        kind=module.KIND,
        deserves=module.DESERVES,
        gets=getattr(module, "GETS", module.DESERVES),
        answers=getattr(module, "ANSWERS", {}),
        cell=getattr(module, "CELL", ""),
        status=getattr(module, "STATUS", {}),
        flagged=getattr(module, "FLAGGED", False),
        stock=getattr(module, "STOCK", ""),
        note=getattr(module, "NOTE", ""),
        change=getattr(module, "change", None),
        data=getattr(module, "data", None),
    )


def attacks() -> list[Attack]:
    """Every attack, in the order of the kinds."""
    found = [load(path) for path in sorted(CORPUS.glob("*.py"))]
    return sorted(found, key=lambda attack: (KINDS.index(attack.kind), attack.name))
