"""`course collect`: from the zip that an LMS gives out to submitted/, by nbgrader's own zip collector."""

import logging
import os
import re
import tempfile
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from nbgrader.utils import parse_utc
from traitlets import Dict, Unicode
from traitlets.config import Config

from autograder.below import files_below
from autograder.counted import counted
from autograder.course.lms_lists import STUDENT_ID
from autograder.course.roster import strangers
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.directory.deadlines import read_deadlines
from autograder.errors import CourseError
from autograder.exports.archives import BOUNDS, Bounds, Unpacked
from autograder.exports.class_list import NAME as ROSTER
from autograder.exports.class_list import ids_in_lms
from autograder.exports.feedback_files import Sent, remember
from autograder.exports.names_in_zips import Person, pattern_for, students_named
from autograder.files import write_whole
from autograder.grading.attempts import keep
from autograder.grading.handed_in import LATE, STAMP, handed_in
from autograder.shorten_list import shorten_list

NAMED = 10


@dataclass(frozen=True)
class Collected:
    """Who has a submission now, and what is not placed, with the reason."""

    students: tuple[str, ...]
    same: tuple[str, ...]  # handed in what is there already
    left: tuple[str, ...]
    notes: tuple[str, ...] = ()  # files that need nobody's attention, and why
    undated: tuple[str, ...] = ()  # of `students`: whose file's name gives no time
    late: tuple[str, ...] = ()  # of `students`: whom Canvas marked
    unknown: tuple[str, ...] = ()  # of `students`: who are not in the class list

    @property
    def sentences(self) -> list[str]:
        """What the terminal says."""
        said = [
            f"{counted(len(self.students), 'submission')} collected: {shorten_list(self.students, NAMED) or 'none'}."
        ]
        if self.undated:
            said.append(
                "Counted as on time, because this zip has no submission times: "
                f"{shorten_list(self.undated, NAMED)}. `course lateness import` reads the times from Moodle's "
                "worksheet or any other table."
            )
        if self.late:
            said.append(
                f"Marked LATE in the zip, so flagged until {STAMP} has the time: {shorten_list(self.late, NAMED)}."
            )
        if self.same:
            said.append(f"Already in submitted/, unchanged: {shorten_list(self.same, NAMED)}.")
        if self.unknown:
            said.append(f"Not in {ROSTER}, so filed under the id in the zip: {shorten_list(self.unknown, NAMED)}.")
        said += [f"Left out: {reason}." for reason in self.notes]
        return said + [f"Not collected: {reason}." for reason in self.left]


class StudentCollector(FileNameCollectorPlugin):
    """nbgrader's collector on paths inside the zip; every notebook is given the name that the stage has."""

    pattern = Unicode(help="The pattern as it was chosen: the LMS's, or one's own.").tag(config=True)
    root = Unicode(help="Where the zip is unpacked.").tag(config=True)
    stage = Unicode(help="The only notebook of the assignment.").tag(config=True)
    ids = Dict(help="The LMS's number → the student's id, of the class list.").tag(config=True)

    def collect(self, submitted_file: str) -> dict | None:
        """What the name says: student, and perhaps a time; None where it names no student."""
        inside = os.path.relpath(submitted_file, self.root).replace(os.sep, "/")
        found = super().collect(inside)
        if not found or not STUDENT_ID.fullmatch(found.get("student_id") or ""):
            return None
        if len(claimed := students_named(inside, self.pattern, self.stage)) > 1:
            return None
        number, name = next(iter(claimed.items()), (found["student_id"], found.get("name") or ""))
        kept = {"student_id": self.ids.get(number, number), "file_id": f"{self.stage}.ipynb"}
        with suppress(KeyError, TypeError, ValueError):
            kept["timestamp"] = str(parse_utc(found["timestamp"]))
        return kept | {"number": number, "name": name}


class NothingToExtract(ExtractorPlugin):
    """The zip is unpacked already, more carefully than nbgrader does."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Leave the files where they are."""


def collect_zip(
    course: Course,
    stage: str,
    archive: Path,
    pattern: str | None = None,
    update: bool = False,
    bounds: Bounds = BOUNDS,
) -> Collected:
    """Collect a zip, as much of it as `bounds` allow. A `CourseError` if the zip or the pattern is of no use."""
    if not archive.is_file():
        raise CourseError(f"{archive} is not a file; pass the zip you downloaded from the LMS.")
    with tempfile.TemporaryDirectory(prefix="collect-") as name:
        folder = Path(name).resolve() / stage / "extracted"
        folder.mkdir(parents=True)
        unpacked = Unpacked(bounds=bounds)
        unpacked.unpack(archive, folder)
        files = sorted(files_below(folder))
        if not files and not unpacked.left and not unpacked.others:
            raise CourseError(f"{archive} is empty; download the submissions again.")
        if not files and unpacked.left and unpacked.left[0].startswith(f"{archive.name}: not a zip file"):
            raise CourseError(f"{archive} is not a zip file; pass the one you downloaded from the LMS.")
        pattern = pattern_for(files, pattern)
        app = _collector(course, stage, Path(name).resolve(), folder, pattern)
        placed, same, left = _choose(course, stage, app, folder, files, update)
        notes, without = _others(course, stage, app, folder, unpacked.others, {*placed, *same})
        sizes = {student: path.stat().st_size for student, path in placed.items()}
        said = {student: app.collector_plugin_inst.collect(str(path)) for student, path in placed.items()}
        people = [Person.of(student, found, pattern) for student, found in said.items()]
        sent = {s: Sent(found["number"], placed[s].relative_to(folder).as_posix()) for s, found in said.items()}
        if placed:
            if read_deadlines(course):
                for student in placed:
                    keep(course, stage, student, handed_in(course, stage, student))
            try:
                app.process_extracted_files()
            except SystemExit:
                raise CourseError("nbgrader's zip collector failed. Is submitted/ writable?") from None
            except OSError:
                for path in (course.submitted_file(stage, student) for student in placed):
                    if path.is_file() and path.stat().st_size != sizes[path.parts[-3]]:
                        path.unlink()  # half of it
                raise
            _remember(course, stage, people)
            remember(course, stage, sent)
        if lost := [student for student in placed if not course.submitted_file(stage, student).is_file()]:
            raise CourseError(
                f"nbgrader's zip collector did not collect {', '.join(lost)}; everything else is in place."
            )
        undated = tuple(s for s in placed if not course.submitted_file(stage, s).with_name(STAMP).is_file())
        late = tuple(person.student for person in people if person.late)
        unknown = strangers(course, placed)
        return Collected(
            tuple(placed), tuple(same), tuple(unpacked.left + left + without), tuple(notes), undated, late, unknown
        )


