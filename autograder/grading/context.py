"""Everything that a verdict depends on, apart from the submission itself."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat

from autograder.catalogue import exercises_of
from autograder.catalogue.exercise import Exercise
from autograder.directory.course import Course, generate_assignment
from autograder.directory.variants import other_passages, release_of, variant_of
from autograder.files import write_whole
from autograder.grading.notebook import Notebook, test_of
from autograder.grading.released_tests import UNHIDDEN, ReleasedTests, released_tests
from autograder.judging import answer_key
from autograder.judging.answer_key.fingerprint import fingerprint_of_verdicts
from autograder.repair.earlier import Forms, forms_of, together
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import choose
from autograder.stripping.package import stripped_package
from autograder.versions import OURS, versions


@dataclass(frozen=True)
class Context:
    """One stage of one course, ready to grade. Holds plain data, so that it can go to another machine."""

    stage: str
    release: nbformat.NotebookNode
    answer_key_file: Path
    stripped_package: Path
    limits: Limits
    sandbox: str | None = None
    earlier: Forms = field(default_factory=dict)  # of releases that students may still have
    others: dict[str, list[str]] = field(default_factory=dict)  # cell id → its text in the variants of other students

    @classmethod
    def of(cls, course: Course, stage: str, sandbox: str | None = None, student: str | None = None) -> "Context":
        """The context of a stage of a course, for one student's variant if there are several; makes what is missing."""
        return cls.of_variant(course, stage, sandbox, variant_of(course, stage, student) if student else 0)

    @classmethod
    def of_variant(cls, course: Course, stage: str, sandbox: str | None, variant: int) -> "Context":
        """The same for a variant by its number; number 0 is the page and the numbers of a course without variants."""
        release = with_hidden_tests(course, stage, variant)
        earlier = note_release(course, stage)
        course.answer_key(stage, variant)
        return cls(
            stage,
            release,
            course.answers_file(stage, variant),
            stripped_package(stage, course.private / "packages"),
            course.limits,
            sandbox,
            earlier,
            other_passages(course, stage, variant),
        )

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The stage's exercises that the release asks for, and this package can judge."""
        return tuple(exercise for exercise in exercises_of(self.stage) if exercise.id in self.released_tests.verdicts)

    @cached_property
    def released_tests(self) -> ReleasedTests:
        """What becomes of the release's test cells."""
        return released_tests(self.released, [exercise.id for exercise in exercises_of(self.stage)])

    @property
    def answer_key(self) -> dict:
        """The hidden answers."""
        return answer_key.load(self.answer_key_file)

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
        """A digest of the context: the same submission under the same digest has the same graded notebook."""
        return self._digest(nbformat.writes(self.release), versions())

    @cached_property
    def judged_by(self) -> str:
        """A digest for the verdict only: without the prose of the release and our own version number."""
        cells = [
            {"source": cell.source, "nbgrader": cell.metadata.get("nbgrader"), UNHIDDEN: cell.metadata.get(UNHIDDEN)}
            for cell in self.release.cells
            if cell.cell_type == "code"
        ]
        packages = {name: number for name, number in versions().items() if name != OURS}
        return self._digest(json.dumps(cells, sort_keys=True), packages)

    def _digest(self, release: str, packages: dict[str, str]) -> str:
        parts = [
            release,
            self.answer_key_file.read_bytes().hex(),
            fingerprint_of_verdicts(self.stage, self.stripped_package.parent),
            json.dumps(asdict(self.limits), sort_keys=True),
            json.dumps(packages, sort_keys=True),
            json.dumps(self.others, sort_keys=True),
            self.protection,  # what was graded without a sandbox is never taken for what was graded in one
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def note_release(course: Course, stage: str) -> Forms:
    """Keep what the present release looks like; → the forms of all releases so far."""
    path = course.private / "releases" / f"{stage}.json"
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    now = together(known, forms_of(course.release(stage)))
    if now != known:
        write_whole(path, json.dumps(now).encode())
    return now


class Contexts:
    """The contexts of a stage, by student: as many as the course has variants, each made when it is first needed."""

    def __init__(self, course: Course, stage: str, sandbox: str | None = None):
        self.course, self.stage, self.sandbox = course, stage, sandbox
        self._made: dict[int, Context] = {}

    def of(self, student: str) -> Context:
        """The context that a student's submission is graded in."""
        variant = variant_of(self.course, self.stage, student)
        if variant not in self._made:
            self._made[variant] = made = Context.of_variant(self.course, self.stage, self.sandbox, variant)
            made.exercises, made.digest  # noqa: B018 (made here once, for the processes forked from this)
        return self._made[variant]


def with_hidden_tests(course: Course, stage: str, variant: int = 0) -> nbformat.NotebookNode:
    """The release of a variant; where nbgrader took hidden tests out of a cell, its metadata has the whole source.

    nbgrader keeps that source in the gradebook, which is asked only where an instructor wrote hidden tests.
    """
    release, source = release_of(course, stage, variant), course.source_file(stage)
    delimiter = course.values.ClearHiddenTests.get("begin_test_delimeter") or "BEGIN HIDDEN TESTS"
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
    from nbgrader.api import MissingEntry  # 0.7 s of CPU time

    from autograder.directory.database import open_gradebook

    try:
        with open_gradebook(course.db_url, course.course_id) as gradebook:
            return {cell.name: cell.source for cell in gradebook.find_notebook(stage, stage).source_cells}
    except MissingEntry:  # a gradebook that was lost is told of the stage
        generate_assignment(course, stage)
        return _sources(course, stage)
