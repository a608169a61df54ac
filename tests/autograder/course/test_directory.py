"""What a course directory says of files in it that cannot be used."""

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.directory.course import Course
from autograder.errors import CourseError

STAGE = "01_attention"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("c.Limits.cell_seconds = = 3", "nbgrader_config.py cannot be used: SyntaxError"),
        ("c.Limits.cell_seconds = minute", "nbgrader_config.py cannot be used: NameError"),
        ("c.Limits.seconds = 3", "sets the unknown limit c.Limits.seconds"),
        ("c.Limits.cell_seconds = '3'", "sets c.Limits.cell_seconds to '3'; it must be a number above 0"),
        ("c.Limits.cell_seconds = -3", "sets c.Limits.cell_seconds to -3; it must be a number above 0"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_one_sentence(course, line, said):
    (course.root / "nbgrader_config.py").write_text(f"c = get_config()\n{line}\n")
    with pytest.raises(CourseError, match=said):
        assert Course.open(course.root).limits


def test_a_release_that_is_no_notebook_says_how_to_make_it_again(course):
    course.release_file(STAGE).write_text("no notebook")
    with pytest.raises(CourseError, match=f"nbgrader generate_assignment {STAGE} --force"):
        course.release(STAGE)


def test_a_gradebook_that_is_no_database_is_one_sentence(course, command):
    (course.root / "gradebook.db").write_text("no database " * 1000)
    assert "the gradebook: file is not a database" in command("export", "--to", "csv", code=1).stderr


def test_doctor_says_first_that_a_course_is_missing(tmp_path):
    done = CliRunner().invoke(app, ["doctor", "--course", str(tmp_path / "none")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is not a course directory" in done.stderr


def test_a_course_below_a_file_or_where_nothing_can_be_made_is_one_sentence(tmp_path):
    (tmp_path / "afile").write_text("")
    for place, said in (
        (tmp_path / "afile" / "x" / "y", f"{tmp_path / 'afile'} is a file; choose a directory."),
        ("/proc/x", "/proc/x cannot be created there; choose another directory."),
    ):
        done = CliRunner().invoke(app, ["init", str(place), "--stage", "1"])
        assert (done.exit_code, done.stderr.strip()) == (2, said)


def test_a_stage_named_for_a_course_that_is_there_is_said_to_be_the_only_one_touched(course):
    done = CliRunner().invoke(app, ["init", str(course.root), "--stage", "3"])
    assert f"{course.root} is a course already: only stage 3 is added or brought up to date." in done.stdout
    assert "is ready, with the stages 01_attention, 03_positions." in done.stdout