def _collector(course: Course, stage: str, downloaded: Path, folder: Path, pattern: str) -> ZipCollectApp:
    config = Config(course.config)
    config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(course.root), stage
    config.ZipCollectApp.collect_directory_structure = str(downloaded / "{assignment_id}" / "{collect_step}")
    config.ZipCollectApp.force = True  # what may be replaced is decided here, by student
    config.ZipCollectApp.extractor_plugin, config.ZipCollectApp.collector_plugin = NothingToExtract, StudentCollector
    config.StudentCollector.named_regexp = config.StudentCollector.pattern = pattern
    config.StudentCollector.ids = ids_in_lms(course)
    config.StudentCollector.root, config.StudentCollector.stage = str(folder), stage
    app = ZipCollectApp(config=config)
    app.coursedir = CourseDirectory(parent=app)
    app.log.setLevel(logging.CRITICAL)
    app.init_plugins()
    return app


def _choose(
    course: Course, stage: str, app: ZipCollectApp, folder: Path, files: list[Path], update: bool
) -> tuple[dict[str, Path], list[str], list[str]]:
    """Leave one notebook a student in `folder`: ({student: its path}, students unchanged, what is left and why)."""
    notebooks, left = defaultdict(list), []
    for path in files:
        inside = path.relative_to(folder).as_posix()
        found = app.collector_plugin_inst.collect(str(path))
        if found is None:
            names = " or ".join([*students_named(inside, app.collector_plugin_inst.pattern, stage)][:NAMED])
            whose = (
                f"it may be from {names}; move it by hand"
                if " or " in names
                else "its name does not identify a student"
            )
            left.append(f"{inside}: {whose} (see --pattern)")
        else:
            notebooks[found["student_id"]].append((_rank(path, stage, found), path))
            continue
        path.unlink()
    placed, same = {}, []
    for student, found in sorted(notebooks.items()):
        *others, (rank, best) = sorted(found)
        if others and not any(rank[:2]):  # no time, and not the stage's name
            names = shorten_list([path.name for _, path in sorted(found)], NAMED)
            left.append(f"{student}: found several notebooks ({names}), none of them named {stage}.ipynb")
            for _, path in found:
                path.unlink()
            continue
        for _, path in others:
            left.append(
                f"{path.relative_to(folder).as_posix()}: {student} has another notebook, which was taken: {best.name}"
            )
            path.unlink()
        there = course.submitted_file(stage, student)
        if there.exists() and there.read_bytes() == best.read_bytes():
            same.append(student)
        elif there.exists() and not update:
            left.append(
                f"{best.relative_to(folder).as_posix()}: {student} already has a submission (--update replaces it)"
            )
        else:
            placed[student] = best
            continue
        best.unlink()
    return placed, same, left


def _others(
    course: Course, stage: str, app: ZipCollectApp, folder: Path, others: dict[str, str], placed: set[str]
) -> tuple[list[str], list[str]]:
    """Files that are no notebooks: (those of a student who has one, all others), each with the reason."""
    beside, alone = [], []
    for name, why in others.items():
        found = app.collector_plugin_inst.collect(f"{folder / name}.ipynb")
        student = found["student_id"] if found else None
        if student and (student in placed or course.submitted_file(stage, student).is_file()):
            beside.append(f"{name}: {why}, and {student} has handed one in")
        else:
            alone.append(f"{name}: {why}")
    return beside, alone


def _remember(course: Course, stage: str, people: list[Person]) -> None:
    """Put names and Canvas's ids into the gradebook where it has none, and the mark LATE beside the hand-in."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        for person in people:
            student = gradebook.update_or_create_student(person.student)
            if not (student.first_name or student.last_name) and person.names != ("", ""):
                student.first_name, student.last_name = person.names
            student.lms_user_id = student.lms_user_id or person.lms_user_id
            if person.late:
                write_whole(course.submitted_file(stage, person.student).with_name(LATE), b"Canvas: LATE\n")
        gradebook.db.commit()


def _rank(path: Path, stage: str, found: dict) -> tuple:
    """The best is the latest; without times the one with the stage's name; then the highest number, as LMSs count."""
    numbers = tuple(int(digits) for digits in re.findall(r"\d{1,18}", path.name))
    return found.get("timestamp", ""), stage in path.name, numbers, path.name
