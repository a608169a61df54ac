"""Where several submitted cells may be the same cell of the release: which one is it?"""

from autograder.repair.cells import HandedCell, Slot
from autograder.repair.repair_log import Damage
from autograder.repair.sources import compiles, normal


def choose(slots: list[Slot], damage: Damage) -> list[HandedCell]:
    """Set `chosen` of every slot; → the candidates that were not chosen and are to stay as own cells."""
    ends = {slot.name: _last_position(slot) for slot in slots if slot.role == "test"}
    own = []
    for slot in slots:
        if slot.role == "answer":
            slot.chosen = _answer(slot, ends.get(slot.name, float("inf")), damage)
        elif slot.role == "question":
            slot.chosen = _written(slot, damage)
        else:
            slot.chosen = min(slot.candidates, key=lambda cell: _strangeness(cell, slot), default=None)
        own += _others(slot, damage)
    return own


def added_to_locked(slots: list[Slot], damage: Damage) -> dict[Slot, HandedCell]:
    """What a student wrote into locked cells, as cells of their own."""
    added = {}
    for slot in slots:
        if slot.fixed and slot.chosen is not None and slot.chosen.normal != slot.normal:
            _other_object(slot, damage)
            released = set(slot.normal.split("\n"))
            source = normal("\n".join(line for line in slot.chosen.normal.split("\n") if line not in released))
            cell = HandedCell(slot.chosen.position, "code", source)
            if slot.cell.cell_type != "code" or not source or cell.only_checks:
                continue
            if compiles(source):
                added[slot] = cell
                damage.note("added", slot.label)
            else:
                damage.flag(
                    f"The locked cell `{slot.label}` was overwritten with code that is incomplete on its own; it "
                    "was not run."
                )
    return added


def real_definition(cell: HandedCell, slot: Slot) -> str | None:
    """The definition of the slot's object in this cell, unless it is the released stub or there is none."""
    found = cell.outline.bound.get(slot.object)
    return found if found is not None and normal(found) not in slot.normal else None


def runnable(cell: HandedCell, slot: Slot) -> str:
    """What of this cell can go in the answer cell: all of it, or only the definition if it isn't Python."""
    found = cell.outline.bound[slot.object]
    return found if not cell.outline.is_python and compiles(found) else cell.source


def _last_position(slot: Slot) -> float:
    return max((cell.position for cell in slot.candidates), default=float("inf"))


def _answer(slot: Slot, test: float, damage: Damage) -> HandedCell | None:
    """The last written version before the test: what the name means when the test runs."""
    written = [cell for cell in slot.candidates if cell.normal not in ("", slot.normal)]
    defining = [cell for cell in written if slot.object in cell.defines] or written
    if len({cell.normal for cell in defining}) > 1:
        damage.flag(f"There are different answers for `{slot.name}`; the last one before its test is graded.")
    before = [cell for cell in defining if cell.position < test] or defining
    return before[-1] if before else next(iter(slot.candidates), None)


def _written(slot: Slot, damage: Damage) -> HandedCell | None:
    """One answer as it is; of several, all that was written."""
    written = list({cell.normal: cell for cell in slot.candidates if cell.normal not in ("", slot.normal)}.values())
    if len(written) < 2:
        return next(iter(written or slot.candidates), None)
    damage.flag(f"There are different answers for `{slot.name}`, one after the other in the same cell.")
    first = written[0]
    pictures = {name: data for cell in reversed(written) for name, data in cell.attachments.items()}
    slot.candidates = [cell for cell in slot.candidates if cell not in written[1:]]
    slot.source = "\n\n".join(cell.source for cell in written)
    first.attachments = pictures
    return first


def _strangeness(cell: HandedCell, slot: Slot) -> tuple:
    """Small for the cell that is most surely this slot's: sorts the candidates."""
    return (cell.normal != slot.normal, cell.id != slot.cell.id, cell.grading.get("grade_id") != slot.grade_id)


def _others(slot: Slot, damage: Damage) -> list[HandedCell]:
    """Copies go; different cells with the same identity stay as the student's own."""
    others = [cell for cell in slot.candidates if cell is not slot.chosen]
    known = {"", slot.normal, slot.chosen.normal if slot.chosen else ""}
    own = []
    for cell in others:
        copy = cell.normal in known or (slot.role == "test" and cell.only_checks)
        damage.note("repeated" if copy else "second", slot.label)
        own += [] if copy else [cell]
    return own


def _other_object(slot: Slot, damage: Damage) -> None:
    called = slot.chosen.checks.get(slot.name) if slot.chosen else None
    if slot.role == "test" and called and called != slot.object:
        damage.flag(f"The test of `{slot.name}` was called on `{called[:60]}`; `{slot.object}` is graded.")
