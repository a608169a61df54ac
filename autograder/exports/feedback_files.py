"""`--to moodle-feedback`, `canvas-feedback`, `feedback`: the students' pages, in the form that an LMS takes back.

Moodle (“Upload multiple feedback files in a zip”, `mod/assign/feedback/file/importziplib.php`) reads whose a file is
from `NAME_PARTICIPANT_assignfeedback_file_…`; Canvas (“Upload submissions”) from the numbers of the user and of the
submission in the names that its own zip had.
"""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from autograder.counted import counted
from autograder.directory.course import Course, generate_feedback
from autograder.errors import CourseError
from autograder.exports.class_list import class_of
from autograder.files import write_whole
from autograder.shorten_list import shorten_list

NAMED = 10
FORMATS = ("moodle-feedback", "canvas-feedback", "feedback")
MADE = (1980, 1, 1, 0, 0, 0)  # the same pages give the same bytes


@dataclass(frozen=True)
class Sent:
    """How an LMS named what a student handed in."""

    number: str  # of the participant in Moodle, of the user in Canvas
    path: str  # in the zip


def remember(course: Course, stage: str, sent: dict[str, Sent]) -> None:
    """Keep, student by student, how the LMS named what was collected from it."""
    known = {student: asdict(one) for student, one in (_remembered(course, stage) | sent).items()}
    write_whole(_memory(course, stage), json.dumps(known, ensure_ascii=False, sort_keys=True).encode())


def export_feedback(course: Course, to: str, stage: str, folder: Path) -> Iterator[str]:
    """Write the pages of a stage, one self-contained HTML file per student; yields sentences.

    Raises:
        CourseError: nobody is graded, or the LMS's names are not known for anybody.
    """
    pages = _pages(course, stage)
    if not pages:
        raise CourseError(f"No submission of {stage} is graded yet: run `course grade {stage}` first.")
    if to == "feedback":
        for student, page in pages.items():
            write_whole(folder / f"{stage}-feedback" / f"{student}.html", page.read_bytes())
        yield f"{folder / f'{stage}-feedback'}: {counted(len(pages), 'page')}, named after the students' ids."
        return
    name_of = _moodle_names(course, stage) if to == "moodle-feedback" else _canvas_names(course, stage)
    named = {student: name_of[student] for student in pages if student in name_of}
    if not named:
        raise CourseError(
            "The names of these submissions in the LMS are unknown: collect its zip with `course collect`, "
            f"or, for Moodle, import the grading worksheet with `course roster`. `course export {stage} --to "
            "feedback` needs neither."
        )
    path = folder / f"{stage}-{to}.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, name in sorted(named.items()):
            archive.writestr(zipfile.ZipInfo(name, MADE), pages[student].read_bytes(), zipfile.ZIP_DEFLATED)
    partial.replace(path)
    yield f"{path}: {counted(len(named), 'page')}."
    if rest := sorted(pages.keys() - named.keys()):
        yield (
            f"Not included, because their names in the LMS are unknown: {shorten_list(rest, NAMED)}. `course "
            f"export {stage} --to feedback` writes their pages."
        )


def _pages(course: Course, stage: str) -> dict[str, Path]:
    """Everybody's page; made by nbgrader if there is none yet, or a verdict is newer."""
    graded = {s: course.autograded_file(stage, s) for s in course.students(stage)}
    graded = {student: path for student, path in graded.items() if path.is_file()}
    pages = {student: course.root / "feedback" / student / stage / f"{stage}.html" for student in graded}
    if any(not page.is_file() or page.stat().st_mtime < graded[s].stat().st_mtime for s, page in pages.items()):
        generate_feedback(course, stage)
    return {student: page for student, page in pages.items() if page.is_file()}


def _moodle_names(course: Course, stage: str) -> dict[str, str]:
    numbers = {
        person.id: (person.lms_user_id, f"{person.first_name} {person.last_name}") for person in class_of(course)
    }
    sent = _remembered(course, stage)
    numbers |= {student: (one.number, _first_part(one.path)) for student, one in sent.items()}
    return {
        student: f"{_plain(name) or student}_{number}_assignfeedback_file_{stage}.html"
        for student, (number, name) in numbers.items()
        if number.isdecimal()
    }


def _plain(name: str) -> str:
    """A name without the characters that separate the parts of Moodle's file names."""
    return name.replace("_", " ").replace("/", " ").strip()


def _canvas_names(course: Course, stage: str) -> dict[str, str]:
    sent = _remembered(course, stage)
    return {student: PurePosixPath(one.path).with_suffix(".html").name for student, one in sent.items()}


def _first_part(path: str) -> str:
    """The name at the start of `Ann Doe_657_assignsubmission_file_/01_attention.ipynb`."""
    return next((part.partition("_")[0] for part in path.split("/") if "_assignsubmission_" in part), "")


def _remembered(course: Course, stage: str) -> dict[str, Sent]:
    path = _memory(course, stage)
    found = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {student: Sent(**one) for student, one in found.items()}


def _memory(course: Course, stage: str) -> Path:
    return course.private / "lms" / f"{stage}.json"
