"""A damaged submission in the form of its release: every cell of ours, the student's answers and own cells.

Identity is recovered by grade_id, then by cell id, then by text and by what a cell defines. What counts is
what a name means when its test runs. Every repair is reported; what cannot be decided is flagged.
"""

from copy import deepcopy
from dataclasses import dataclass
from textwrap import dedent

from nbformat import NotebookNode

from autograder.repair.canonical import make_cell, notebook_of, unused
from autograder.repair.cells import HandedCell, Slot, cells_of, slots_of
from autograder.repair.choosing import added_to_locked, choose, real_definition, runnable
from autograder.repair.earlier import Forms, form_of, had_source, was_released
from autograder.repair.layout import Piece, lay_out
from autograder.repair.matching import match, written_answers
from autograder.repair.merge_conflicts import joined, resolved
from autograder.repair.other_stage import other_stage
from autograder.repair.reading import read_submission
from autograder.repair.repair_log import Damage, listed
from autograder.repair.sources import compiles

__all__ = ["Repaired", "read_submission", "repair"]


@dataclass
class Repaired:
    """A notebook in the release's form, what was done to it, and what an instructor must look at."""

    notebook: NotebookNode
    repairs: list[str]
    flags: list[str]


def repair(submitted: NotebookNode, release: NotebookNode, earlier: Forms | None = None) -> Repaired:
    """Bring a submission into the form of its release.

    Locked cells hold the release's source, answer cells the student's, and the student's own cells stand
    beside their neighbours; all of it valid nbformat 4.5, without outputs. A cell as an earlier release had it
    is brought up to date without a word: the student did not change it. Of another stage's notebook only that is said.
    """
    damage, slots = Damage(), slots_of(release)
    cells = cells_of(submitted, damage)
    released = {slot.normal for slot in slots}
    cells = joined([resolved(cell, released, damage) for cell in cells], damage)
    own = _identify(cells, slots, damage)
    if not any(slot.chosen for slot in slots if slot.role in ("answer", "test", "question")):
        damage.flag(
            "The notebook contains no exercise of this stage; please check whether the right file was submitted."
        )
    added = added_to_locked(slots, damage)
    for slot in slots:
        _report(slot, (earlier or {}).get(slot.label, []), damage)
    own = [cell for cell in own if cell.source.strip() and not _is_stub(cell, slots, damage)]
    pieces = lay_out(slots, own, added, damage)
    _find_elsewhere(pieces, cells, damage)
    _look_again(pieces, damage)
    notebook = _notebook(pieces, release, damage)
    if other := other_stage(cells, slots):
        return Repaired(notebook, [], [f"This looks like the notebook of {other}."])
    return Repaired(notebook, damage.repairs, damage.flags)


def _identify(cells: list[HandedCell], slots: list[Slot], damage: Damage) -> list[HandedCell]:
    """Choose the cell of every slot; → the cells that are the student's own."""
    left = match(cells, slots)
    own = choose(slots, damage)
    left = written_answers(left, slots)
    return left + own + choose([slot for slot in slots if slot.role == "question" and not slot.chosen], damage)


def _is_stub(cell: HandedCell, slots: list[Slot], damage: Damage) -> bool:
    """Whether this is a copy of an answer cell as released, which could only undo the answer."""
    stub = next((slot for slot in slots if slot.role == "answer" and slot.normal == cell.normal), None)
    if stub:
        damage.note("repeated", stub.label)
    return stub is not None


def _report(slot: Slot, forms: list[list], damage: Damage) -> None:
    """What is wrong with a cell of ours, as it was handed in."""
    cell, released = slot.chosen, slot.cell
    if cell is None:
        damage.note("deleted", slot.label)
        return
    grading = released.metadata.get("nbgrader")
    if grading and not cell.grading:
        damage.note("stripped", slot.label)
    elif cell.grading and not was_released(cell, [form_of(slot), *forms]):
        damage.note("altered" if grading else "forged", slot.label)
    if cell.id != released.id:
        damage.note("renamed", slot.label)
    if cell.kind != released.cell_type:
        damage.note("retyped", slot.label)
    if slot.fixed and cell.normal != slot.normal and not had_source(cell, forms):
        damage.note("edited", slot.label)


