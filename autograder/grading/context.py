"""Everything that the verdict on a submission depends on besides the submission itself."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import nbformat

from autograder.build.edition import edition
from autograder.catalogue import exercises_of
from autograder.catalogue.exercise import Exercise
from autograder.course.directory import Course, generate_assignment
from autograder.grading.asked import UNHIDDEN, Asked, asked
from autograder.grading.notebook import Notebook, test_of
from autograder.judging import answers
from autograder.judging.answers.fingerprint import fingerprint
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import choose

PACKAGES = ("attention-workshop", "torch", "numpy", "ipython", "nbgrader")


@dataclass(frozen=True)
class Context:
    """One stage of one course, ready to grade. Holds plain data, so that it can go to another machine."""

    stage: str
    release: nbformat.NotebookNode
    answers_file: Path
    edition: Path
    limits: Limits
    sandbox: str | None = None

    @classmethod
    def of(cls, course: Course, stage: str, sandbox: str | None = None) -> "Context":
        """The context of a stage of a course; makes what is not there yet."""
        release = with_hidden_tests(course, stage)
        course.answers(stage)
        return cls(
            stage,
            release,
            course.private / "answers" / f"{stage}.safetensors",
            edition(stage, course.private / "editions"),
            course.limits,
            sandbox,
        )

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The stage's exercises that the release asks for, and this package can judge."""
        return tuple(exercise for exercise in exercises_of(self.stage) if exercise.id in self.asked.verdicts)

    @cached_property
    def asked(self) -> Asked:
        """What becomes of the release's test cells."""
        return asked(self.released, [exercise.id for exercise in exercises_of(self.stage)])

    @property
    def answers(self) -> dict:
        """The hidden answers."""
        return answers.load(self.answers_file)

    @cached_property
    def released(self) -> Notebook:
        """The release, its cells by name."""
        return Notebook(self.release)

    @cached_property
    def protection(self) -> str:
        """What a submission really runs in: `bubblewrap`, or `limits` alone."""
        return choose(self.sandbox)

    @cached_property
    def digest(self) -> str:
        """A name for all of it: the same submission under the same digest has the same verdict."""
        parts = [
            nbformat.writes(self.release),
            self.answers_file.read_bytes().hex(),
            fingerprint(self.stage),
            json.dumps(asdict(self.limits), sort_keys=True),
            json.dumps(versions(), sort_keys=True),
            self.protection,  # what was graded without a sandbox is never taken for what was graded in one
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def with_hidden_tests(course: Course, stage: str) -> nbformat.NotebookNode:
    """The release; where nbgrader took hidden tests out of a cell, its metadata has the whole source.

    nbgrader keeps that source in the gradebook, which is asked only where an instructor wrote hidden tests.
    """
    release, source = course.release(stage), course.source_file(stage)
    delimiter = course.config.ClearHiddenTests.get("begin_test_delimeter") or "BEGIN HIDDEN TESTS"
    if not source.is_file() or delimiter not in source.read_text("utf-8"):
        return release
    whole = _sources(course, stage)
    for cell in release.cells:
        name = test_of(cell)
        if name in whole and whole[name] != cell.source:
            cell.metadata[UNHIDDEN] = whole[name]
    return release


def _sources(course: Course, stage: str) -> dict[str, str]:
    """The sources of a stage's cells as nbgrader keeps them in the gradebook."""
    from nbgrader.api import MissingEntry

    from autograder.grading.database import open_gradebook

    try:
        with open_gradebook(course.db_url, course.course_id) as gradebook:
            return {cell.name: cell.source for cell in gradebook.find_notebook(stage, stage).source_cells}
    except MissingEntry:  # a gradebook that was lost is told of the stage
        generate_assignment(course, stage)
        return _sources(course, stage)


def versions() -> dict[str, str]:
    """The versions that a verdict may depend on, for the record."""
    return {name: version(name) for name in PACKAGES}
