"""Members of nbgrader's exchange that work beside hand-ins that did not come through it."""

from glob import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback

from autograder.course.directory import Course
from autograder.course.terms import read_terms
from autograder.grading.attempts import keep
from autograder.grading.handed_in import SECRET, STAMP, found_in
from autograder.shorten_list import shorten_list

NAMED = 10


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's own, which would stop at the first student whose hand-in came by another way."""

    def copy_files(self) -> None:
        """Release the feedback of everybody who submitted through the exchange; name the others."""
        folders = [Path(page).parent for page in glob(f"{self.src_path}/*.html")]
        strangers = {f.parent.name for f in folders if not ((f / STAMP).is_file() and (f / SECRET).is_file())}
        excluded = set(filter(None, self.coursedir.student_id_exclude.split(",")))
        if strangers - excluded:
            named = shorten_list(sorted(strangers - excluded), NAMED)
            self.log.warning("Not handed in through the exchange, so not returned through it: %s", named)
        self.coursedir.student_id_exclude = ",".join(sorted(excluded | strangers))
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = ",".join(sorted(excluded))


class Collect(ExchangeCollect):
    """nbgrader's own, which takes the latest submission; with a course.toml the earlier ones are kept as attempts."""

    def copy_files(self) -> None:
        """Keep every submission that lies in the exchange, then collect."""
        course, stage = Course.open(self.coursedir.root), self.coursedir.assignment_id
        if read_terms(course):
            for record in map(self._path_to_record, glob(f"{self.inbound_path}/*+{stage}+*")):
                folder = Path(self.inbound_path) / record["filename"]
                keep(course, stage, record["username"], found_in(folder.parent, folder, stage))
        super().copy_files()
