"""What each entry point passes to the grading call: if all pass the same, points, flags and repairs are the same.

No entry point grades. It can only change the bytes, what is refused, the sentences about the folder it read, and the
context; `record_of` replaces the grading of a submission by a digest of these, and everything around it is real.
"""

import copy
import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from nbgrader.apps.api import NbGraderAPI
from nbgrader.auth import Authenticator
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.utils import capture_log
from traitlets.config import Config

from autograder.course.collect import collect_zip
from autograder.course.grade import grade_round
from autograder.course.nbgrader_commands import Autograde
from autograder.directory.course import Course
from autograder.exports import gradescope_run
from autograder.exports.gradescope import autograder_zip
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.grading.records import noted
from autograder.grading.submission import sanitised, unreadable

STAGE = "01_attention"
WHEN = "2026-11-23 10:00:00 UTC"
UNREAD = "no notebook"  # what course grade leaves to a person, and Gradescope asks to hand in again
Files = dict[str, bytes]


def ids(names) -> dict[str, str]:
    """Attack → a student's id that the zip of any LMS can carry."""
    return {name: str(number) for number, name in enumerate(names, start=101)}


def by_course_grade(course: Course, files: Files) -> None:
    hand_in(course, files)
    grade_round(course, STAGE, [*files])


def by_autograde(course: Course, files: Files) -> None:
    hand_in(course, files)
    autograde(course)


def by_the_formgrader(course: Course, files: Files) -> None:
    hand_in(course, files)
    config = configured(course)
    api = NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)
    for student in files:
        api.autograde(STAGE, student)


def by_the_exchange(course: Course, files: Files) -> None:
    config = configured(course)
    exchange = course.root.parent / f"{course.root.name}-exchange"
    config.Exchange.root = str(exchange)
    for student, data in files.items():
        folder = exchange / "course" / "inbound" / f"{student}+{STAGE}+{WHEN}+x"
        folder.mkdir(parents=True)
        (folder / f"{STAGE}.ipynb").write_bytes(data)
    exchange.chmod(0o777)
    make = ExchangeFactory(config=config).Collect
    app = make(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
    said = capture_log(app)
    assert said["success"], said
    autograde(course)


def by_a_zip(course: Course, files: Files) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for student, data in files.items():
            archive.writestr(f"somebody_{student}_9001_{STAGE}.ipynb", data)
    path = course.root.parent / f"{course.root.name}.zip"
    path.write_bytes(buffer.getvalue())
    collect_zip(course, STAGE, path)
    grade_round(course, STAGE, course.students(STAGE))


ENTRY_POINTS: dict[str, Callable[[Course, Files], None]] = {
    "course grade": by_course_grade,
    "nbgrader autograde": by_autograde,
    "the formgrader's button": by_the_formgrader,
    "nbgrader collect": by_the_exchange,
    "course collect": by_a_zip,
}
GRADESCOPE = "Gradescope"


def hand_in(course: Course, files: Files) -> None:
    for student, data in files.items():
        write_whole(course.submitted_file(STAGE, student), data)


def configured(course: Course) -> Config:
    config = Config(copy.deepcopy(course.config))
    config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(course.root), STAGE
    return config


def autograde(course: Course) -> None:
    """`nbgrader autograde STAGE`, which fails where somebody could not be graded."""
    config = configured(course)
    coursedir = CourseDirectory(config=config)
    try:
        Autograde(coursedir=coursedir, config=config).start()
    except NbGraderException:
        assert course.students(STAGE)


def record_of(context: Context, data: bytes, folder=None, refused=(), again: bool = False) -> dict:
    """In the place of a verdict: a digest of what it would be made from."""
    if refused or sanitised(data, context)[0] is None:
        said = [UNREAD, *refused]
    else:
        said = [hashlib.sha256(context.digest.encode() + data).hexdigest()]
    return {
        "submission": unreadable(context, said).as_json(""),
        "notebook": None,
        "timed_out": False,
        "disputed": False,
    }


def here(_, submissions, jobs):
    """In the place of a pool."""
    for student, arguments in submissions:
        yield student, record_of(*arguments)


def handed_over(
    course: Course, attacks: Files, entry_points=(*ENTRY_POINTS, GRADESCOPE)
) -> dict[str, dict[str, list[str]]]:
    """Entry point → attack → what is passed, as sentences; each entry point with a copy of `course`."""
    students = ids(attacks)
    files = {students[name]: data for name, data in attacks.items()}
    found: dict[str, dict] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, entry_point in enumerate(name for name in entry_points if name != GRADESCOPE):
            shutil.copytree(course.root, Path(folder, f"course{number}"))
            own = Course.open(Path(folder, f"course{number}"))
            with patch("autograder.grading.run.local", here), patch("autograder.grading.pool.kept_warm", here):
                ENTRY_POINTS[entry_point](own, files)
            found[entry_point] = {name: written_down(own, student) for name, student in students.items()}
        if GRADESCOPE in entry_points:
            found[GRADESCOPE] = at_gradescope(course, attacks, Path(folder, "autograder"))
    return found


def written_down(course: Course, student: str) -> list[str]:
    """What the course keeps of a student: the flags, and the repairs."""
    submission = noted(course.private, STAGE, student)
    return ["nothing"] if submission is None else [*submission["flags"], *submission["repairs"]]


def at_gradescope(course: Course, attacks: Files, root: Path) -> dict[str, list[str]]:
    """The same in its own layout, from its own zip."""
    with zipfile.ZipFile(io.BytesIO(autograder_zip(Context.of(course, STAGE)))) as archive:
        archive.extractall(root / "source", [name for name in archive.namelist() if name.startswith("course/")])
    (root / "submission").mkdir()
    found = {}
    context = gradescope_run.context_of(root / "source" / "course", root, "bubblewrap", 0)
    with patch.object(gradescope_run, "context_of", lambda *_: context):  # made once, not once per attack
        for name, data in attacks.items():
            (root / "submission" / f"{STAGE}.ipynb").write_bytes(data)
            found[name] = gradescope_said(root)
    return found


def gradescope_said(root: Path) -> list[str]:
    try:
        outcome = gradescope_run.results(root, root, record_of)
    except RuntimeError as error:  # a result that could not be judged, as `record_of` gives it, ends the run
        return [str(error)]
    assert [test["name"] for test in outcome["tests"]] == ["Not graded"], json.dumps(outcome)
    return [UNREAD]


def unequal(found: dict[str, dict[str, list[str]]]) -> list[str]:
    """A line for each attack that an entry point passes differently from `course grade`."""
    first = found["course grade"]
    return [
        f"{entry_point}: {name}: {said[:2]} instead of {first[name][:2]}"
        for entry_point, told in found.items()
        for name, said in told.items()
        if said != first[name] and not (entry_point == GRADESCOPE and said[0] == first[name][0] == UNREAD)
    ]
