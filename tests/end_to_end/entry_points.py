"""One score through every entry point: `python -m tests.end_to_end.entry_points 30` prints the table.

The number is that of the students in each of the two classes, an honest and a damaged one; one of each kind without it.
Stages may follow, of both tracks: `… 6 01_attention 22_jax_model`.
"""

import copy
import csv
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.utils import capture_log
from traitlets.config import Config

from autograder.catalogue import exercises_of
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed, strip_metadata
from autograder.course.grade import grade_round
from autograder.course.init import init_course
from autograder.directory.course import Course
from autograder.exports.files import export_stages, table_name
from autograder.exports.gradescope_run import results
from autograder.exports.scores import read_scores
from autograder.files import write_whole
from autograder.grading.pool import kept_warm
from autograder.grading.task import close_workers
from autograder.stripping.strip import solved_source
from tests.public_answers import give_public_answers

STAGES = ("01_attention", "03_positions", "07_reverse")
HONEST, DAMAGED = ("right", "mistake", "half"), ("stripped", "syntax", "renamed", "no-notebook")
ENTRY_POINTS = (
    "course grade",
    "gradebook",
    "autograde",
    "formgrader",
    "exchange",
    "csv",
    "Canvas",
    "Moodle",
    "Gradescope",
)
NONE = "–"


def class_of(kinds: tuple[str, ...], size: int) -> list[str]:
    """The students of a class: the kinds in turn, numbered."""
    return [f"{kinds[n % len(kinds)]}-{n // len(kinds)}" for n in range(size)]


def hand_ins(course: Course, stage: str, students: list[str]) -> dict[str, bytes]:
    """The hand-ins of a stage, no two alike: student → file."""
    exercises = exercises_of(stage)
    solved = {exercise.id: solved_source(exercise.reference) for exercise in exercises}
    mistakes = [(e, m) for e in exercises for m in e.mistakes if m.edits]
    made = {}
    for student in students:
        kind, _, number = student.rpartition("-")
        if kind == "no-notebook":
            made[student] = f"%PDF-1.7 {number}".encode()
            continue
        exercise, mistake = mistakes[int(number) % len(mistakes)]
        one = exercises[int(number) % len(exercises)].id
        answers = {name: f"# {student}\n{source}" for name, source in solved.items()}
        if kind in ("mistake", "stripped", "renamed"):
            answers[exercise.id] = mistake.source(exercise.reference)
        elif kind == "syntax":
            answers[one] = answers[one].replace(":", "", 1)
        elif kind == "half":
            answers = {name: source if name == one else None for name, source in answers.items()}
        change = strip_metadata if kind == "stripped" else None
        made[student] = submission(Handed(student, 0, answers, change), course.release(stage), stage)
    return made


def file_of(student: str, stage: str) -> str:
    """What a student's file is called."""
    return f"{stage} (1).ipynb" if student.startswith("renamed") else f"{stage}.ipynb"


def every_entry_point(
    root: Path, honest: int = len(HONEST), damaged: int = len(DAMAGED), stages: tuple[str, ...] = STAGES
) -> dict[tuple[str, str], dict]:
    """(stage, student) → entry point → the points that come out there; none where nothing was graded."""
    students = class_of(HONEST, honest) + class_of(DAMAGED, damaged)
    course = init_course(root / "course", only=stages)
    for stage in stages:
        give_public_answers(course, stage)
        for student, data in hand_ins(course, stage, students).items():
            write_whole(course.submitted_file(stage, student).with_name(file_of(student, stage)), data)
    for other in ("autograde", "exchange"):
        shutil.copytree(course.root, root / other)
    found = {}
    for stage in stages:
        entry_points = {"course grade": graded(course, stage)}
        entry_points["gradebook"] = {student: score.grade for student, score in read_scores(course, stage).items()}
        entry_points["autograde"] = by_nbgrader(Course.open(root / "autograde"), stage, autograde=True)
        entry_points["formgrader"] = by_nbgrader(course, stage)
        entry_points["exchange"] = through_the_exchange(Course.open(root / "exchange"), stage, root)
        for entry_point, column in (("csv", "score"), ("Canvas", stage), ("Moodle", stage)):
            entry_points[entry_point] = exported(course, stage, entry_point.lower(), column, root / "files")
        entry_points["Gradescope"] = on_gradescope(course, stage, root)
        for student in students:
            found[stage, student] = {
                entry_point: shown(entry_points[entry_point].get(student)) for entry_point in ENTRY_POINTS
            }
    close_workers()
    return found


