"""Grading with limits alone is said every time, kept in the results, and never taken for grading in a sandbox."""

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.directory.database import open_gradebook
from autograder.grading.context import Context
from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage
from autograder.report.data import read_class
from autograder.report.page import html_page
from autograder.sandbox import sandbox

STAGE = "01_attention"


@pytest.mark.sandbox
def test_the_command_warns_also_when_limits_were_asked_for(course):
    said = CliRunner().invoke(
        app, ["grade", "1", "--course", str(course.root), "--sandbox", "limits", "--student", "no-scaling"]
    )
    assert said.output.count("Graded without a sandbox") == 2  # before, and in the summary
    assert "was asked for" in " ".join(said.output.split())


def test_results_and_the_report_say_so(course):
    outcome = grade_stage(course, STAGE, ["no-scaling"], sandbox="limits", spread=kept_warm)
    assert outcome["versions"]["sandbox"] == "limits"
    assert outcome["submissions"][0]["flags"] == [sandbox.UNPROTECTED]
    page = " ".join(html_page(read_class(course, STAGE), "course", "t.csv", "similar.html").split())
    assert "Graded without a sandbox" in page


def test_a_machine_without_one_asks_nobody_to_look_at_each_submission(course):
    grade_stage(course, STAGE, ["no-scaling"], sandbox="limits", spread=kept_warm)
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        assert not gradebook.find_submission_notebook(STAGE, STAGE, "no-scaling").flagged


@pytest.mark.sandbox
def test_such_a_result_is_not_reused_by_a_run_in_a_sandbox(course):
    assert Context.of(course, STAGE, "limits").digest != Context.of(course, STAGE).digest
    grade_stage(course, STAGE, ["no-scaling"], sandbox="limits", spread=kept_warm)
    again = grade_stage(course, STAGE, ["no-scaling"], spread=kept_warm)
    assert again["submissions"][0]["flags"] == []
