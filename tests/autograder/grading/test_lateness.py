"""Due dates, extensions, grace days and what lateness costs: from course.toml and nbgrader's own plug-in."""

import re
import shutil
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from traitlets.config import Config

from autograder.course.nbgrader_plugins import configure
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.directory.deadlines import TEMPLATE, Deadlines, read_deadlines
from autograder.errors import CourseError
from autograder.exports.plain import plain_table
from autograder.exports.scores import read_scores
from autograder.grading.lateness import Grace, penalties, read_grace, settle

pytestmark = pytest.mark.filterwarnings("ignore:Object of type:sqlalchemy.exc.SAWarning")  # nbgrader's own
STAGES = ("01_attention", "02_multi_head", "03_positions")
DUE = {name: datetime(2027, 3, day, 12) for name, day in zip(STAGES, (1, 8, 15), strict=True)}
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "lateness.md").read_text("utf-8")
PLUGIN = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
CONFIG = "c.AssignLatePenalties.plugin_class = 'late_penalty.OnePointADay'\n"


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A directory with a gradebook of three stages of ten points, and nbgrader's late_penalty.py."""
    root = tmp_path_factory.mktemp("late") / "course"
    (root / ".course").mkdir(parents=True)
    (root / ".course" / "course.json").write_text('{"format": 1}')
    (root / "nbgrader_config.py").write_text("c = get_config()\n" + CONFIG)
    (root / "late_penalty.py").write_text(PLUGIN)
    course = Course.open(root)
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        for name in STAGES:
            gradebook.add_assignment(name, duedate=DUE[name])
            gradebook.add_notebook(name, name)
            gradebook.add_grade_cell("test_it", name, name, max_score=10, cell_type="code")
    return root


@pytest.fixture
def course(template, tmp_path):
    """A copy of it, for one test."""
    shutil.copytree(template, tmp_path / "course")
    return Course.open(tmp_path / "course")


@pytest.fixture
def hand_in(course):
    """`hand_in(student, stage, days)` puts a graded submission into the gradebook, so many days late."""

    def put(student, stage, days, points=8.0):
        with open_gradebook(course.db_url, course.course_id) as gradebook:
            gradebook.update_or_create_student(student)
            gradebook.add_submission(stage, student, timestamp=DUE[stage] + timedelta(days=days))
            gradebook.find_grade("test_it", stage, stage, student).auto_score = points
            gradebook.db.commit()

    return put


