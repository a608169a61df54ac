"""Whether a submission is the notebook of another stage, handed in by mistake."""

from autograder.repair.cells import HandedCell, Slot
from autograder.stages import STAGES


def other_stage(cells: list[HandedCell], slots: list[Slot]) -> str | None:
    """The stage with most of the exercises that the cells name; None if they name one of the release, or none."""
    graded = {str(cell.grading.get("grade_id")).removeprefix("test_") for cell in cells}
    named = graded.union(*(cell.checks for cell in cells))
    if named & {slot.name for slot in slots if slot.role in ("answer", "test")}:
        return None
    likely = max(STAGES, key=lambda stage: len(named.intersection(stage.exercises)))
    return likely.name if named.intersection(likely.exercises) else None
