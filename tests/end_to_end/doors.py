"""One score through every door: `python -m tests.end_to_end.doors` prints the table that the test asserts."""

import copy
import csv
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.utils import capture_log
from traitlets.config import Config

from autograder.build.strip import solved_source
from autograder.catalogue import exercises_of
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed, strip_metadata
from autograder.course.directory import Course
from autograder.course.export.files import export_stages
from autograder.course.export.gradescope_run import results
from autograder.course.export.scores import read_scores
from autograder.course.grade import grade_round
from autograder.course.init import init_course
from autograder.files import write_whole
from autograder.grading.task import close_workers

STAGES = ("01_attention", "03_positions", "07_reverse")
HONEST, DAMAGED = ("right", "slip", "half"), ("stripped", "syntax", "no-notebook")
DOORS = ("course grade", "gradebook", "autograde", "formgrader", "exchange", "csv", "Canvas", "Moodle", "Gradescope")
NONE = "–"


def hand_ins(course: Course, stage: str) -> dict[str, bytes]:
    """The two classes, of a stage: student → file."""
    first, *others = exercises_of(stage)
    source = solved_source(first.reference)
    slip = next(mistake for mistake in first.mistakes if mistake.edits and mistake.says).source(first.reference)
    answers = {
        "right": {},
        "slip": {first.id: slip},
        "half": dict.fromkeys((exercise.id for exercise in others), None),
        "stripped": {first.id: slip},
        "syntax": {first.id: source.replace(":", "", 1)},
    }
    release = course.release(stage)
    made = {
        student: submission(
            Handed(student, 0, given, strip_metadata if student == "stripped" else None), release, stage
        )
        for student, given in answers.items()
    }
    return made | {"no-notebook": b"%PDF-1.7"}


def every_door(root: Path) -> dict[tuple[str, str], dict[str, str]]:
    """(stage, student) → door → the points that come out there; none where nothing was graded."""
    course = init_course(root / "course", only=STAGES)
    for stage in STAGES:
        course.answers(stage)
        for student, data in hand_ins(course, stage).items():
            write_whole(course.submitted_file(stage, student), data)
    for other in ("autograde", "exchange"):
        shutil.copytree(course.root, root / other)
    found = {}
    for stage in STAGES:
        doors = {"course grade": graded(course, stage)}
        doors["gradebook"] = {student: score.grade for student, score in read_scores(course, stage).items()}
        doors["autograde"] = by_nbgrader(Course.open(root / "autograde"), stage, autograde=True)
        doors["formgrader"] = by_nbgrader(course, stage)
        doors["exchange"] = through_the_exchange(Course.open(root / "exchange"), stage, root)
        for door, column in (("csv", "score"), ("Canvas", stage), ("Moodle", stage)):
            doors[door] = exported(course, stage, door.lower(), column, root / "files")
        doors["Gradescope"] = on_gradescope(course, stage, root)
        for student in HONEST + DAMAGED:
            found[stage, student] = {door: shown(doors[door].get(student)) for door in DOORS}
    close_workers()
    return found


def shown(points: float | str | None) -> str:
    """Points as a table has them."""
    return NONE if points in (None, "") else f"{float(points):g}"


def graded(course: Course, stage: str) -> dict[str, float]:
    """What `course grade --json` says."""
    outcome = grade_round(course, stage, course.students(stage)).outcome
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
    handed_in = {student: course.submitted_file(stage, student).read_bytes() for student in course.students(stage)}
    (root / "inbound").mkdir(exist_ok=True)
    (root / "inbound").chmod(0o777)
    _exchange(course, stage, root, "ReleaseAssignment")
    for student, data in handed_in.items():
        shutil.rmtree(course.submitted_file(stage, student).parent)
        write_whole(root / "homes" / student / stage / f"{stage}.ipynb", data)
        _exchange(course, stage, root, "Submit", student)
    _exchange(course, stage, root, "Collect")
    return graded(course, stage)


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
    with (folder / f"{stage}-{to}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    place = header.index(column)
    return {student: row[place] for row in rows for student in set(row) & {*HONEST, *DAMAGED}}


def on_gradescope(course: Course, stage: str, root: Path) -> dict[str, float]:
    """What results.json says in Gradescope's layout. A file that is no notebook is refused there, with a sentence."""
    there, scores = root / "gradescope" / stage, {}
    list(export_stages(course, "gradescope", [stage], None, None, root / "files"))
    with zipfile.ZipFile(root / "files" / f"{stage}-gradescope.zip") as archive:
        archive.extractall(there / "source")
    for student in course.students(stage):
        write_whole(there / "submission" / f"{stage}.ipynb", course.submitted_file(stage, student).read_bytes())
        outcome = results(there, there / "editions")
        if "submit again" not in outcome["output"]:
            scores[student] = sum(test["score"] for test in outcome["tests"])
    return scores


def main() -> None:
    """Print the table, in Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        found = every_door(Path(folder))
    print(f"| stage | student | {' | '.join(DOORS)} |")
    print("|---" * (len(DOORS) + 2) + "|")
    for (stage, student), points in found.items():
        print(f"| {stage} | {student} | {' | '.join(points.values())} |")


if __name__ == "__main__":
    sys.exit(main())
