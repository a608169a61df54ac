"""Several hand-ins of one student: all are kept, the latest or the best counts."""

from types import SimpleNamespace

import pytest

from autograder.course import grade
from autograder.directory.course import Course
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.grading.attempts import keep, kept, settle_attempts
from autograder.grading.context import Context
from autograder.grading.handed_in import HandedIn, handed_in

STAGE = "01_attention"
PLUGIN = """\
from nbgrader.plugins import BasePlugin


class HalfADay(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score / 2
"""


@pytest.fixture
def hand_in(course):
    """`hand_in(points, day)` lays a file into submitted/ that is worth so much, handed in at noon of a day of March."""

    def put(points, day, student="ada"):
        path = course.submitted_file(STAGE, student)
        write_whole(path, str(points).encode())
        write_whole(path.with_name("timestamp.txt"), f"2027-03-{day:02} 12:00:00 UTC".encode())

    return put


@pytest.fixture
def choose(course, monkeypatch):
    """`choose(policy)`: course.toml says so, and what a file is worth stands in it."""

    def worth(task, submissions, jobs):
        for name, (_, data, *_) in submissions:
            late = data.endswith(b" late") and jobs > 1  # beside others
            graded, points = data != b"broken", data.removesuffix(b" late")
            submission = {"score": float(points) if graded and not late else 0.0, "status": "ungradable" * (not graded)}
            yield name, {"submission": submission, "disputed": late}

    context = SimpleNamespace(exercises=(), digest="")
    monkeypatch.setattr(Context, "of_variant", lambda *_: context)

    def run(policy, more=""):
        (course.root / "course.toml").write_text(f'attempts = "{policy}"\n{more}')
        return settle_attempts(course, STAGE, ["ada"], spread=worth)

    return run


def counts(course):
    given = handed_in(Course.open(course.root), STAGE, "ada")
    return given.data.decode(), given.stamp.decode()[:10]


def test_the_best_counts_whichever_came_last(course, hand_in, choose):
    for day, points in ((1, 12), (2, 17), (3, 9)):
        hand_in(points, day)
        said = choose("best")
    assert counts(course) == ("17", "2027-03-02")
    assert said == ["ada: of 3 submissions, the one of 2027-03-02 12:00 UTC counts (17 points)."]
    assert [one.data for one in kept(course, STAGE, "ada")] == [b"12", b"17", b"9"]


def test_one_that_timed_out_beside_others_is_tried_once_more_alone(course, hand_in, choose):
    for day, points in ((1, "12"), (2, "17 late"), (3, "9")):
        hand_in(points, day)
        choose("best")
    assert counts(course) == ("17 late", "2027-03-02")


def test_the_attempts_go_where_the_submissions_go(course, monkeypatch):
    asked = {}

    def settle(*arguments):
        asked["where"] = arguments[-1]
        raise CourseError("enough")

    monkeypatch.setattr(grade, "settle_attempts", settle)
    with pytest.raises(CourseError, match="enough"):
        grade.grade_round(course, STAGE, ["ada"], spread=print)
    assert asked == {"where": print}


def test_the_latest_counts_and_the_others_are_kept(course, hand_in, choose):
    for day, points in ((1, 12), (2, 9)):
        hand_in(points, day)
        assert choose("latest") == []
    assert counts(course) == ("9", "2027-03-02")
    assert [one.data for one in kept(course, STAGE, "ada")] == [b"12", b"9"]


def test_of_equals_the_earliest_counts(course, hand_in, choose):
    for day in (1, 2):
        hand_in(12, day)
        choose("best")
    assert counts(course) == ("12", "2027-03-01")


def test_what_lateness_costs_is_taken_off_first(course, hand_in, choose):
    (course.root / "half_a_day.py").write_text(PLUGIN)
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.AssignLatePenalties.plugin_class = 'half_a_day.HalfADay'\n")
    object.__getattribute__(course, "__dict__").pop("config", None)
    late = "[due]\n01_attention = 2027-03-01\n"
    for day, points in ((1, 12), (2, 17)):
        hand_in(points, day)
        choose("best", late)
    assert counts(course) == ("12", "2027-03-01")
    choose("best", f"grace_days = 1\n{late}")
    assert counts(course) == ("17", "2027-03-02")


def test_one_that_could_not_be_graded_never_counts_beside_another(course, hand_in, choose):
    hand_in(3, 1)
    choose("best")
    hand_in("broken", 2)
    choose("best")
    assert counts(course)[0] == "3"


def test_without_a_file_nothing_is_kept(course, hand_in):
    (course.root / "course.toml").unlink()
    hand_in(3, 1)
    assert settle_attempts(course, STAGE, ["ada"]) == []
    assert not (course.root / "attempts").exists()


def test_the_secret_of_the_exchange_goes_with_its_attempt(course):
    for stamp, secret in ((b"2027-03-01 12:00:00 UTC", b"one"), (b"2027-03-02 12:00:00 UTC", b"two")):
        keep(course, STAGE, "ada", HandedIn(b"the same", stamp, secret))
    assert [one.secret for one in kept(course, STAGE, "ada")] == [b"one", b"two"]


def test_a_name_that_leads_elsewhere_keeps_nothing(course):
    keep(course, STAGE, "..", HandedIn(b"a notebook"))
    assert not (course.root / STAGE).exists()


def test_what_cannot_be_read_is_not_kept(course):
    keep(course, STAGE, "ada", HandedIn(refused=("It is a link.",)))
    assert kept(course, STAGE, "ada") == []
