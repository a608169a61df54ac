"""What could not be judged doesn't count as zero: blank in exports, counted separately in a report."""

import csv

import pytest
from nbgrader.api import Gradebook

from autograder.exports.files import export_stages, table_name
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.grading.gradebook import Writer
from autograder.grading.records import Records
from autograder.report.data import read_class
from autograder.report.page import html_page, write_report
from autograder.report.summary import summarise

STAGE = "01_attention"


@pytest.fixture
def broken(course, grade):
    """ada is right; bob's file could not be read."""
    made = grade("ada")
    refused = {"status": "ungradable", "misconception": None, "score": 0.0}
    exercises = [exercise | refused | {"properties": []} for exercise in made["exercises"]]
    submission = made | {"student": "bob", "status": "ungradable", "score": 0.0, "exercises": exercises}
    write_whole(course.submitted_file(STAGE, "bob"), b"no notebook {")
    Records(course.private, STAGE, Context.of(course, STAGE).digest).note_done("bob", b"no notebook {", submission)
    with Writer(course, STAGE) as writer:
        writer.write("bob", None, flagged=True)
    return course


def grade_of(path, who, column):
    rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    place = rows[0].index(column)
    return next(row[place] for row in rows if who in row)


@pytest.mark.parametrize(("to", "column"), [("csv", "score"), ("canvas", STAGE), ("moodle", STAGE)])
def test_its_grade_is_blank_and_the_student_is_named(broken, tmp_path, to, column):
    said = " ".join(export_stages(broken, to, [STAGE], None, None, tmp_path))
    path = tmp_path / table_name(STAGE, to)
    assert grade_of(path, "bob", column) == ""
    assert float(grade_of(path, "ada", column)) > 0
    assert "Not graded, and left blank: bob." in said


def test_a_person_who_grades_it_by_hand_gives_it_a_score(broken, tmp_path):
    with Gradebook(broken.db_url, broken.course_id) as gradebook:
        for grade in gradebook.find_submission_notebook(STAGE, STAGE, "bob").grades:
            grade.manual_score, grade.needs_manual_grade = 1.0, False
        gradebook.db.commit()
    said = " ".join(export_stages(broken, "csv", [STAGE], None, None, tmp_path))
    assert float(grade_of(tmp_path / f"{STAGE}.csv", "bob", "score")) > 0
    assert "left blank" not in said


def test_it_waits_for_a_person_in_the_formgrader(broken):
    with Gradebook(broken.db_url, broken.course_id) as gradebook:
        assert gradebook.find_submission("01_attention", "bob").needs_manual_grade


def test_the_report_counts_it_apart(broken):
    summary = summarise(read_class(broken, STAGE))
    assert summary.ungradable == ("bob",)
    assert summary.median == summary.mean == summary.points[0] > 0
    assert all(exercise.mean == exercise.max_score for exercise in summary.exercises)
    page = html_page(read_class(broken, STAGE), "course", "t.csv", "s.html")
    assert "could not be graded, so left out below: bob" in " ".join(page.split())


def test_its_row_beside_the_report_has_no_points(broken):
    _, table = write_report(broken, STAGE)
    assert grade_of(table, "bob", "score") == ""


def test_a_class_of_which_nothing_could_be_graded_still_has_a_report(broken):
    data = read_class(broken, STAGE)
    alone = type(data)(**{**vars(data), "submissions": tuple(s for s in data.submissions if s["student"] == "bob")})
    assert "could not be graded" in html_page(alone, "course", "t.csv", "s.html")
