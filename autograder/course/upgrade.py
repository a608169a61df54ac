"""What a newer version of the package would change in a running course, listed before it is installed there."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import nbformat
from sqlalchemy.engine import make_url

from autograder.course.init import init_course
from autograder.directory import deadlines
from autograder.directory.course import Course, parts_of_verdicts
from autograder.grading.context import Context, Contexts
from autograder.grading.handed_in import handed_in
from autograder.grading.notebook import test_of
from autograder.grading.pool import local
from autograder.grading.records import Records, noted
from autograder.grading.task import grade_bytes
from autograder.installed import missing_framework
from autograder.logs import fault
from autograder.shorten_list import shorten_list
from autograder.versions import OURS, versions

COPIED = ("source", "release", ".course/sources", ".course/answers")
NAMED = 8
NOTHING = (0.0, 0.0)  # score and points of an exercise that is not there
CLOSE = 1e-9


@dataclass(frozen=True)
class Change:
    """A score that would be another one: exercise → (before, after) where it differs; `after` None: no verdict."""

    student: str
    stage: str
    before: float
    after: float | None
    exercises: dict[str, tuple[float, float]]
    by_points: bool = False  # which the course gives already: the verdicts are the same

    def __str__(self) -> str:
        if self.after is None:
            return f"{self.stage}, {self.student}: {self.before:g} → not graded"
        parts = ", ".join(f"{name} {before:g} → {after:g}" for name, (before, after) in self.exercises.items())
        return f"{self.stage}, {self.student}: {self.before:g} → {self.after:g} ({parts})"


def what_changed(course: Course) -> Iterator[str]:
    """Sentences for `course doctor`: which version made the course, and what changed since for its verdicts."""
    made_by = course.mark.get("made_by") or "an unknown version"
    yield f"{course.root} was made by {OURS} {made_by}; installed is {version(OURS)}."
    for stage in course.stages:
        made = course.sources_of(stage)
        if missing := missing_framework(stage):
            yield f"{stage}: {', '.join(missing)} not installed here."
            continue
        if made is None:
            yield f"{stage}: no hidden cases drawn yet."
            continue
        now = parts_of_verdicts(stage)
        others = {name: f"{name} {made['packages'].get(name)} → {new}" for name, new in versions().items()}
        changed = [said for name, said in others.items() if made["packages"].get(name) != versions()[name]]
        changed += sorted(name for name in {*now, *made["files"]} if now.get(name) != made["files"].get(name))
        since = (
            f"changed since: {shorten_list(changed, NAMED)}"
            if changed
            else "unchanged since its hidden cases were drawn"
        )
        yield f"{stage}: {since}."


def would_change(
    course: Course, jobs: int = 1, sandbox: str | None = None, tell: Callable = print, spread: Callable = local
) -> list[Change]:
    """The automatic scores that `upgrade` would change: graded in a copy, of which nothing is kept.

    Late penalties and points that a person gave are left out. `tell` is called with a sentence for each source that
    would stay as it is; `spread` runs tasks, as in `grade_stage`.
    """
    found = []
    with _copy(course, tell) as copy:
        for stage in (stage for stage in copy.stages if not missing_framework(stage)):
            contexts = Contexts(copy, stage, sandbox)
            points = _points(course, stage)
            before = {s: note for s in course.students(stage) if (note := noted(course.private, stage, s))}
            given = {student: handed_in(course, stage, student) for student in before}
            todo = [
                student
                for student in before
                if not _records(course, contexts.of(student)).judged_alike(student, given[student].identity)
            ]
            tasks = [(s, (contexts.of(s), given[s].data, None, given[s].refused, True)) for s in todo]
            if tasks:
                with closing(spread(grade_bytes, iter(tasks), min(jobs, len(tasks)))) as outcomes:
                    found += [change for s, now in outcomes if (change := _change(s, stage, before[s], now, points))]
    return sorted(found, key=lambda change: (change.stage, change.student))


def _records(course: Course, context: Context) -> Records:
    return Records(course.private, context.stage, context.digest, context.judged_by)


def upgrade(course: Course, tell: Callable[[str], None]) -> None:
    """Bring sources and releases up to date, except edited ones, and redraw the hidden cases."""
    init_course(course.root, only=course.stages, tell=tell)
    for stage in course.stages:
        if not missing_framework(stage):
            course.answer_key(stage)


def _points(course: Course, stage: str) -> dict[str, float]:
    """Exercise → its points in the course, as it is before the upgrade."""
    source = nbformat.read(course.source_file(stage), as_version=4)
    tests = (cell.metadata["nbgrader"] for cell in source.cells if test_of(cell))
    return {test["grade_id"].removeprefix("test_"): float(test["points"]) for test in tests}


def _change(
    student: str, stage: str, before: dict, outcome: dict | BaseException, points: dict[str, float]
) -> Change | None:
    if isinstance(outcome, BaseException):
        fault(f"{student} was not graded in {stage}", outcome)
    now = None if isinstance(outcome, BaseException) else outcome["submission"]
    if now is None or (now["status"] == "ungradable" != before["status"]):
        return Change(student, stage, before["score"], None, {})
    old, new = ({e["id"]: (e["score"], e["max_score"]) for e in one["exercises"]} for one in (before, now))
    pairs = {name: (old.get(name, NOTHING), new.get(name, NOTHING)) for name in {**old, **new}}
    differing = {name: pair for name, pair in pairs.items() if abs(pair[0][0] - pair[1][0]) > CLOSE}
    if not differing:
        return None
    by_points = all(_same_share(*pair) and pair[1][1] == points.get(name) for name, pair in differing.items())
    scores = {name: (pair[0][0], pair[1][0]) for name, pair in differing.items()}
    return Change(student, stage, before["score"], now["score"], scores, by_points)


def _same_share(before: tuple[float, float], after: tuple[float, float]) -> bool:
    """Whether two (score, points) are the same share of the points."""
    return abs(before[0] * after[1] - after[0] * before[1]) < CLOSE


@contextmanager
def _copy(course: Course, tell: Callable[[str], None]) -> Iterator[Course]:
    """The course as it would be after an upgrade, without submissions, on a gradebook of its own."""
    with tempfile.TemporaryDirectory(prefix="upgrade-") as folder:
        root = Path(folder) / course.root.name
        for name in COPIED:
            if (course.root / name).is_dir():
                shutil.copytree(course.root / name, root / name)
        beside = (course.private / "seed", course.private / "course.json", course.root / deadlines.NAME)
        for path in filter(Path.is_file, (*beside, *course.root.glob("*.py"))):
            shutil.copy(path, root / path.relative_to(course.root))
        gradebook = root / "gradebook.db"
        with (root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
            config.write(f"\nc.CourseDirectory.db_url = {f'sqlite:///{gradebook}'!r}\n")
        url = make_url(course.db_url)
        if url.get_backend_name() == "sqlite" and url.database and Path(url.database).is_file():
            shutil.copy(url.database, gradebook)
            init_course(root, only=course.stages, tell=tell)
        else:
            tell("The gradebook is not a file that can be copied, so the releases are tried without a copy.")
        yield Course.open(root)
