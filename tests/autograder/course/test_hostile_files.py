"""A course.toml and a class list from hostile hands: one sentence, nothing written, nothing read beside them."""

import csv
import os

import pytest
from nbgrader.api import Gradebook

from autograder.course.roster import read_import
from autograder.directory.deadlines import read_deadlines
from autograder.errors import CourseError
from autograder.exports import roster
from autograder.exports.class_list import class_of
from autograder.exports.files import export_stages

STAGE = "01_attention"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"grace_days = {'9' * 5000}", "cannot be read"),
        ("grace_days = 99999999999999999999999999", "at most 3650"),
        ("grace_days = 1e400", "must be a whole number of days"),
        ("grace_days = true", "must be a whole number of days"),
        ('grace_days = "3"', "must be a whole number of days"),
        ("variants = 99999999999999999999", "from 1 to 12"),
        ("attempts = [[[]]]", 'must be "latest" or "best"'),
        (f"due = {'[' * 100_000}", "nested too deeply"),
        ("due = [1, 2]", "must be a table"),
        ("[[due]]\n01_attention = 2027-03-01", "must be a table"),
        ("[due]\n01_attention = 07:30:00", "must be a date"),
        ("[due]\n01_attention = nan", "must be a date"),
        ("[extensions]\nann = { 01_attention = nan }", "a number of days"),
        ("[extensions]\nann = { 01_attention = inf }", "a number of days"),
        ('[due]\n"../../../etc/passwd" = 2027-03-01', "There is no stage"),
        ('timezone = "../../../etc/passwd"', "timezone must be a name"),
        ('timezone = "\\u0000"', "timezone must be a name"),
        (f'timezone = "{"A" * 100_000}"', "timezone must be a name"),
        ("\x00", "cannot be read"),
        ("grace_days = 1\n" * 2, "cannot be read"),
        ("# " + "a line\n# " * 1_000_000, "longer than 1,024 kB"),
    ],
)
def test_a_hostile_course_toml_is_one_sentence(course, text, said):
    (course.root / "course.toml").write_text(text)
    with pytest.raises(CourseError, match=said):
        read_deadlines(course)


def test_a_course_toml_that_is_no_file_is_one_sentence(course):
    path = course.root / "course.toml"
    path.unlink()
    for make in (path.mkdir, lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")):
        make()
        with pytest.raises(CourseError, match="not a plain file"):
            read_deadlines(course)
        path.rmdir() if path.is_dir() else path.unlink()


def test_ids_with_codes_of_a_terminal_do_not_reach_it(course, command):
    (course.root / "course.toml").write_text('"\\u001b[2J\\u001b]0;owned\\u0007" = 1')
    said = command("grade", STAGE, code=2).stderr
    assert "there is no “" in said
    assert "\x1b" not in said
    assert "\x07" not in said


def test_extensions_for_names_that_are_paths_touch_nothing(course):
    (course.root / "course.toml").write_text('[extensions]\n"../../../tmp/x" = { 01_attention = 2 }\n')
    before = sorted(course.root.parent.rglob("*"))
    assert ("../../../tmp/x", STAGE) in read_deadlines(course).extensions
    assert sorted(course.root.parent.rglob("*")) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,email\n../../x,a\n", "not a valid directory name"),
        ("id,email\n/etc/passwd,a\n", "not a valid directory name"),
        ("id,email\n.ssh,a\n", "not a valid directory name"),
        ("id,email\nann\x1b[2J,a\n", "not a valid directory name"),
        ("id,email\nann\u202ebob,a\n", "not a valid directory name"),
        ("id,email\nann\u200b,a\n", "not a valid directory name"),
        (f"id,email\n{'a' * 300},a\n", "not a valid directory name"),
        ("id,email\n" + "\n".join(f"s{n},s{n}@x" for n in range(20_001)), "a class has at most 20000"),
        ("id,email\n" + '"' + "a" * 200_000 + '",x\n', "is not a table"),
        ("id,email\n" + "s,\n" * (6 << 20), "longer than 16,384 kB"),
        ("\x00\x01\x02", "is not a CSV file"),
    ],
    ids=lambda text: ascii(text[:24]),
)
def test_a_hostile_list_is_one_sentence_and_leaves_no_trace(course, tmp_path, text, said):
    path = tmp_path / "list.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(CourseError, match=said) as error:
        read_import(course, path).write()
    assert "\u202e" not in str(error.value)
    assert not (course.root / "roster.csv").exists()
    with Gradebook(course.db_url, course.course_id) as gradebook:
        assert gradebook.students == []


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_list_that_is_no_file_is_one_sentence(course, tmp_path, kind):
    path = tmp_path / "list.csv"
    {"pipe": os.mkfifo, "device": lambda at: at.symlink_to("/dev/zero"), "folder": os.mkdir}[kind](path)
    with pytest.raises(CourseError, match="cannot be read: it is not a plain file"):
        read_import(course, path).write()


def test_names_are_shown_as_words_and_never_run_as_formulas(course, grade, tmp_path):
    grade("ann")
    path = tmp_path / "list.csv"
    path.write_text('id,first_name,last_name,email\nann,"=cmd|\' /C calc\'!A0","\x1b[2JDoe\u202e",+1@x\n', "utf-8")
    read_import(course, path).write()
    (person,) = class_of(course)
    assert person.last_name == "[2JDoe"
    list(export_stages(course, "csv", [STAGE], None, None, tmp_path / "out"))
    for written in (course.root / "roster.csv", tmp_path / "out" / f"{STAGE}.csv"):
        text = written.read_text("utf-8-sig")
        assert "\x1b" not in text
        for separator in ",;\t":
            cells = [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]
            assert not [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "@", "-")]


def test_a_class_of_the_largest_size_is_read(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("id,email\n" + "".join(f"s{n},s{n}@x\n" for n in range(19_999)))
    assert len(roster.read_roster(path).rows) == 19_999
