"""Which submitted cell is which cell of the release: by grade_id, by cell id, by text, by what it defines.

A claim counts where it is plausible: a cell that defines `softmax` is not `causal_mask`, whatever it says.
"""

from collections import Counter, defaultdict

from autograder.repair.cells import HandedCell, Slot

ALIKE = 0.6  # of the words, to be the same text edited
MAX_WORDS = 3_000  # of a cell, read for likeness


def match(cells: list[HandedCell], slots: list[Slot]) -> list[HandedCell]:
    """Fill `candidates` of every slot but the questions without a claim; → the cells that are none of ours."""
    exercises = {slot.object for slot in slots if slot.role == "answer"}
    passes = (_claim, _exact_text, _check_line, _definition)
    left = cells
    for identify in passes:
        found = identify(left, slots, exercises)
        for cell in left:
            if slot := found.get(cell):
                slot.candidates.append(cell)
        left = [cell for cell in left if cell not in found]
    return _nearly(left, slots)


def written_answers(left: list[HandedCell], slots: list[Slot]) -> list[HandedCell]:
    """Questions that nobody claimed: the student's prose between the neighbours of the question."""
    for slot in slots:
        if slot.role == "question" and not slot.candidates:
            after = max((s.chosen.position for s in slots[: slot.rank] if s.chosen), default=-1)
            before = min((s.chosen.position for s in slots[slot.rank + 1 :] if s.chosen), default=float("inf"))
            between = [cell for cell in left if after < cell.position < before and cell.source.strip()]
            prose = [cell for cell in between if cell.kind != "code"]
            slot.candidates = [cell for cell in prose if cell.normal == slot.normal] or prose
            left = [cell for cell in left if cell not in slot.candidates]
    return left


def plausible(slot: Slot, cell: HandedCell, exercises: set[str]) -> bool:
    """Whether the cell may be what it claims to be."""
    defines = cell.defines & exercises
    if slot.role == "answer":
        return slot.object in defines or not (defines or cell.only_checks)
    if slot.role == "test":
        return slot.name in cell.checks or not defines
    if slot.role == "locked":
        return cell.normal == slot.normal or not (defines or cell.only_checks)
    return slot.role == "open" or cell.kind != "code" or not (defines or cell.only_checks)


def _claim(cells: list[HandedCell], slots: list[Slot], exercises: set[str]) -> dict[HandedCell, Slot]:
    by_grade = {slot.grade_id: slot for slot in slots if slot.grade_id}
    by_id = {slot.cell.id: slot for slot in slots}
    found: dict[HandedCell, Slot] = {}
    for cell in cells:
        claims = (by_grade.get(cell.grading.get("grade_id", "")), by_id.get(cell.id))
        for slot in claims:
            if slot is not None and plausible(slot, cell, exercises):
                found[cell] = slot
                break
    return found


def _exact_text(cells: list[HandedCell], slots: list[Slot], exercises: set[str]) -> dict[HandedCell, Slot]:
    """The released text, word for word; texts that the release has twice are given out in order."""
    waiting = defaultdict(list)
    for slot in slots:
        if slot.role != "question" and not slot.candidates:
            waiting[slot.normal].append(slot)
    found = {}
    for cell in cells:
        if same := waiting.get(cell.normal):
            found[cell] = same.pop(0)
    return found


def _check_line(cells: list[HandedCell], slots: list[Slot], exercises: set[str]) -> dict[HandedCell, Slot]:
    waiting = {slot.name: slot for slot in slots if slot.role == "test" and not slot.candidates}
    found = {}
    for cell in cells:
        if len(cell.checks) == 1 and not cell.defines & exercises:
            slot = waiting.get(next(iter(cell.checks)))
            if slot:
                found[cell] = slot
    return found


def _definition(cells: list[HandedCell], slots: list[Slot], exercises: set[str]) -> dict[HandedCell, Slot]:
    """An answer by the function or class in it; prose counts only where no code defines it and it is Python."""
    found: dict[HandedCell, Slot] = {}
    for slot in slots:
        if slot.role == "answer" and not slot.candidates:
            defining = [cell for cell in cells if slot.object in cell.defines and cell not in found]
            code = [cell for cell in defining if cell.kind == "code"]
            retyped = [cell for cell in defining if cell.outline.is_python]
            found |= dict.fromkeys(code or retyped[-1:], slot)
    return found


def _nearly(cells: list[HandedCell], slots: list[Slot]) -> list[HandedCell]:
    """Texts that were edited a little: the most alike first, each slot and each cell once."""
    waiting = [(slot, _words(slot.cell.source)) for slot in slots if slot.role != "question" and not slot.candidates]
    likeness = []
    for at, cell in enumerate(cells if waiting else ()):
        words = _words(cell.source)
        for rank, (_, expected) in enumerate(waiting):
            if (alike := _likeness(words, expected)) >= ALIKE:
                likeness.append((-alike, at, rank))
    taken: set[HandedCell] = set()
    for _, at, rank in sorted(likeness):
        slot = waiting[rank][0]
        if cells[at] not in taken and not slot.candidates:
            slot.candidates.append(cells[at])
            taken.add(cells[at])
    return [cell for cell in cells if cell not in taken]


def _words(source: str) -> Counter:
    return Counter(source[: 10 * MAX_WORDS].split()[:MAX_WORDS])


def _likeness(one: Counter, other: Counter) -> float:
    """Shared words over all words, from 0 to 1 (Dice's coefficient)."""
    total = one.total() + other.total()
    small, large = sorted((one, other), key=len)
    if 4 * min(one.total(), other.total()) < total:
        return 0.0
    return 2 * sum(min(count, large[word]) for word, count in small.items()) / max(total, 1)