def shown(points: float | str | None) -> str:
    """Points as a table has them."""
    return NONE if points in (None, "") else f"{float(points):g}"


def graded(course: Course, stage: str, spread: Callable | None = None) -> dict[str, float]:
    """What `course grade --json` says."""
    outcome = grade_round(course, stage, course.students(stage), spread=spread).outcome
    return {one["student"]: one["score"] for one in outcome["submissions"] if one["status"] != "ungradable"}


def by_nbgrader(course: Course, stage: str, autograde: bool = False) -> dict[str, float]:
    """What the formgrader's table of submissions shows; after nbgrader's own autograde, if wanted."""
    config = Config(copy.deepcopy(course.config))
    config.CourseDirectory.root = str(course.root)
    api = NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)
    for student in course.students(stage) if autograde else ():
        api.autograde(stage, student)
    return {one["student"]: one["score"] for one in api.get_submissions(stage) if one["autograded"]}


def through_the_exchange(course: Course, stage: str, root: Path) -> dict[str, float]:
    """Submitted by each student, collected, graded."""
    handed_in = {student: there(course, stage, student).read_bytes() for student in course.students(stage)}
    (root / "inbound").mkdir(exist_ok=True)
    (root / "inbound").chmod(0o777)
    _exchange(course, stage, root, "ReleaseAssignment")
    for student, data in handed_in.items():
        shutil.rmtree(course.submitted_file(stage, student).parent)
        write_whole(root / "homes" / student / stage / file_of(student, stage), data)
        _exchange(course, stage, root, "Submit", student)
    _exchange(course, stage, root, "Collect")
    return graded(course, stage, spread=kept_warm)


def there(course: Course, stage: str, student: str) -> Path:
    """What a student handed in."""
    return course.submitted_file(stage, student).with_name(file_of(student, stage))


def _exchange(course: Course, stage: str, root: Path, action: str, student: str | None = None) -> None:
    config = Config(copy.deepcopy(course.config))
    config.CourseDirectory.root = str(course.root)
    config.CourseDirectory.student_id, config.CourseDirectory.assignment_id = student or "*", stage
    config.Exchange.root, config.Exchange.cache = str(root / "inbound"), str(root / "cache")
    config.Exchange.assignment_dir = str(root / "homes" / (student or ""))
    make = getattr(ExchangeFactory(config=config), action)
    app = make(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
    outcome = capture_log(app)
    if not outcome["success"]:
        raise RuntimeError(outcome)


def exported(course: Course, stage: str, to: str, column: str, folder: Path) -> dict[str, str]:
    """The grades in a file of `course export`."""
    list(export_stages(course, to, [stage], None, None, folder))
    with (folder / table_name(stage, to)).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    place = header.index(column)
    return {student: row[place] for row in rows for student in set(row) & {*course.students(stage)}}


def on_gradescope(course: Course, stage: str, root: Path) -> dict[str, float]:
    """What results.json says in Gradescope's layout. A file that isn't a notebook is refused there, with a sentence."""
    place, scores = root / "gradescope" / stage, {}
    list(export_stages(course, "gradescope", [stage], None, None, root / "files"))
    with zipfile.ZipFile(root / "files" / f"{stage}-gradescope.zip") as archive:
        archive.extractall(place / "source")
    for student in course.students(stage):
        write_whole(place / "submission" / file_of(student, stage), there(course, stage, student).read_bytes())
        outcome = results(place, place / "packages")
        shutil.rmtree(place / "submission")
        if outcome["tests"][0]["name"] != "Not graded":
            scores[student] = sum(test["score"] for test in outcome["tests"])
    return scores


def main() -> None:
    """Print the table, in Markdown, and how many of its rows are not the same all along."""
    sizes = [int(sys.argv[1])] * 2 if sys.argv[1:] else [len(HONEST), len(DAMAGED)]
    with tempfile.TemporaryDirectory() as folder:
        found = every_entry_point(Path(folder), *sizes, tuple(sys.argv[2:]) or STAGES)
    print(f"| stage | student | {' | '.join(ENTRY_POINTS)} |")
    print("|---" * (len(ENTRY_POINTS) + 2) + "|")
    for (stage, student), points in found.items():
        print(f"| {stage} | {student} | {' | '.join(points.values())} |")
    print(f"\n{len(found)} rows, {sum(len({*points.values()}) > 1 for points in found.values())} of them unequal")


if __name__ == "__main__":
    sys.exit(main())
