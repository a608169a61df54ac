"""What a report is made from: the verdicts that grading kept, the gradebook, and the answers themselves."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.roster import absent
from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.exports.scores import GradebookScore, read_scores
from autograder.grading import handed_in as submissions
from autograder.grading.context import Contexts
from autograder.grading.division import Agreement, agreements
from autograder.grading.records import Records, noted
from autograder.report.similar import Alike, like_reference, near_identical
from autograder.report.winnowing import Pair, sharing


@dataclass(frozen=True)
class ClassData:
    """One stage of one class."""

    stage: str
    handed_in: tuple[str, ...]
    submissions: tuple[dict, ...]  # as in `course grade --json`, in order of the students
    outdated: tuple[str, ...]  # graded, and the file or the course has changed since
    scores: dict[str, GradebookScore]
    alike: tuple[Alike, ...] = ()
    reference: tuple[Alike, ...] = ()  # whose answers are like the public ones
    sharing: tuple[Pair, ...] = ()  # whose answers share passages
    agreements: tuple[Agreement, ...] = ()  # of graders, on answers marked twice
    absent: tuple[str, ...] = ()  # of the class list, who has handed in nothing

    @property
    def ungraded(self) -> tuple[str, ...]:
        """Handed in, and without a verdict."""
        graded = {submission["student"] for submission in self.submissions}
        return tuple(student for student in self.handed_in if student not in graded)


def read_class(course: Course, stage: str) -> ClassData:
    """Everything that the report of a stage says; a `CourseError` while nothing is graded."""
    handed_in = course.students(stage)
    verdicts = {student: verdict for student in handed_in if (verdict := noted(course.private, stage, student))}
    if not verdicts:
        wanting = f"run `course grade {stage}`" if handed_in else "put submissions in submitted/ and run `course grade`"
        raise CourseError(f"Nothing of {stage} is graded yet: {wanting} first.")
    contexts = Contexts(course, stage)
    records = {student: Records(course.private, stage, contexts.of(student).digest) for student in verdicts}
    current = {s for s in verdicts if records[s].done(s, submissions.handed_in(course, stage, s).identity)}
    answers = list(_answers(course, stage, list(verdicts)))
    released, solved = (_known(path) for path in (course.release_file(stage), course.source_file(stage)))
    return ClassData(
        stage,
        tuple(handed_in),
        tuple(verdicts.values()),
        tuple(student for student in verdicts if student not in current),
        read_scores(course, stage),
        tuple(near_identical(answers, released + solved)),
        tuple(like_reference(answers, [source for source in solved if source not in released])),
        tuple(sharing(answers, released + solved, released)),
        tuple(agreements(course, stage)),
        absent(course, stage),
    )


def _answers(course: Course, stage: str, students: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """(student, question, kind of cell, source) of every answer, from the repaired notebooks in autograded/."""
    for student in students:
        for name, kind, source in _answer_cells(_json(course.autograded_file(stage, student))):
            yield student, name, kind, source


def _known(path: Path) -> list[str]:
    """The answers of a notebook of ours."""
    return [source for _, _, source in _answer_cells(_json(path))]


def _answer_cells(notebook: dict) -> Iterator[tuple[str, str, str]]:
    for cell in notebook.get("cells", ()):
        grading = cell.get("metadata", {}).get("nbgrader", {})
        if grading.get("solution"):
            source = cell["source"]
            yield grading["grade_id"], cell["cell_type"], source if isinstance(source, str) else "".join(source)


def _json(path: Path) -> dict:
    """The object in a file of ours; an empty one where there is none."""
    found = None
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path.read_text("utf-8"))
    return found if isinstance(found, dict) else {}
