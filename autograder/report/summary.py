"""From the verdicts on a class to the numbers of the page."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.catalogue import exercises_of
from autograder.judging.upstream_errors import LOOK_THERE_FIRST
from autograder.practice.card import WORDS
from autograder.report.data import ClassData

PLACE = re.compile(r" ?\(?<ipython-input[^>]*>,? ?(line \d+)?\)?")  # differs between equal mistakes
UNJUDGED = ("not_attempted", "ungradable")


@dataclass(frozen=True)
class CriterionSummary:
    """How many of those who tried an exercise meet one criterion."""

    name: str
    passed: int
    tried: int


@dataclass(frozen=True)
class ExerciseSummary:
    """How a class did in one exercise."""

    id: str
    title: str
    max_score: float
    mean: float
    statuses: dict[str, int]  # how many submissions ended in each status
    criteria: tuple[CriterionSummary, ...]

    @property
    def right(self) -> int:
        return self.statuses.get("right", 0)

    @property
    def tried(self) -> int:
        return sum(count for status, count in self.statuses.items() if status not in UNJUDGED)


@dataclass(frozen=True)
class MistakeCount:
    """One way to fall short, and who did."""

    exercise: str
    name: str
    says: str
    asks: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Summary:
    """A class in numbers."""

    points: tuple[float, ...]  # automatic points, one a submission that could be judged
    ungradable: tuple[str, ...]  # whose submission could not: nobody's zero
    max_points: float
    exercises: tuple[ExerciseSummary, ...]
    misconceptions: tuple[MistakeCount, ...]  # most students first
    others: tuple[MistakeCount, ...]  # what nobody has named yet, most students first
    seconds: dict[str, float]  # by student, slowest first

    @property
    def median(self) -> float:
        return statistics.median(self.points or (0.0,))

    @property
    def mean(self) -> float:
        return statistics.fmean(self.points or (0.0,))

    @property
    def full_marks(self) -> int:
        return sum(points >= self.max_points - 1e-9 for points in self.points)

    @property
    def total_seconds(self) -> float:
        return sum(self.seconds.values())

    @property
    def median_seconds(self) -> float:
        return statistics.median(self.seconds.values())


def summarise(data: ClassData) -> Summary:
    """The numbers of a class."""
    submissions = data.submissions
    seconds = {s["student"]: s["seconds"] for s in sorted(submissions, key=lambda s: -s["seconds"])}
    verdicts = defaultdict(list)
    for submission in submissions:
        for verdict in submission["exercises"]:
            verdicts[verdict["id"]].append((submission["student"], verdict))
    titles = {exercise.id: exercise.title for exercise in exercises_of(data.stage)}
    return Summary(
        tuple(s["score"] for s in submissions if s["status"] != "ungradable"),
        tuple(s["student"] for s in submissions if s["status"] == "ungradable"),
        max(s["max_score"] for s in submissions),
        tuple(_exercise(name, titles.get(name, name), [v for _, v in found]) for name, found in verdicts.items()),
        _misconceptions(data.stage, verdicts),
        _others(verdicts),
        seconds,
    )


def _exercise(name: str, title: str, verdicts: list[dict]) -> ExerciseSummary:
    tried = [verdict for verdict in verdicts if verdict["status"] not in UNJUDGED]
    passed = Counter(p["name"] for verdict in tried for p in verdict["properties"] if p["passed"])
    names = dict.fromkeys(p["name"] for verdict in verdicts for p in verdict["properties"])
    return ExerciseSummary(
        name,
        title,
        verdicts[-1]["max_score"],
        statistics.fmean([v["score"] for v in verdicts if v["status"] != "ungradable"] or [0.0]),
        dict(Counter(verdict["status"] for verdict in verdicts)),
        tuple(CriterionSummary(share, passed[share], len(tried)) for share in names),
    )


def _misconceptions(stage: str, verdicts: dict) -> tuple[MistakeCount, ...]:
    """By name: what a verdict adds to the mistake's own sentence is another exercise's."""
    known = {(e.id, wrong.name): (wrong.says, wrong.asks) for e in exercises_of(stage) for wrong in e.mistakes}
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    said: dict[tuple[str, str], tuple[str, str]] = {}
    for exercise, entries in verdicts.items():
        for student, verdict in entries:
            if key := verdict["misconception"] and (exercise, verdict["misconception"]):
                found[key].append(student)
                said[key] = known.get(key, (verdict["message"], ""))
    return _ranked(
        MistakeCount(exercise, name, *said[exercise, name], tuple(who)) for (exercise, name), who in found.items()
    )


def _others(verdicts: dict) -> tuple[MistakeCount, ...]:
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for exercise, entries in verdicts.items():
        for student, verdict in entries:
            if verdict["status"] not in ("right", *UNJUDGED) and not verdict["misconception"]:
                found[exercise, WORDS[verdict["status"]], _what_happened(verdict)].append(student)
    return _ranked(MistakeCount(*key, "", tuple(who)) for key, who in found.items())


def _what_happened(verdict: dict) -> str:
    """What equal failures have in common: the lost criteria, or how the run ended."""
    if verdict["status"] in ("partial", "wrong"):
        first, there, _ = verdict["message"].partition(LOOK_THERE_FIRST)
        lost = "lost: " + ", ".join(p["name"] for p in verdict["properties"] if not p["passed"])
        return f"{first}{there} {lost}" if there else lost
    return PLACE.sub("", verdict["message"])


def _ranked(mistakes: Iterable[MistakeCount]) -> tuple[MistakeCount, ...]:
    return tuple(sorted(mistakes, key=lambda mistake: -len(mistake.students)))
