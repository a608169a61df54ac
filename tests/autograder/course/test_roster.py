"""The class list: read as nbgrader, Canvas and Moodle write it, and used by grade, report, export and collect."""

import csv
import zipfile

import pytest
from nbgrader.api import Gradebook

from autograder.course.collect import collect_zip
from autograder.course.roster import read_import, said_of_class
from autograder.errors import CourseError
from autograder.exports.class_list import class_of, ids_in_lms
from autograder.exports.files import export_stages, table_name
from autograder.files import write_whole
from autograder.grading.misplaced import misplaced
from autograder.report.page import write_report

STAGE = "01_attention"
NBGRADER = "id,last_name,first_name,email,lms_user_id\nann,Doe,Ann,ann@uni.example,101\nzoe,Absent,Zoe,,103\n"
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section
,,,,
    Points Possible,,,,
"Doe, Ann",101,S1,ann,A
"Absent, Zoe",103,S3,zoe,B
"""
MOODLE = "First name;Last name;Username;Email address\nAnn;Doe;ann;ann@uni.example\nZoe;Absent;zoe;zoe@uni.example\n"
WORKSHEET = "Identifier,Full name,Email address\nParticipant 657,Ann Doe,ann@uni.example\n"


@pytest.fixture
def imported(course, tmp_path):
    """`imported(text)` takes a list into the course and gives its sentences."""

    def run(text, encoding="utf-8-sig", **options):
        path = tmp_path / "list.csv"
        path.write_text(text, encoding)
        return " ".join(read_import(course, path, **options).write())

    return run


@pytest.mark.parametrize("text", [NBGRADER, CANVAS, MOODLE])
def test_the_lists_of_nbgrader_canvas_and_moodle_are_understood(course, imported, text):
    assert "2 students" in imported(text)
    assert [(p.id, p.first_name, p.last_name) for p in class_of(course)] == [
        ("ann", "Ann", "Doe"),
        ("zoe", "Zoe", "Absent"),
    ]
    with Gradebook(course.db_url, course.course_id) as gradebook:
        assert gradebook.find_student("ann").last_name == "Doe"


def test_moodles_worksheet_names_people_by_address_and_files_by_participant(course, imported):
    imported(WORKSHEET)
    (ann,) = class_of(course)
    assert (ann.id, ann.lms_user_id) == ("ann@uni.example", "657")


def test_a_second_list_keeps_what_it_leaves_blank_and_names_who_is_gone(course, imported):
    imported(NBGRADER)
    said = imported("id,first_name\nann,Anna\n")
    assert "Removed from the list, kept in the gradebook: zoe." in said
    with Gradebook(course.db_url, course.course_id) as gradebook:
        ann = gradebook.find_student("ann")
        assert (ann.first_name, ann.email) == ("Anna", "ann@uni.example")
    assert ids_in_lms(course) == {"101": "ann"}
    assert "Without" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour,shape\nred,round\n", "has no column of student ids"),
        ("id,email\n", "lists no students"),
        ("id\nann\n", "has fewer than two columns"),
        (
            "Full name,ID number,Email address\nAnn Doe,S1,a\nEve Roe,,e\n",
            "Eve Roe is not in the class yet and has no id",
        ),
        ("id,email\n../x,a\n", "not a valid directory name"),
        ("id,email\nann,a\nann,b\n", "the id ann appears in two rows"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused_and_nothing_is_written(course, imported, text, said):
    with pytest.raises(CourseError, match=said):
        imported(text)
    assert not (course.root / "roster.csv").exists()
    with Gradebook(course.db_url, course.course_id) as gradebook:
        assert gradebook.students == []


def test_grade_and_report_say_who_is_missing_and_grade_who_is_a_stranger(course, grade, imported):
    grade("ann")
    grade("eve")
    imported(NBGRADER)
    assert said_of_class(course, STAGE) == ["No submissions: zoe.", "Not in roster.csv: eve."]
    (course.root / "course.toml").write_text("[extensions]\nzoe = { 1 = 2 }\nanne = { 1 = 2 }\n")
    assert said_of_class(course, STAGE)[2:] == ["Not in roster.csv, with an extension: anne."]
    page, _ = write_report(course, STAGE)
    assert "no submission: zoe" in page.read_text("utf-8")


@pytest.mark.parametrize("place", [f"zoe/{STAGE}.ipynb", f"{STAGE}/zoe/{STAGE}.ipynb", f"zoe/attention/{STAGE}.ipynb"])
def test_who_handed_in_on_the_wrong_level_has_not_handed_in_nothing(course, grade, imported, place):
    grade("ann")
    imported(NBGRADER)
    write_whole(course.root / "submitted" / place, b"{}")
    assert not any("zoe" in sentence for sentence in said_of_class(course, STAGE))
    assert any("zoe" in sentence for sentence in misplaced(course, STAGE))


def test_export_names_them_and_has_a_row_for_the_absent(course, grade, imported, tmp_path):
    grade("ann")
    imported(NBGRADER)
    for to, row in (("csv", 1), ("canvas", 2)):
        list(export_stages(course, to, [STAGE], None, None, tmp_path))
        with (tmp_path / table_name(STAGE, to)).open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        if to == "csv":
            assert rows[row][1:5] == ["ann", "Doe", "Ann", "ann@uni.example"]
            assert rows[-1][1:4] == ["zoe", "Absent", "Zoe"]
        else:
            assert rows[row][:2] == ["Doe, Ann", "101"]


def test_collect_puts_what_the_lms_numbers_where_the_list_says(course, imported, tmp_path):
    imported(NBGRADER)
    with zipfile.ZipFile(tmp_path / "lms.zip", "w") as archive:
        archive.writestr("doeann_101_9001_01_attention.ipynb", "ann's")
        archive.writestr("roebob_102_9002_01_attention.ipynb", "bob's")
    collected = collect_zip(course, STAGE, tmp_path / "lms.zip")
    assert collected.students == ("102", "ann")
    assert "Not in roster.csv, so filed under the id in the zip: 102." in collected.sentences
    assert course.submitted_file(STAGE, "ann").read_text() == "ann's"


def test_the_command(command, tmp_path):
    path = tmp_path / "list.csv"
    path.write_text(NBGRADER)
    assert "Without email: zoe." in command("roster", path).stdout
