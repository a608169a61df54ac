"""The students' pages on their way back to an LMS."""

import zipfile

import pytest

from autograder.course.collect import collect_zip
from autograder.course.roster import read_import
from autograder.errors import CourseError
from autograder.exports.files import export_stages

STAGE = "01_attention"
MOODLE = "Ann Doe_657_assignsubmission_file_/01_attention.ipynb"
CANVAS = "doeann_LATE_101_9001_01_attention.ipynb"


@pytest.fixture
def collected(course, tmp_path):
    """`collected(name)` puts ann's notebook into submitted/, from a zip that names it so."""

    def run(name):
        number = "657" if "657" in name else "101"
        (tmp_path / "class.csv").write_text(f"id,first_name,last_name,lms_user_id\nann,Ann,Doe,{number}\n")
        read_import(course, tmp_path / "class.csv").write()
        with zipfile.ZipFile(tmp_path / "lms.zip", "w") as archive:
            archive.writestr(name, course.release_file(STAGE).read_bytes())
        assert collect_zip(course, STAGE, tmp_path / "lms.zip").students == ("ann",)

    return run


def names(path):
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


@pytest.mark.parametrize(
    ("to", "sent", "expected"),
    [
        ("moodle-feedback", MOODLE, "Ann Doe_657_assignfeedback_file_01_attention.html"),
        ("canvas-feedback", CANVAS, "doeann_LATE_101_9001_01_attention.html"),
    ],
)
def test_a_page_goes_back_under_the_name_that_the_lms_gave(course, collected, grade, tmp_path, to, sent, expected):
    collected(sent)
    grade("ann")
    said = " ".join(export_stages(course, to, [STAGE], None, None, tmp_path))
    assert names(tmp_path / f"{STAGE}-{to}.zip") == [expected]
    assert "1 page." in said
    with zipfile.ZipFile(tmp_path / f"{STAGE}-{to}.zip") as archive:
        page = archive.read(expected).decode()
    assert "softmax" in page
    assert "http://" not in page.split("</head>")[0]  # nothing has to be fetched


def test_who_did_not_come_through_the_lms_is_named_with_the_way_out(course, collected, grade, tmp_path):
    collected(MOODLE)
    grade("ann")
    grade("bob")
    said = " ".join(export_stages(course, "moodle-feedback", [STAGE], None, None, tmp_path))
    assert "unknown: bob" in said
    assert "--to feedback" in said
    list(export_stages(course, "feedback", [STAGE], None, None, tmp_path))
    assert sorted(path.name for path in (tmp_path / f"{STAGE}-feedback").iterdir()) == ["ann.html", "bob.html"]


def test_moodles_worksheet_is_enough_to_name_a_page(course, grade, tmp_path):
    grade("ann")
    (tmp_path / "w.csv").write_text("Identifier,Full name,ID number,Email address\nParticipant 7,Ann_M Doe,ann,ann@x\n")
    read_import(course, tmp_path / "w.csv").write()
    list(export_stages(course, "moodle-feedback", [STAGE], None, None, tmp_path))
    assert names(tmp_path / f"{STAGE}-moodle-feedback.zip") == ["Ann M Doe_7_assignfeedback_file_01_attention.html"]


def test_without_the_lms_names_or_grades_it_says_what_to_do(course, grade, tmp_path):
    with pytest.raises(CourseError, match="No submission of .* is graded"):
        list(export_stages(course, "feedback", [STAGE], None, None, tmp_path))
    grade("ann")
    with pytest.raises(CourseError, match="collect its zip"):
        list(export_stages(course, "canvas-feedback", [STAGE], None, None, tmp_path))
    with pytest.raises(CourseError, match="applies to grades"):
        list(export_stages(course, "feedback", [STAGE], None, None, tmp_path, only_final=True))
