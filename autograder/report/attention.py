"""What an instructor should look at by hand, each thing once, with the students whom it concerns."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.report.data import ClassData
from autograder.report.similar import Alike
from autograder.shorten_list import shorten_list

FIRST = 10  # students who are named first
HALF, FEW = 0.5, 3  # of a class; so many are looked at however small it is


@dataclass(frozen=True)
class Item:
    """One thing to look at."""

    what: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Reason:
    """Why to look at the students of an item: the start of a sentence that the item ends, or none if it is one."""

    item: Item
    start: str = ""
    names_others: bool = False

    def end(self, student: str) -> str:
        """The end of a student's sentence."""
        if not self.names_others:
            return self.item.what
        others = [other for other in self.item.students if other != student]
        return f"{shorten_list(others, FEW)} ({self.item.what})"


@dataclass(frozen=True)
class Look:
    """One student to look at, and why."""

    student: str
    why: tuple[str, ...]


@dataclass(frozen=True)
class Attention:
    """Everything to look at by hand, by reason."""

    ungraded: tuple[Item, ...]
    outdated: tuple[Item, ...]
    flags: tuple[Item, ...]
    by_hand: tuple[Item, ...]
    alike: tuple[Item, ...]
    reference: tuple[Item, ...]
    sharing: tuple[Item, ...]
    repairs: tuple[Item, ...]
    first: tuple[Look, ...]


def to_look_at(data: ClassData) -> Attention:
    """Collect the reasons of a class."""
    ungraded = _stated("No verdict yet: unreadable, or submitted after the last `course grade`.", data.ungraded)
    flags, alike, reference = _flags(data), _alike(data.alike), _alike(data.reference)
    sharing = tuple(Item(", ".join(f"`{part.exercise}`" for part in p.passages), p.students) for p in data.sharing)
    return Attention(
        ungraded,
        _stated("Changed since, or graded by another version; run `course grade` again.", data.outdated),
        flags,
        _by_hand(data),
        alike,
        reference,
        sharing[:FIRST],
        _repairs(data),
        _first(
            [Reason(item) for item in (*ungraded, *flags)]
            + [Reason(item, "Same answers as", names_others=True) for item in alike]
            + [Reason(item, "Shares passages with", names_others=True) for item in sharing[:FIRST]]
            + [Reason(item, "Same as the public reference:") for item in reference],
            len(data.handed_in),
        ),
    )


def _first(reasons: list[Reason], size: int) -> tuple[Look, ...]:
    """Whom to look at first: a reason counts the more, the fewer it concerns, and not at all beyond half of a class."""
    why: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    weight: dict[str, float] = defaultdict(float)
    for reason in reasons:
        students = reason.item.students
        if len(students) <= max(HALF * size, FEW):
            for student in students:
                why[student][reason.start].append(reason.end(student))
                weight[student] += 1 / len(students)
    ranked = sorted(why, key=lambda student: (-weight[student], student))
    return tuple(Look(student, tuple(_sentences(why[student]))) for student in ranked[:FIRST])


def _sentences(why: dict[str, list[str]]) -> Iterator[str]:
    """The sentences from each start and its ends; an end without a start is a sentence."""
    for start, ends in why.items():
        yield from [f"{start} {shorten_list(ends, FEW, between='; ')}."] if start else ends


def _stated(what: str, students: tuple[str, ...]) -> tuple[Item, ...]:
    return (Item(what, students),) if students else ()


def _flags(data: ClassData) -> tuple[Item, ...]:
    flagged = {submission["student"]: submission["flags"] for submission in data.submissions}
    pairs = [(sentence, student) for student, sentences in flagged.items() for sentence in sentences]
    for student, score in data.scores.items():
        if score.flagged and not flagged.get(student) and student not in data.ungraded:
            pairs.append(("Flagged in the gradebook.", student))
    return _grouped(pairs)


def _by_hand(data: ClassData) -> tuple[Item, ...]:
    return _grouped((f"`{question}`", s.student) for s in data.scores.values() for question in s.by_hand_open)


def _alike(groups: tuple[Alike, ...]) -> tuple[Item, ...]:
    return tuple(Item(", ".join(f"`{name}`" for name in found.exercises), found.students) for found in groups)


def _repairs(data: ClassData) -> tuple[Item, ...]:
    """By kind: the cells that each repair names are in the table beside the page."""
    return _grouped(
        (kind, submission["student"])
        for submission in data.submissions
        for kind in dict.fromkeys(sentence.partition(": ")[0].rstrip(".") + "." for sentence in submission["repairs"])
    )


def _grouped(pairs: Iterable[tuple[str, str]]) -> tuple[Item, ...]:
    """What → students, the most frequent first."""
    found = defaultdict(list)
    for what, student in pairs:
        found[what].append(student)
    return tuple(Item(what, tuple(who)) for what, who in sorted(found.items(), key=lambda entry: -len(entry[1])))
