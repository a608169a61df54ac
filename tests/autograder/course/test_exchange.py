"""The whole circle through nbgrader's exchange: release, fetch, submit, collect, grade, feedback, and back."""

import copy
import errno
import shutil
import time

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback
from nbgrader.utils import capture_log
from traitlets.config import Config

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS
from autograder.directory.course import Course, generate_feedback
from autograder.files import write_whole
from autograder.grading.attempts import kept
from autograder.grading.run import grade_stage
from autograder.grading.task import close_workers

pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # nbgrader leaves a file open
STAGE = "01_attention"
HANDED = {handed.student: handed for handed in CLASS if handed.student in ("all-right", "no-scaling")}


@pytest.fixture
def nbgrader(course, tmp_path):
    """`nbgrader(action, student)` runs one of nbgrader's commands as that student, or as the instructor."""
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)

    def run(action, student=None):
        config = Config(copy.deepcopy(Course.open(course.root).config))
        config.CourseDirectory.root = str(course.root if student is None else tmp_path / student)
        config.CourseDirectory.student_id, config.CourseDirectory.assignment_id = student or "*", STAGE
        config.Exchange.root = str(tmp_path / "exchange")
        config.Exchange.assignment_dir = str(tmp_path / (student or "nobody"))
        config.Exchange.cache = str(tmp_path / "caches" / (student or "nobody"))
        make = getattr(ExchangeFactory(config=config), action)
        app = make(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
        app.update = True  # --update, of collect
        outcome = capture_log(app)
        assert outcome["success"], outcome
        return outcome.get("log", "")

    yield run
    close_workers()


def hand_in(nbgrader, tmp_path, handed):
    """What a student does: fetch, fill in, submit."""
    if not (tmp_path / handed.student / STAGE).exists():
        (tmp_path / handed.student).mkdir()
        nbgrader("FetchAssignment", handed.student)
    page = tmp_path / handed.student / STAGE / f"{STAGE}.ipynb"
    release = Course.open(tmp_path / "course").release(STAGE)
    page.write_bytes(submission(handed, release))
    nbgrader("Submit", handed.student)


def returned(tmp_path, student):
    """The pages of feedback that a student fetched, oldest submission first."""
    return [path.read_text("utf-8") for path in sorted((tmp_path / student / STAGE / "feedback").glob("*/*.html"))]


def test_two_students_get_their_own_feedback_back(nbgrader, course, tmp_path):
    nbgrader("ReleaseAssignment")
    for handed in HANDED.values():
        hand_in(nbgrader, tmp_path, handed)
    time.sleep(0.001)  # the exchange names a submission by its microsecond
    hand_in(nbgrader, tmp_path, HANDED["all-right"])
    nbgrader("Collect")
    assert len(kept(course, STAGE, "all-right")) == 2  # of which nbgrader collects the later one
    by_mail = submission(HANDED["all-right"], course.release(STAGE))
    write_whole(course.submitted_file(STAGE, "by-mail"), by_mail)
    scores = {one["student"]: one["score"] for one in grade_stage(course, STAGE, jobs=1)["submissions"]}
    assert scores == {"all-right": 20, "by-mail": 20, "no-scaling": 17.5}
    generate_feedback(course, STAGE)
    said = nbgrader("ReleaseFeedback")
    assert f"so not returned through it: by-mail. `course export {STAGE} --to feedback`" in said
    for handed in HANDED.values():
        nbgrader("FetchFeedback", handed.student)
        (page,) = returned(tmp_path, handed.student)
        assert f"{handed.expected:g}" in page
        assert ("No scaling." in page) == (handed.student == "no-scaling")

    hand_in(nbgrader, tmp_path, HANDED["no-scaling"])  # the same notebook once more: another submission all the same
    nbgrader("Collect")
    grade_stage(course, STAGE, jobs=1)
    generate_feedback(course, STAGE)
    nbgrader("ReleaseFeedback")
    shutil.rmtree(tmp_path / "no-scaling" / STAGE / "feedback")
    nbgrader("FetchFeedback", "no-scaling")
    assert len(returned(tmp_path, "no-scaling")) == 2


@pytest.mark.parametrize("action", [ExchangeReleaseAssignment, ExchangeReleaseFeedback])
def test_an_exchange_that_is_read_only_is_one_sentence(nbgrader, monkeypatch, caplog, action):
    def refuse(self):
        raise OSError(errno.EROFS, "Read-only file system", f"{self.root}/course")

    monkeypatch.setattr(action, "start", refuse)
    with pytest.raises(AssertionError):
        nbgrader(action.__name__.removeprefix("Exchange"))
    (said,) = [record.getMessage() for record in caplog.records if record.levelname == "CRITICAL"]
    assert "cannot be written to (Read-only file system: " in said
    assert "mount it writable" in said


def test_any_other_error_of_the_exchange_stays_what_it_is(nbgrader, monkeypatch):
    def refuse(self):
        raise OSError(errno.EISDIR, "Is a directory", "x")

    monkeypatch.setattr(ExchangeReleaseAssignment, "start", refuse)
    with pytest.raises(AssertionError, match="IsADirectoryError"):
        nbgrader("ReleaseAssignment")
