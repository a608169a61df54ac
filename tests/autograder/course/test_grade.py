"""What `course grade` prints and promises besides the verdicts: totals, reasons, names that were meant."""

import io
import json

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from traitlets.config import Config

from autograder.cli import tables
from autograder.course.grade import students_meant
from autograder.errors import CourseError
from autograder.exports.files import export_stages
from autograder.files import write_whole
from autograder.grading.gradebook import Writer

STAGE = "01_attention"
MARKS = {"scores": {}, "untouched": []}
BY_HAND = "The scores grow with d_k."


def by_hand(course, student, cell, points):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        grade = gradebook.find_grade(cell, STAGE, STAGE, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def test_the_table_has_the_gradebooks_totals_and_says_why_they_differ(course, grade, command):
    grade("ann", essay=BY_HAND)
    grade("bob", essay=BY_HAND)
    by_hand(course, "bob", "why_the_root", 2)
    by_hand(course, "bob", "test_softmax", 1)
    said = command("grade", "1").stdout
    rows = {line.split("│")[1].strip(): line.split("│")[2:4] for line in said.splitlines() if line.count("│") > 3}
    assert [cell.strip() for cell in rows["ann"]] == ["20 / 20", "20 + / 23"]
    assert [cell.strip() for cell in rows["bob"]] == ["20 / 20", "19 / 23"]
    assert "Written answers still to be graded, not yet in the gradebook's totals: ann." in said
    assert "Manual points that override higher automatic ones: bob (test_softmax: 1, not 4)." in said


def test_all_takes_every_stage_that_was_handed_in_and_json_goes_to_standard_output(grade, command):
    grade("ann")
    done = command("grade", "all", "--json", "-")
    (outcome,) = json.loads(done.stdout)
    assert (outcome["stage"], outcome["submissions"][0]["student"]) == (STAGE, "ann")
    assert "1 submission in" in done.stderr
    assert f"{STAGE} (stage 1 of 1): 1 submission." in done.stderr


def test_a_log_is_told_now_and_then_how_far_a_stage_is():
    screen, clock = Console(file=io.StringIO()), iter([0, 29, 31, 45, 65])
    with tables.watched(screen, "02_multi_head (stage 2 of 3)", 4, lambda: next(clock)) as progress:
        for student in "abcd":
            progress(student, {})
    said = screen.file.getvalue().splitlines()
    assert said == [f"02_multi_head (stage 2 of 3): {done} of 4 graded." for done in (2, 4)]


def test_all_of_nothing_is_said(command):
    assert "No submissions yet" in command("grade", "all", code=2).stderr


def test_the_student_who_was_meant_is_offered(course, grade):
    grade("annabel")
    with pytest.raises(CourseError, match="No submission of 01_attention from anabel: did you mean annabel?"):
        students_meant(course, STAGE, ["anabel"])


def test_only_final_leaves_a_grade_blank_until_a_person_has_given_all_of_it(course, grade, tmp_path):
    grade("ann", essay=BY_HAND)
    grade("bob", essay=BY_HAND)
    by_hand(course, "bob", "why_the_root", 2)
    said = " ".join(export_stages(course, "canvas", [STAGE], None, None, tmp_path, only_final=True))
    rows = [row.split(",") for row in (tmp_path / f"{STAGE}-canvas.csv").read_text("utf-8").splitlines()]
    assert {row[0]: row[5] for row in rows[2:]} == {"ann": "", "bob": "22"}
    assert "ann. Left blank, by --only-final." in said


def test_without_a_roster_canvas_finds_its_own_ids_again(course, grade, tmp_path):
    grade("101")
    grade("ann")
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.find_student("101").lms_user_id = "101"
        gradebook.db.commit()
    list(export_stages(course, "canvas", [STAGE], None, None, tmp_path))
    rows = [row.split(",") for row in (tmp_path / f"{STAGE}-canvas.csv").read_text("utf-8").splitlines()]
    assert [row[1:4] for row in rows[2:]] == [["101", "", ""], ["", "", "ann"]]


def test_our_flag_goes_when_the_file_is_mended_and_a_persons_stays(course):
    def flagged(student):
        with Gradebook(course.db_url, course.course_id) as gradebook:
            return gradebook.find_submission_notebook(STAGE, STAGE, student).flagged

    with Writer(course, STAGE) as writer:
        for student in ("ann", "bob"):
            writer.record(student, MARKS, flagged=student == "ann")
        assert flagged("ann")
        with Gradebook(course.db_url, course.course_id) as gradebook:
            gradebook.find_submission_notebook(STAGE, STAGE, "bob").flagged = True
            gradebook.db.commit()
        for student in ("ann", "bob"):
            writer.record(student, MARKS, flagged=False)
    assert (flagged("ann"), flagged("bob")) == (False, True)


@pytest.mark.filterwarnings("ignore:Object of type:sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_nbgraders_autograde_refuses_two_notebooks_under_other_names_and_gives_no_zero(course):
    path = course.submitted_file(STAGE, "ann")
    for copy in (1, 2):
        write_whole(path.with_name(f"01_attention ({copy}).ipynb"), course.release_file(STAGE).read_bytes())
    config = Config(course.config)
    config.CourseDirectory.root = str(course.root)
    done = NbGraderAPI(coursedir=CourseDirectory(config=config), config=config).autograde(STAGE, "ann")
    assert not done["success"]
    with Gradebook(course.db_url, course.course_id) as gradebook:
        grades = gradebook.find_submission_notebook(STAGE, STAGE, "ann").grades
        assert {grade.auto_score for grade in grades} == {None}
