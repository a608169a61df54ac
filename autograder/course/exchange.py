"""nbgrader's exchange, adapted to courses with hand-ins that did not come through it."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from glob import glob
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import Exchange, ExchangeCollect, ExchangeReleaseAssignment, ExchangeReleaseFeedback

from autograder.course.lms_lists import STUDENT_ID
from autograder.directory.course import Course
from autograder.directory.deadlines import read_deadlines
from autograder.directory.variants import number_of_variants
from autograder.exports.variants import SAME_FOR_ALL
from autograder.files import write_whole
from autograder.grading.attempts import keep
from autograder.grading.handed_in import LATE, LEFT_OUT, SECRET, STAMP, found_in
from autograder.grading.reading_room import copy_plain
from autograder.repair.reading import MAX_BYTES
from autograder.shorten_list import shorten_list

NAMED = 10


class ReleaseAssignment(ExchangeReleaseAssignment):
    """nbgrader's own, which has one page for everybody."""

    def init_src(self) -> None:
        """Refuse if students should get different pages."""
        if number_of_variants(Course.open(self.coursedir.root)) > 1:
            self.fail(SAME_FOR_ALL.format(way="the exchange", stage=self.coursedir.assignment_id))
        super().init_src()

    def start(self) -> None:
        """Release; one sentence where the exchange cannot be written to."""
        with _writable(self):
            super().start()


@contextmanager
def _writable(exchange: Exchange) -> Iterator[None]:
    """Say in a sentence, without a traceback, that the exchange is read-only or belongs to another user."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        exchange.fail(
            f"The exchange {exchange.root} cannot be written to ({error.strerror}: {error.filename}): mount it "
            "writable, or let your account own the course's folder in it."
        )


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's own, which would stop at the first student whose hand-in came by another way."""

    def start(self) -> None:
        """Release; one sentence where the exchange cannot be written to."""
        with _writable(self):
            super().start()

    def copy_files(self) -> None:
        """Release the feedback of everybody who submitted through the exchange; name the others."""
        folders = [Path(page).parent for page in glob(f"{self.src_path}/*.html")]
        strangers = {f.parent.name for f in folders if not ((f / STAMP).is_file() and (f / SECRET).is_file())}
        excluded = set(filter(None, self.coursedir.student_id_exclude.split(",")))
        if strangers - excluded:
            named = shorten_list(sorted(strangers - excluded), NAMED)
            stage = self.coursedir.assignment_id
            self.log.warning(
                "Not submitted through the exchange, so not returned through it: %s. `course export %s --to feedback` "
                "writes their pages; --to moodle-feedback or canvas-feedback, a zip that the LMS takes back.",
                *(named, stage),
            )
        self.coursedir.student_id_exclude = ",".join(sorted(excluded | strangers))
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = ",".join(sorted(excluded))


class Collect(ExchangeCollect):
    """nbgrader's own, through the reading room; with a course.toml earlier submissions are kept as attempts."""

    def init_src(self) -> None:
        """Which submissions are meant: folders whose name says whose they are, and when."""
        super().init_src()
        strange = [record for record in self.src_records if not STUDENT_ID.fullmatch(record["username"])]
        for record in strange:
            self.log.warning(
                "Not collected, because its name is not that of a submission: %s", ascii(record["filename"])
            )
            self.src_records.remove(record)

    def copy_files(self) -> None:
        """Keep every submission that lies in the exchange, then collect."""
        course, stage = Course.open(self.coursedir.root), self.coursedir.assignment_id
        if read_deadlines(course):
            for record in map(self._path_to_record, glob(f"{self.inbound_path}/*+{stage}+*")):
                folder = Path(self.inbound_path) / record["filename"]
                keep(course, stage, record["username"], found_in(folder.parent, folder, stage))
        for record in [*self.src_records]:
            folder, place = (
                Path(self.inbound_path) / record["filename"],
                course.submitted_file(stage, record["username"]),
            )
            if folder.is_symlink() or not folder.is_dir():  # to nothing, it would stop the others
                self.src_records.remove(record)
                if not place.parent.exists():
                    self.do_copy(str(folder), str(place.parent))
        super().copy_files()

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the plain files of a submission; what is left out is said beside them, for `course grade` to flag."""
        most = min(MAX_BYTES, 1000 * self.coursedir.max_file_size)
        left = copy_plain(Path(src), Path(dest), most, (*self.coursedir.ignore, LEFT_OUT, LATE))
        for sentence in left:
            self.log.warning(sentence)
        if left:
            write_whole(Path(dest) / LEFT_OUT, "\n".join(left).encode(errors="replace"))

    def _path_to_record(self, path: str) -> dict:
        try:
            return super()._path_to_record(path)
        except (ValueError, OverflowError, ExchangeError):
            return {"username": "", "filename": Path(path).name, "timestamp": datetime.min}