def _find_elsewhere(pieces: list[Piece], cells: list[HandedCell], damage: Damage) -> None:
    """An answer cell that nobody wrote in takes the definition that stands elsewhere, where it would not count."""
    tests = {piece.slot.name: at for at, piece in enumerate(pieces) if piece.slot and piece.slot.role == "test"}
    gone = []
    for at, piece in enumerate(pieces):
        slot = piece.slot
        if not slot or slot.role != "answer" or not slot.untouched():
            continue
        if any(slot.object in p.own.binds for p in pieces[at : tests.get(slot.name, at)] if p.own):
            continue  # it counts where it stands
        if found := [cell for cell in cells if cell is not slot.chosen and real_definition(cell, slot)]:
            slot.source = runnable(found[-1], slot)
            damage.note("elsewhere", slot.label)
            if len({cell.normal for cell in found}) > 1:
                damage.flag(f"There are different answers for `{slot.label}`; the last one is graded.")
        elif slot.chosen is None:
            gone.append(slot.label)
    if gone:
        damage.flag(
            f"Answer cells are missing, and nothing else in the notebook defines their objects: {listed(gone)}."
        )


def _look_again(pieces: list[Piece], damage: Damage) -> None:
    """Flag what may be an answer and does not count as one."""
    tested = {p.slot.name: at for at, p in enumerate(pieces) if p.slot and p.slot.role == "test"}
    for at, piece in enumerate(pieces):
        slot = piece.slot
        if slot and slot.role == "answer" and slot.chosen and not slot.untouched() and not slot.source:
            bound = set().union(*(p.provides for p in pieces[: tested.get(slot.name, at)]), slot.chosen.defines)
            if slot.object not in bound:
                damage.flag(
                    f"Nothing before its test defines `{slot.object}`, although its cell was edited. Was it renamed?"
                )
        if slot and slot.role == "question" and slot.untouched():
            following = pieces[at + 1].own if at + 1 < len(pieces) else None
            if following and following.kind != "code":
                damage.flag(f"The question `{slot.label}` has no answer, but there is text right below it.")
        if piece.own and _is_inside(piece.own):
            damage.flag("A cell contains the body of a definition, but its first line is not directly above it.")
        for name in piece.own.defines & tested.keys() if piece.own and piece.own.kind == "code" else ():
            if at > tested[name]:
                damage.flag(f"`{name}` is defined again below its test; the definition above the test is graded.")


def _is_inside(cell: HandedCell) -> bool:
    """Whether a cell is a piece of a definition, which cannot run alone."""
    return cell.kind == "code" and cell.source.lstrip("\n")[:1] in (" ", "\t") and not compiles(dedent(cell.source))


def _notebook(pieces: list[Piece], release: NotebookNode, damage: Damage) -> NotebookNode:
    taken = {piece.slot.cell.id for piece in pieces if piece.slot}
    cells = []
    for number, piece in enumerate(pieces):
        if piece.slot:
            cells.append(_released(piece.slot))
        elif own := piece.own:
            if own.grading:
                damage.note("forged", own.grading["grade_id"][:60])
            cells.append(make_cell(own.kind, own.source, unused(own.id, f"own-{number}", taken), {}, own.attachments))
    return notebook_of(cells, deepcopy(release.metadata))


def _released(slot: Slot) -> NotebookNode:
    """A cell of ours with what the student wrote in it."""
    released, chosen = slot.cell, slot.chosen
    source = released.source
    if slot.source is not None:
        source = slot.source
    elif chosen is not None and not slot.fixed and chosen.normal != slot.normal:
        source = chosen.source
    keeps = chosen if slot.role in ("question", "open") else None
    attachments = keeps.attachments if keeps else released.get("attachments", {})
    return make_cell(released.cell_type, source, released.id, deepcopy(released.metadata), attachments)
