"""When students handed in, as an LMS says it in a table."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from autograder.course.lms_times import import_times, read_time
from autograder.course.roster import read_import
from autograder.errors import CourseError

STAGE = "01_attention"
WORKSHEET = (
    "Identifier,Full name,Email address,Last modified (submission),Grade\n"
    'Participant 657,Ann Doe,ann@x,"Monday, 3 March 2025, 10:15 AM",\n'
    "Participant 658,Bob Roe,bob@x,-,\n"
    'Participant 659,Eve Poe,eve@x,"Tuesday, 4 March 2025, 9:00 PM",\n'
)


@pytest.fixture
def handed_in(course):
    """Two of three have handed in."""
    for student in ("ann", "bob"):
        path = course.submitted_file(STAGE, student)
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    return course


@pytest.fixture
def table(tmp_path):
    def write(text, encoding="utf-8"):
        path = tmp_path / "table.csv"
        path.write_text(text, encoding)
        return path

    return write


def stamp(course, student):
    return course.submitted_file(STAGE, student).with_name("timestamp.txt").read_text()


def test_moodles_worksheet_says_when_in_the_zone_of_the_course(handed_in, table):
    read_import(handed_in, table("id,email\nann,ann@x\nbob,bob@x\neve,eve@x\n")).write()
    (handed_in.root / "course.toml").write_text('timezone = "Europe/Amsterdam"\n')
    done = import_times(handed_in, table(WORKSHEET, "utf-16"), STAGE)
    assert done.stamped == {STAGE: ["ann"]}
    assert done.nothing == ["eve"]
    assert stamp(handed_in, "ann") == "2025-03-03 09:15:00 UTC"
    assert not handed_in.submitted_file(STAGE, "bob").with_name("timestamp.txt").exists()


def test_a_table_of_student_stage_and_time(handed_in, table):
    text = "student;stage;time\nann;1;2025-03-01T18:00:00+01:00\nBOB;01_attention;2025-03-02 08:00\nzoe;1;2025-03-02\n"
    done = import_times(handed_in, table(text))
    assert (stamp(handed_in, "ann"), stamp(handed_in, "bob")) == ("2025-03-01 17:00:00 UTC", "2025-03-02 08:00:00 UTC")
    assert done.unknown == ["zoe"]


def test_canvas_names_people_by_its_own_numbers_and_times_in_utc(handed_in, table):
    read_import(handed_in, table("id,lms_user_id\nann,1001\nbob,1002\n")).write()
    (handed_in.root / "course.toml").write_text('timezone = "Europe/Amsterdam"\n')
    text = "user_id,assignment_id,submitted_at,late\n1001,77,2025-03-01T17:00:00Z,false\n1002,77,,false\n"
    done = import_times(handed_in, table(text), STAGE)
    assert done.stamped == {STAGE: ["ann"]}
    assert stamp(handed_in, "ann") == "2025-03-01 17:00:00 UTC"


@pytest.mark.parametrize(
    "text",
    [
        "Monday, 3 March 2025, 10:15 PM",
        "Montag, 3. März 2025, 22:15",
        "lundi 3 mars 2025, 22:15",
        "lunes, 3 de marzo de 2025, 22:15",
        "2025-03-03T22:15",
        "2025-03-03 21:15:00 UTC",
    ],
)
def test_a_time_in_four_languages_is_the_same_time(text):
    expected = datetime(2025, 3, 3, 21, 15, tzinfo=ZoneInfo("UTC"))
    assert read_time(text, ZoneInfo("Europe/Amsterdam")) == expected


@pytest.mark.parametrize("text", ["yesterday", "31 February 2025, 10:00", "2025-13-01", "3 Smarch 2025, 10:00"])
def test_what_is_no_time_is_said(handed_in, table, text):
    done = import_times(handed_in, table(f'student,time\nann,"{text}"\n'), STAGE)
    assert done.unread == [f"ann ({text})"]
    assert not done.stamped


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,colour\nann,red\n", "no column of times"),
        ("student,time\nann,2025-03-03\n", "does not say which stage it is for"),
        ("student,stage,time\nann,99,2025-03-03\n", "99"),
    ],
)
def test_a_table_that_is_of_no_use_is_refused(handed_in, table, text, said):
    with pytest.raises(CourseError, match=said):
        import_times(handed_in, table(text))


def test_the_command_counts_and_names(command, handed_in, table):
    path = table("student,time\nann,2025-03-03\nbob,soon\n")
    done = command("lateness", "import", path, "1", code=1)
    assert f"{STAGE}: 1 time written." in done.stdout
    assert "bob (soon)" in done.stdout


def test_a_table_after_the_commands_group_is_imported(command, handed_in, table):
    assert f"{STAGE}: 1 time written." in command("lateness", table("student,time\nann,2025-03-03\n"), "1").stdout
