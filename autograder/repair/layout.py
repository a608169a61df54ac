"""Where everything stands: the cells of the release in its order, the student's own beside their neighbours."""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass

from autograder.repair.cells import HandedCell, Slot
from autograder.repair.repair_log import Damage


@dataclass(eq=False)
class Piece:
    """A cell of the repaired notebook: a place of the release, or a cell of the student's own."""

    slot: Slot | None = None
    own: HandedCell | None = None

    @property
    def provides(self) -> frozenset[str]:
        """The names that this piece defines when it runs."""
        if self.own:
            return self.own.provides
        assert self.slot
        return self.slot.provides if self.slot.fixed or self.slot.chosen is None else self.slot.chosen.provides


def lay_out(slots: list[Slot], own: list[HandedCell], added: dict[Slot, HandedCell], damage: Damage) -> list[Piece]:
    """The pieces in order; every answer's helpers come before its test."""
    displaced = _displaced(slots)
    for slot in sorted(displaced, key=lambda slot: slot.rank):
        damage.note("moved", slot.label)
    present = sorted((slot for slot in slots if slot.chosen), key=_position)
    before: dict[Slot, list[HandedCell]] = defaultdict(list)
    after: dict[Slot, list[HandedCell]] = defaultdict(list)
    for cell in sorted(own, key=lambda cell: cell.position):
        slot, follows = _anchor(cell, present, slots, displaced)
        (after if follows else before)[slot].append(cell)
    pieces = []
    for slot in slots:
        beside = [added[slot]] if slot in added else []
        first, last = (beside, []) if slot.role == "test" else ([], beside)
        pieces += [Piece(own=cell) for cell in (*before[slot], *first)]
        pieces.append(Piece(slot=slot))
        pieces += [Piece(own=cell) for cell in (*last, *after[slot])]
    return _helpers_first(pieces, damage)


def _position(slot: Slot) -> float:
    """The position, in the submission, of a cell of the release."""
    assert slot.chosen
    return slot.chosen.position


def _displaced(slots: list[Slot]) -> set[Slot]:
    """The fewest cells that must move to put the submission in the order of the release."""
    present = [slot for slot in slots if slot.chosen is not None]
    ends: list[float] = []  # the smallest last position of an increasing run of each length
    lengths = []
    for slot in present:
        at = bisect_left(ends, _position(slot))
        ends[at : at + 1] = [_position(slot)]
        lengths.append(at + 1)
    wanted, stable = len(ends), set()
    limit = float("inf")
    for slot, length in zip(reversed(present), reversed(lengths), strict=True):
        if length == wanted and _position(slot) < limit:
            stable.add(slot)
            limit, wanted = _position(slot), wanted - 1
    return {slot for slot in present if slot not in stable}


def _anchor(cell: HandedCell, present: list[Slot], slots: list[Slot], displaced: set[Slot]) -> tuple[Slot, bool]:
    """The place that a cell of the student's own stands beside, and whether it follows it.

    `present` are the places in the order of the submission.
    """
    at = bisect_left(present, cell.position, key=_position)
    following = present[at] if at < len(present) else None
    if following and following in displaced and following.role == "answer":
        assert following.chosen
        if cell.provides & following.chosen.needs:
            return following, False
    while at and present[at - 1] in displaced and present[at - 1].role != "answer":
        at -= 1
    if not at:
        return following or slots[-1], following is None
    return _past_restored(present[at - 1], slots), True


def _past_restored(slot: Slot, slots: list[Slot]) -> Slot:
    """The last of the imports and settings that were missing right after `slot`: own cells may need them."""
    for next_slot in slots[slot.rank + 1 :]:
        if next_slot.chosen is not None or next_slot.role != "locked":
            break
        slot = next_slot
    return slot


def _helpers_first(pieces: list[Piece], damage: Damage) -> list[Piece]:
    """Own cells that an answer needs, and that nothing before its test provides, move to before it."""
    answers = {piece.slot.name: piece for piece in pieces if piece.slot and piece.slot.role == "answer"}
    for test in [piece for piece in pieces if piece.slot and piece.slot.role == "test"]:
        answer = answers.get(test.slot.name) if test.slot else None
        if answer is None or answer.slot is None or answer.slot.chosen is None or answer.slot.untouched():
            continue
        name = answer.slot.object
        late = _needed_late(pieces, pieces.index(test), {name} | answer.slot.chosen.needs)
        pieces = [piece for piece in pieces if piece not in late.values()]
        for cell in sorted(late, key=lambda cell: cell.position):
            target = test if name in cell.binds else answer
            pieces.insert(pieces.index(target), late[cell])
            damage.note("late", cell.id or "added")
    return pieces


def _needed_late(pieces: list[Piece], test: int, wanted: set[str]) -> dict[HandedCell, Piece]:
    """The own cells below a test that provide what is wanted above it, and what they themselves need."""
    there: set[str] = set().union(*(piece.provides for piece in pieces[:test]))
    below = {name: (piece.own, piece) for piece in reversed(pieces[test:]) if piece.own for name in piece.provides}
    late: dict[HandedCell, Piece] = {}
    waiting = sorted(wanted)
    while waiting:
        name = waiting.pop()
        if name not in there and name in below:
            cell, piece = below[name]
            late[cell] = piece
            there |= cell.provides
            waiting += sorted(cell.needs)
    return late
