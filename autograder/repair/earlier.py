"""The forms that the cells of a stage had in earlier releases: text from an earlier release isn't a student's edit."""

from nbformat import NotebookNode

from autograder.repair.cells import HandedCell, Slot, slots_of

DECISIVE = ("grade_id", "grade", "points", "solution", "locked", "task", "cell_type")  # not checksum and schema

Forms = dict[str, list[list]]  # cell → [[decisive metadata …, source], …]; plain data, kept as JSON


def forms_of(release: NotebookNode) -> Forms:
    """Every cell of a release, by the name that reports give it."""
    return {slot.label: [form_of(slot)] for slot in slots_of(release)}


def form_of(slot: Slot) -> list:
    """A cell as it was released."""
    return [*_decisive(slot.cell.metadata.get("nbgrader") or {}), slot.normal]


def together(first: Forms, second: Forms) -> Forms:
    """The forms of both, each once."""
    return {
        label: [form for at, form in enumerate(forms) if form not in forms[:at]]
        for label in {**first, **second}
        for forms in [first.get(label, []) + second.get(label, [])]
    }


def was_released(cell: HandedCell, forms: list[list]) -> bool:
    """Whether a submitted cell has the grading metadata of one of the forms."""
    return _decisive(cell.grading) in [form[:-1] for form in forms]


def had_source(cell: HandedCell, forms: list[list]) -> bool:
    """Whether a submitted cell has the text of one of the forms."""
    return cell.normal in [form[-1] for form in forms]


def _decisive(grading: dict) -> list:
    return [grading.get(key) for key in DECISIVE]
