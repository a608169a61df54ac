"""`course grade`: choose the hand-ins that count, grade them, bring the gradebook up to date, say what that means."""

import difflib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.grading.attempts import settle_attempts
from autograder.grading.run import grade_stage
from autograder.stages import name_of

if TYPE_CHECKING:  # it brings nbgrader, which takes a while and is not needed before grading begins
    from autograder.exports.scores import GradebookScore

ALL = "all"


@dataclass(frozen=True)
class Round:
    """A stage that was graded: what `--json` says, what the gradebook has, and sentences for the instructor."""

    outcome: dict
    scores: "dict[str, GradebookScore]"
    said: list[str]

    @property
    def failed(self) -> bool:
        """Whether nobody was graded, or somebody could not be."""
        submissions = self.outcome["submissions"]
        return not submissions or any(submission["status"] == "ungradable" for submission in submissions)


def stages_meant(course: Course, text: str) -> list[str]:
    """The stages that a person means: one, or with `all` every one that somebody has handed in."""
    if text != ALL:
        return [course.stage(text)]
    if stages := [stage for stage in course.stages if course.students(stage)]:
        return stages
    raise CourseError(f"No submissions yet: put notebooks in {course.root / 'submitted'}/STUDENT/STAGE/.")


def students_meant(course: Course, stage: str, students: list[str] | None) -> list[str]:
    """Which students to grade: all with a submission, or the given ones; a `CourseError` for an unknown id."""
    known = course.students(stage)
    strangers = sorted(set(students or ()) - set(known))
    if strangers:
        near = difflib.get_close_matches(strangers[0], known, n=1)
        offer = f"did you mean {near[0]}?" if near else f"look in {course.root / 'submitted'}."
        raise CourseError(f"No submission of {stage} from {', '.join(strangers)}: {offer}")
    return students or known


def exercise_meant(text: str, known: list[str], stage: str) -> str:
    """The exercise of this id, or of the name that students write; a `CourseError` that offers the nearest."""
    if found := [name for name in known if text in (name, name_of(name))]:
        return found[0]
    near = difflib.get_close_matches(text, known, n=1, cutoff=0.4)
    offer = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}."
    raise CourseError(f"{stage} has no exercise {text}: {offer}")


def grade_round(
    course: Course,
    stage: str,
    students: list[str],
    jobs: int = 1,
    sandbox: str | None = None,
    spread: Callable | None = None,
    watch: Callable[[int], AbstractContextManager] | None = None,
    again: bool = False,
) -> Round:
    """Grade a stage; the arguments are those of `grade_stage`, and `watch(how many)` gives its `progress`."""
    attempts = settle_attempts(course, stage, students, jobs, sandbox, spread)
    with watch(len(students)) if watch else nullcontext(lambda student, result: None) as progress:
        outcome = grade_stage(course, stage, students, jobs, sandbox, spread, progress, again)

    # these import nbgrader, 0.7 s of CPU time that grading need not wait for
    from autograder.course.edits import said_of_release
    from autograder.course.roster import said_of_class
    from autograder.exports.scores import read_scores
    from autograder.grading.lateness import settle
    from autograder.grading.misplaced import misplaced

    said = [
        *attempts,
        *settle(course),
        *said_of_class(course, stage),
        *said_of_release(course, stage),
        *misplaced(course, stage),
    ]
    return Round(outcome, read_scores(course, stage), said)
