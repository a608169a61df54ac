"""The term: every stage of a class, what comes back from stage to stage, and who has not begun what the class has."""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.directory.deadlines import read_deadlines
from autograder.errors import CourseError
from autograder.exports.scores import GradebookScore, read_scores
from autograder.grading.records import noted
from autograder.report.data import ClassData
from autograder.report.summary import MistakeCount, Summary, summarise
from autograder.stages import TRACKS, Track, stage_named

EMPTY = ("not_attempted", "ungradable")  # as released, or in a file that is no notebook


@dataclass(frozen=True)
class StageOfTerm:
    """One stage: who handed in, what was found, what the gradebook has."""

    data: ClassData
    summary: Summary

    @property
    def name(self) -> str:
        return self.data.stage

    @property
    def track(self) -> Track:
        return TRACKS[stage_named(self.name).track]

    @cached_property
    def begun(self) -> frozenset[str]:
        """Who handed in a notebook with more than the release; what is not graded yet is taken for begun."""
        empty = {s["student"] for s in self.data.submissions if all(e["status"] in EMPTY for e in s["exercises"])}
        return frozenset(self.data.handed_in) - empty

    @property
    def median(self) -> float | None:
        """Of the gradebook's totals; None while nobody has one."""
        grades = [score.grade for score in self.data.scores.values() if score.grade is not None]
        return statistics.median(grades) if grades else None

    @property
    def max_score(self) -> float:
        return max(score.max_score for score in self.data.scores.values()) if self.data.scores else 0.0

    def score(self, student: str) -> GradebookScore | None:
        return self.data.scores.get(student)


@dataclass(frozen=True)
class Persistent:
    """A misconception that was met in more than one stage."""

    name: str
    stages: tuple[str, ...]
    students: tuple[str, ...]
    again: tuple[str, ...]  # of them, who had it in more than one stage


@dataclass(frozen=True)
class Term:
    """A class over all stages that were graded."""

    stages: tuple[StageOfTerm, ...]
    students: dict[str, str]  # id → name, of everybody whom the gradebook or submitted/ knows
    grace_days: int = 0  # of each, in the whole course

    @cached_property
    def tracks(self) -> dict[Track, tuple[StageOfTerm, ...]]:
        """The stages of each track that the course has."""
        found: dict[Track, tuple[StageOfTerm, ...]] = {}
        for stage in self.stages:
            found[stage.track] = (*found.get(stage.track, ()), stage)
        return found

    @cached_property
    def active(self) -> dict[Track, frozenset[str]]:
        """Who has begun anything of a track."""
        return {track: _begun(stages) for track, stages in self.tracks.items()}

    def reached(self, student: str | None = None) -> tuple[StageOfTerm, ...]:
        """Where the class is: stages that half of those who have begun anything have begun.

        Where a course has several tracks, a student's class is everybody who works on a track that this student has
        begun. A student who chose JAX is not behind in PyTorch, unless half of these others did both.
        """
        peers = frozenset().union(*(active for active in self.active.values() if student in active))
        peers = peers or _begun(self.stages)
        return tuple(stage for stage in self.stages if peers and 2 * len(stage.begun & peers) >= len(peers))

    def not_begun(self, student: str) -> tuple[str, ...]:
        """The stages that the student's class has reached and this student has not begun."""
        return tuple(stage.name for stage in self.reached(student) if student not in stage.begun)

    @property
    def behind(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Who has stages not begun, and which: the most stages first."""
        found = [(student, left) for student in self.students if (left := self.not_begun(student))]
        return tuple(sorted(found, key=lambda entry: (-len(entry[1]), entry[0])))

    @property
    def persistent(self) -> tuple[Persistent, ...]:
        """Misconceptions met in more than one stage; those first that most students had again."""
        where: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for stage in self.stages:
            for mistake in stage.summary.misconceptions:
                for student in mistake.students:
                    where[mistake.name][student].add(stage.name)
        found = [
            Persistent(
                name,
                tuple(stage.name for stage in self.stages if any(stage.name in met for met in by_student.values())),
                tuple(sorted(by_student)),
                tuple(sorted(student for student, met in by_student.items() if len(met) > 1)),
            )
            for name, by_student in where.items()
        ]
        several = (mistake for mistake in found if len(mistake.stages) > 1)
        return tuple(sorted(several, key=lambda m: (-len(m.again), -len(m.students), m.name)))

    def mistakes_of(self, student: str) -> Iterator[tuple[str, MistakeCount]]:
        """(stage, named mistake) of one student, in order."""
        for stage in self.stages:
            yield from ((stage.name, m) for m in stage.summary.misconceptions if student in m.students)

    def total(self, student: str) -> tuple[float, float]:
        """Points so far, and of how many: of the stages in which this student has a grade."""
        scores = [score for stage in self.stages if (score := stage.score(student)) and score.grade is not None]
        return sum(score.grade or 0.0 for score in scores), sum(score.max_score for score in scores)

    def grace_left(self, student: str) -> int:
        """Grace days that a student still has."""
        found = (score.grace for stage in self.stages if (score := stage.score(student)) and score.grace)
        return next((grace.left for grace in found), self.grace_days)

    def rows(self) -> Iterator[list]:
        """The table beside the page: header first, a row for everybody."""
        parts = [f"{stage.name} {part}" for stage in self.stages for part in ("score", "max_score", "begun", "open")]
        yield ["student", "name", "stages_begun", "stages_not_begun", "points", "of", "grace_days_left", *parts]
        for student, name in self.students.items():
            begun = sum(student in stage.begun for stage in self.stages)
            cells = (cell for stage in self.stages for cell in _cells(stage, student))
            grace = self.grace_left(student) if self.grace_days else None
            yield [student, name, begun, "; ".join(self.not_begun(student)), *self.total(student), grace, *cells]


def _begun(stages: Iterable[StageOfTerm]) -> frozenset[str]:
    """Who has begun one of these."""
    return frozenset().union(*(stage.begun for stage in stages))


def read_term(course: Course) -> Term:
    """Everything that the term's page says; a `CourseError` while nothing is graded."""
    found = []
    for stage in course.stages:
        handed_in = tuple(course.students(stage))
        verdicts = tuple(verdict for s in handed_in if (verdict := noted(course.private, stage, s)))
        if verdicts:
            data = ClassData(stage, handed_in, verdicts, (), read_scores(course, stage))
            found.append(StageOfTerm(data, summarise(data)))
    if not found:
        raise CourseError("No stage of this course is graded yet: run `course grade STAGE` first.")
    names = dict.fromkeys((student for stage in found for student in stage.data.handed_in), "")
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        for s in gradebook.students:
            names[s.id] = ", ".join(part for part in (s.last_name, s.first_name) if part)
    deadlines = read_deadlines(course)
    return Term(tuple(found), dict(sorted(names.items())), deadlines.grace_days if deadlines else 0)


def _cells(stage: StageOfTerm, student: str) -> list:
    score, begun = stage.score(student), "yes" if student in stage.begun else "no"
    if score is None:
        return [None, None, begun, ""]
    return [score.grade, score.max_score, begun, "; ".join((*score.by_hand_open, *score.ungraded))]