def standing(course, student, stage):
    """(score with the penalty taken off, penalty, days late) as nbgrader has them."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        found = gradebook.find_submission(stage, student)
        penalty = found.late_submission_penalty
        return found.score - penalty, penalty, found.total_seconds_late / 86400


def say(course, text):
    (course.root / "course.toml").write_text(text)


def test_nbgraders_plug_in_beside_the_configuration_is_asked(course, hand_in):
    hand_in("ada", STAGES[0], days=3)
    hand_in("bob", STAGES[0], days=-1)
    assert settle(course) == []
    assert standing(course, "ada", STAGES[0]) == (5, 3, 3)  # one point a day, as the page has it
    assert standing(course, "bob", STAGES[0]) == (8, 0, 0)


def test_points_that_a_person_gives_move_the_penalty(course, hand_in):
    hand_in("ada", STAGES[0], days=9)
    settle(course)
    assert standing(course, "ada", STAGES[0]) == (0, 8, 9)
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.find_grade("test_it", STAGES[0], STAGES[0], "ada").manual_score = 10
        gradebook.db.commit()
    settle(course)
    assert standing(course, "ada", STAGES[0]) == (1, 9, 9)


def test_in_the_formgrader_it_moves_at_once(course, hand_in, monkeypatch):
    hand_in("ada", STAGES[0], days=9)
    settle(course)
    configure(Config())
    monkeypatch.chdir(course.root)  # where `jupyter lab` was started
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        grade = gradebook.find_grade("test_it", STAGES[0], STAGES[0], "ada")
        grade.manual_score = 10
        gradebook.db.commit()
    assert standing(course, "ada", STAGES[0]) == (1, 9, 9)


def test_an_extension_and_a_later_due_date_count(course, hand_in):
    for student in ("ada", "bob", "eve"):
        hand_in(student, STAGES[0], days=3)
    say(course, "[extensions]\nada = { 01_attention = 2 }\nbob = { 01_attention = 2027-03-04T12:00:00 }\n")
    assert settle(course) == []
    assert [standing(course, who, STAGES[0])[1] for who in ("ada", "bob", "eve")] == [1, 0, 3]
    say(course, "[due]\n01_attention = 2027-03-02T12:00:00\n")
    (said,) = settle(course)
    assert "2027-03-02 12:00 UTC, from course.toml; the gradebook had 2027-03-01 12:00" in said
    assert [standing(course, who, STAGES[0])[1] for who in ("ada", "bob", "eve")] == [2, 2, 2]


def test_grace_days_are_whole_and_taken_in_the_order_of_due_dates(course, hand_in):
    say(course, "grace_days = 3\n")
    hand_in("ada", STAGES[2], days=2)
    hand_in("ada", STAGES[0], days=1.5)
    settle(course)
    assert [standing(course, "ada", STAGES[n])[2] for n in (0, 2)] == [0, 1]
    hand_in("ada", STAGES[1], days=0.1)
    settle(course)
    assert [standing(course, "ada", stage)[2] for stage in STAGES] == [0, 0, 2]
    assert standing(course, "ada", STAGES[2]) == (6, 2, 2)


def test_grace_days_used_and_left_are_told_by_hand_in(course, hand_in):
    say(
        course, "grace_days = 3\n[extensions]\nbob = { 01_attention = 1 }\n[due]\n02_multi_head = 2027-03-07T12:00:00\n"
    )
    hand_in("ada", STAGES[0], days=1.5)
    hand_in("ada", STAGES[1], days=1.5)  # two and a half days after the date of course.toml, which nothing has settled
    hand_in("bob", STAGES[0], days=2)
    grace = read_grace(course)
    assert grace == {
        ("ada", STAGES[0]): Grace(used=2, left=0, of=3),
        ("ada", STAGES[1]): Grace(used=1, left=0, of=3),
        ("bob", STAGES[0]): Grace(used=1, left=2, of=3),
    }
    assert str(grace["bob", STAGES[0]]) == "Grace days: 1 used here, 2 of 3 left"
    assert read_grace(course, ["bob"]) == {("bob", STAGES[0]): Grace(1, 2, 3)}
    scores = read_scores(course, STAGES[0])
    assert scores["ada"].grace == Grace(2, 0, 3)
    header, ada, *_ = plain_table(course, STAGES[0], scores).rows
    assert [dict(zip(header, ada, strict=True))[name] for name in ("grace_days_used", "grace_days_left")] == [2, 0]
    say(course, "grace_days = 0\n")
    assert read_grace(course) == {}
    assert read_scores(course, STAGES[0])["ada"].grace is None


def test_what_is_taken_back_is_taken_back(course, hand_in):
    hand_in("ada", STAGES[0], days=2)
    say(course, "grace_days = 2\n")
    settle(course)
    assert standing(course, "ada", STAGES[0])[1] == 0
    say(course, "grace_days = 0\n")
    settle(course)
    assert standing(course, "ada", STAGES[0])[1] == 2


def test_without_a_file_nbgraders_own_extension_stays(course, hand_in):
    hand_in("ada", STAGES[0], days=2)
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.grant_extension(STAGES[0], "ada", days=1)
    settle(course)
    assert standing(course, "ada", STAGES[0])[1] == 1


def test_a_plug_in_that_is_not_there_is_said(course):
    (course.root / "nbgrader_config.py").write_text(
        "c = get_config()\nc.AssignLatePenalties.plugin_class = 'no_such_module.X'\n"
    )
    with pytest.raises(CourseError, match="'no_such_module.X', which cannot be used"):
        settle(Course.open(course.root))


@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        ("return ceil", "retrun ceil", "cannot be used: SyntaxError"),
        ("(BasePlugin)", "", "cannot be used: TypeError"),
        ("from math import ceil", "", "failed to compute ada's late penalty: NameError"),
        (
            "return ceil(total_seconds_late / 86400)",
            "return 'two'",
            "failed to compute ada's late penalty: TypeError",
        ),
    ],
)
def test_a_plug_in_that_fails_is_one_sentence(course, hand_in, monkeypatch, there, instead, said):
    monkeypatch.delitem(sys.modules, "late_penalty", raising=False)
    hand_in("ada", STAGES[0], days=2)
    (course.root / "late_penalty.py").write_text(PLUGIN.replace(there, instead))
    with pytest.raises(CourseError, match=said):
        settle(course)
    sys.modules.pop("late_penalty", None)


def test_times_are_of_the_courses_zone_and_a_date_is_the_end_of_its_day(course):
    say(
        course,
        'timezone = "Europe/Amsterdam"\n[due]\n1 = 2027-07-01\n2 = 2027-01-01T12:00:00\n3 = 2027-01-01T12:00:00Z\n',
    )
    assert read_deadlines(course).due == {
        STAGES[0]: datetime(2027, 7, 1, 21, 59, 59),
        STAGES[1]: datetime(2027, 1, 1, 11),
        STAGES[2]: datetime(2027, 1, 1, 12),
    }


def test_the_file_of_a_new_course_changes_nothing(copy_of_course, tmp_path):
    course = copy_of_course(tmp_path / "new")
    assert (course.root / "course.toml").read_text("utf-8") == TEMPLATE
    assert read_deadlines(course) == Deadlines()


def test_the_example_of_the_page_means_what_the_page_says(course):
    say(course, re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1])
    deadlines = read_deadlines(course)
    assert (deadlines.grace_days, deadlines.attempts) == (3, "best")
    assert deadlines.due == {STAGES[0]: datetime(2027, 3, 1, 17), STAGES[1]: datetime(2027, 3, 8, 22, 59, 59)}
    assert deadlines.extension("ada", STAGES[0], DUE[STAGES[0]]) == timedelta(days=2)
    assert deadlines.extension("bob@uni.example", STAGES[0], DUE[STAGES[0]]) == timedelta(hours=12)
    assert deadlines.extension("ada", STAGES[1], deadlines.due[STAGES[1]]) == timedelta(days=7)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grace = 3", "there is no “grace”: did you mean “grace_days”?"),
        ("[due]\n1 = 2027-03-01\n01_attention = 2027-03-02", "names a stage twice: 1, 01_attention"),
        ("grace_days = -1", "grace_days must be a whole number of days, at most 3650, not -1"),
        ('attempts = "all"', 'attempts must be "latest" or "best", not \'all\''),
        ("[due]\n99_nothing = 2027-03-01", "There is no stage “99_nothing”"),
        ('[due]\n01_attention = "soon"', "due.01_attention must be a date, or a date and a time, such as 2027-03-01"),
        ("[extensions]\nada = 3", "extensions.ada must be a table"),
        (
            "[extensions]\nada = { 01_attention = -1 }",
            "ada.01_attention must be a number of days, at most 3650, or a date",
        ),
        (
            "[extensions]\nada = { 01_attention = 99999999999 }",
            "ada.01_attention must be a number of days, at most",
        ),
        ("[due]\n01_attention = 0001-01-01T00:00:00+10:00", "contains an invalid time"),
        ("colour = 1", "there is no “colour”: there are timezone, grace_days, attempts, variants, due, extensions."),
        ('timezone = "Mars"', "timezone must be a name such as"),
        ("due = [", "cannot be read"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(course, text, said):
    say(course, text)
    with pytest.raises(CourseError) as error:
        read_deadlines(course)
    assert said in str(error.value)
    assert "course.toml" in str(error.value)


@pytest.mark.parametrize(("grace_days", "spent", "lost"), [(3, 0, None), (3, 2, 2), (3, 5, 3), (0, 0, 3)])
def test_an_attempt_has_the_grace_days_that_earlier_stages_left(course, hand_in, grace_days, spent, lost):
    say(course, f"grace_days = {grace_days}\n")
    hand_in("ada", STAGES[0], days=spent)
    hand_in("ada", STAGES[2], days=1)  # a later stage takes none of this one's
    hand_ins = [(8.0, DUE[STAGES[1]] + timedelta(days=3)), (7.0, DUE[STAGES[1]])]
    assert penalties(course, STAGES[1], "ada", hand_ins, read_deadlines(course)) == [lost, None]
