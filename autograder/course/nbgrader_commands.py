"""nbgrader's own commands and buttons: they grade by the functions of `course`, and copy through its reading room.

nbgrader offers no setting for the classes behind `nbgrader autograde` and `nbgrader generate_feedback`, so that they
are exchanged by name, in whatever of its modules is loaded.
"""

import fnmatch
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde as StockAutograde
from nbgrader.converters import GenerateFeedback as StockGenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from autograder.cores import cores
from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.grading.handed_in import LEFT_OUT, MAX_STAMP, STAMP, timestamp
from autograder.grading.reading_room import NotReadable, copy_plain, read
from autograder.repair.reading import MAX_BYTES


class Autograde(StockAutograde):
    """`nbgrader autograde`, and the formgrader's button: what `course grade` does, with its repairs and flags."""

    def start(self) -> None:
        """Grade who is meant; an `NbGraderException` where nobody is, or somebody could not be graded."""
        try:
            outcome = self._graded()
        except CourseError as error:
            self.log.error(str(error))
            raise NbGraderException(str(error)) from None
        failed = []
        for submission in outcome["submissions"]:
            for sentence in submission["repairs"] + submission["flags"]:
                self.log.warning("%s: %s", submission["student"], sentence)
            failed += [submission["student"]] if submission["status"] == "ungradable" else []
        if failed:
            message = f"Not graded, see the messages above: {', '.join(failed)}"
            self.log.error(message)
            raise NbGraderException(message)

    def _graded(self) -> dict:
        from autograder.course.grade import grade_round  # 3 s, which no other command of nbgrader need wait for
        from autograder.grading.pool import kept_warm

        course = Course.open(Path(self.coursedir.root))
        stage = course.stage(self.coursedir.assignment_id)
        excluded = self.coursedir.student_id_exclude.split(",")
        everybody = fnmatch.filter(course.students(stage), self.coursedir.student_id)
        students = [student for student in everybody if student not in excluded]
        if not students:
            raise CourseError(f"No submission of {stage} from {self.coursedir.student_id}: look in submitted/.")
        self.notebooks = [str(course.submitted_file(stage, student)) for student in students]
        self.run_pre_convert_hook()
        alone = {"spread": kept_warm} if len(students) == 1 else {"jobs": cores()}
        outcome = grade_round(course, stage, students, again=self.force, **alone).outcome
        self.run_post_convert_hook()
        return outcome


class GenerateFeedback(StockGenerateFeedback):
    """nbgrader's own; what lies beside a graded notebook goes through the reading room on its way to the student."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy the plain files next to the notebook; an `NbGraderException` if the notebook isn't a plain file."""
        source, target = (Path(form(assignment_id, student_id)) for form in (self._format_source, self._format_dest))
        root = Path(self.coursedir.root)
        try:
            for notebook in self.notebooks:
                read(root, root / notebook, MAX_BYTES)
        except NotReadable as why:
            raise NbGraderException(str(why)) from None
        leave = (*self.coursedir.ignore, "*.ipynb", LEFT_OUT)
        for sentence in copy_plain(root / source, root / target, MAX_BYTES, leave):
            self.log.warning("%s: %s", student_id, sentence)


def get_existing_timestamp(self: CourseDirectory, dest_path: str) -> datetime | None:
    """When a submission was handed in; None where a plain file does not say so, whatever else lies there."""
    folder = Path(self.root, dest_path)
    try:
        return timestamp(read(folder.parent, folder / STAMP, MAX_STAMP))
    except NotReadable:
        return None


def get_submitted_timestamp(self: Any, assignment_id: str, student_id: str) -> datetime | None:
    """The same for the formgrader's list."""
    place = self.coursedir.format_path(self.coursedir.submitted_directory, student_id, assignment_id)
    return self.coursedir.get_existing_timestamp(place)


def take_over() -> None:
    """Replace nbgrader's commands, and the formgrader's buttons, by these."""
    CourseDirectory.get_existing_timestamp = get_existing_timestamp
    if api := sys.modules.get("nbgrader.apps.api"):  # of the formgrader; no command needs it
        api.NbGraderAPI.get_submitted_timestamp = get_submitted_timestamp
    loaded = [module for name, module in sys.modules.items() if name.partition(".")[0] == "nbgrader"]
    for stock, ours in ((StockAutograde, Autograde), (StockGenerateFeedback, GenerateFeedback)):
        name = stock.__name__
        for module in loaded:  # except its own: its methods look up the class by this name
            if vars(module).get(name) is stock and module.__name__ != stock.__module__:
                setattr(module, name, ours)
