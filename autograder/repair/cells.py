"""The two sides of a repair: a submitted cell with what can be read off it, and a place of the release."""

from dataclasses import dataclass, field
from functools import cached_property

from nbformat import NotebookNode

from autograder.repair.canonical import canonical_cells, safe_attachments
from autograder.repair.repair_log import Damage
from autograder.repair.sources import CHECK, Outline, normal, outline, provided_and_needed
from autograder.stages import name_of


@dataclass(eq=False)
class HandedCell:
    """A submitted cell; `position` orders the submission."""

    position: float
    kind: str
    source: str
    id: str | None = None
    grading: dict = field(default_factory=dict)
    attachments: dict = field(default_factory=dict)

    @cached_property
    def normal(self) -> str:
        """The source without an editor's differences."""
        return normal(self.source)

    @cached_property
    def outline(self) -> Outline:
        """What the top level of the source defines, whatever the kind of the cell."""
        return outline(self.source)

    @property
    def defines(self) -> set[str]:
        """Functions and classes that the source defines, whatever the kind of the cell."""
        return set(self.outline.defined)

    @property
    def binds(self) -> set[str]:
        """Names that running the cell would define or assign."""
        return set(self.outline.bound) if self.kind == "code" else set()

    @cached_property
    def _names(self) -> tuple[frozenset[str], frozenset[str]]:
        return provided_and_needed(self.source) if self.kind == "code" else (frozenset(), frozenset())

    @property
    def provides(self) -> frozenset[str]:
        """Names that are there after the cell has run, imports included."""
        return self._names[0]

    @property
    def needs(self) -> frozenset[str]:
        """Global names that the cell reads."""
        return self._names[1]

    @cached_property
    def checks(self) -> dict[str, str]:
        """Exercise → object, for each line `check("exercise", object)`."""
        return dict(CHECK.findall(self.source))

    @cached_property
    def only_checks(self) -> bool:
        """Whether the cell is nothing but calls of `check`, and comments."""
        rest = [line for line in CHECK.sub("", self.source).splitlines() if line.strip()]
        return bool(self.checks) and all(line.lstrip().startswith("#") for line in rest)


@dataclass(eq=False)
class Slot:
    """A cell of the release, and the submitted cells that may be it."""

    rank: int
    cell: NotebookNode
    role: str  # locked, test, answer, question or open
    name: str  # the exercise of an answer or test; else the grade_id or cell id
    candidates: list[HandedCell] = field(default_factory=list)
    chosen: HandedCell | None = None
    source: str | None = None  # what an answer is to hold where that is not what its cell holds

    @cached_property
    def normal(self) -> str:
        """The released source without an editor's differences."""
        return normal(self.cell.source)

    @cached_property
    def provides(self) -> frozenset[str]:
        """Names that are there after the released cell has run."""
        return provided_and_needed(self.cell.source)[0] if self.cell.cell_type == "code" else frozenset()

    @property
    def object(self) -> str:
        """What an answer defines and its test is called on."""
        return name_of(self.name)

    @property
    def grade_id(self) -> str | None:
        """nbgrader's name of the cell."""
        return self.cell.metadata.get("nbgrader", {}).get("grade_id")

    @property
    def label(self) -> str:
        """How reports name the cell."""
        return self.grade_id or self.cell.id

    @property
    def fixed(self) -> bool:
        """Whether the source is the release's, whatever was handed in."""
        return self.role in ("locked", "test")

    def untouched(self) -> bool:
        """Whether the student changed nothing here."""
        return self.chosen is None or self.chosen.normal in ("", self.normal)


def slots_of(release: NotebookNode) -> list[Slot]:
    """The places of the release, in order."""
    return [_slot(rank, cell) for rank, cell in enumerate(release.cells)]


def cells_of(submitted: NotebookNode, damage: Damage) -> list[HandedCell]:
    """The submitted cells as records; from a notebook that `read_submission` gave, or any other."""
    raw = submitted.get("cells") if isinstance(submitted, dict) else None
    nodes = canonical_cells(raw if isinstance(raw, list) else [], damage)
    return [
        HandedCell(
            position,
            node.cell_type,
            node.source,
            node.id,
            dict(node.metadata.get("nbgrader", {})),
            safe_attachments(node.get("attachments")),
        )
        for position, node in enumerate(nodes)
    ]


def _slot(rank: int, cell: NotebookNode) -> Slot:
    grading = cell.metadata.get("nbgrader") or {}
    if grading.get("solution"):
        role = "answer" if cell.cell_type == "code" else "question"
    elif grading.get("locked"):
        role = "test" if grading.get("grade") else "locked"
    else:
        role = "open"
    name = grading.get("grade_id") or cell.id
    return Slot(rank, cell, role, name.removeprefix("test_") if role == "test" else name)
