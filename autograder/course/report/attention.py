"""What an instructor should look at by hand, each thing once, with the students whom it concerns."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.course.report.data import ClassData


@dataclass(frozen=True)
class Item:
    """One thing to look at."""

    what: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Attention:
    """Everything to look at by hand, by reason."""

    ungraded: tuple[Item, ...]
    outdated: tuple[Item, ...]
    flags: tuple[Item, ...]
    by_hand: tuple[Item, ...]
    alike: tuple[Item, ...]
    repairs: tuple[Item, ...]

    @property
    def students(self) -> set[str]:
        """Whoever is flagged, without a verdict, or has the same answer as somebody else."""
        return {student for items in (self.ungraded, self.flags, self.alike) for i in items for student in i.students}


def to_look_at(data: ClassData) -> Attention:
    """Collect the reasons of a class."""
    return Attention(
        _stated("Handed in, but without a verdict: unreadable, or new since the last `course grade`.", data.ungraded),
        _stated("Changed, or graded by another version: run `course grade` again.", data.outdated),
        _flags(data),
        _by_hand(data),
        _alike(data),
        _repairs(data),
    )


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


def _alike(data: ClassData) -> tuple[Item, ...]:
    return tuple(Item(", ".join(f"`{name}`" for name in found.exercises), found.students) for found in data.alike)


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
