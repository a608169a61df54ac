"""Points that change in the middle of a term."""

from dataclasses import replace

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.course import points
from autograder.course.init import init_course
from autograder.course.points import set_points
from autograder.errors import CourseError
from autograder.grading.context import Context
from autograder.grading.submission import sanitised

STAGE = "01_attention"


def released_points(course, name="test_softmax"):
    cells = nbformat.read(course.release_file(STAGE), as_version=4).cells
    return next(c.metadata.nbgrader.points for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)


def test_points_change_in_source_release_and_gradebook_after_hand_ins(course, grade):
    grade("ann")
    said = " ".join(set_points(course, STAGE, "softmax", 1.5))
    assert "softmax is now worth 1.5 in 01_attention" in said
    assert "next `course grade 01_attention`" in said
    assert released_points(course) == 1.5
    with Gradebook(course.db_url, course.course_id) as gradebook:
        cells = {cell.name: cell.max_score for cell in gradebook.find_notebook(STAGE, STAGE).grade_cells}
        assert cells["test_softmax"] == 1.5
        assert gradebook.find_submission(STAGE, "ann")


def test_a_dropped_exercise_counts_nothing_and_the_stage_is_graded_on(course, command):
    command("drop", 1, "softmax")
    assert released_points(course) == 0
    assert "already" in command("points", 1, "softmax", 0).stdout


def test_the_course_is_upgraded_and_its_points_stay(course):
    list(set_points(course, STAGE, "softmax", 1.5))
    made = course.private / "sources" / f"{STAGE}.ipynb"
    notebook = nbformat.read(made, as_version=4)
    notebook.cells[0].source = "as an earlier version made it"
    for path in (made, course.source_file(STAGE)):
        older = nbformat.read(path, as_version=4)
        older.cells[0].source = notebook.cells[0].source
        nbformat.write(older, path)
    said = []
    init_course(course.root, only=(STAGE,), tell=said.append)
    assert said == []
    assert released_points(course) == 1.5
    assert nbformat.read(course.source_file(STAGE), as_version=4).cells[0].source != notebook.cells[0].source
    init_course(course.root, only=(STAGE,), tell=said.append)
    assert (said, released_points(course)) == ([], 1.5)


def test_a_release_survives_an_attempt_that_fails(course, monkeypatch):
    before, source = course.release_file(STAGE).read_bytes(), course.source_file(STAGE).read_bytes()

    def fails(course, stage):
        course.release_file(stage).unlink()
        raise CourseError("nbgrader generate_assignment failed")

    monkeypatch.setattr(points, "generate_assignment", fails)
    with pytest.raises(CourseError, match="failed"):
        list(set_points(course, STAGE, "softmax", 9))
    assert course.release_file(STAGE).read_bytes() == before
    assert course.source_file(STAGE).read_bytes() == source


def test_points_that_we_changed_are_no_repair_of_what_a_student_handed_in(course):
    handed_in = course.release_file(STAGE).read_bytes()
    list(set_points(course, STAGE, "softmax", 1.5))
    context = Context.of(course, STAGE)
    assert sanitised(handed_in, replace(context, earlier={}))[1] != []
    assert sanitised(handed_in, context)[1:] == ([], [])


def test_points_that_a_student_changed_are_a_repair_still(course):
    handed_in = course.release_file(STAGE).read_text()
    list(set_points(course, STAGE, "softmax", 1.5))
    context = Context.of(course, STAGE)
    notebook = nbformat.reads(handed_in, as_version=4)
    cell = next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "test_softmax")
    cell.metadata.nbgrader.points = 99
    _, repairs, _ = sanitised(nbformat.writes(notebook).encode(), context)
    assert "test_softmax" in " ".join(repairs)


@pytest.mark.parametrize(
    ("exercise", "number", "said"),
    [("sofmax", 1, "did you mean softmax?"), ("zzz", 1, "it has softmax"), ("softmax", -1, "from 0 to 1000")],
)
def test_what_cannot_be_is_refused(course, exercise, number, said):
    with pytest.raises(CourseError, match=said):
        list(set_points(course, STAGE, exercise, number))


def test_negative_points_are_refused_as_a_number(course, command):
    for number, said in ((-1, "from 0 to 1000, not -1"), ("--two", "Invalid value")):
        assert said in command("points", 1, "softmax", number, code=2).stderr
    assert released_points(course) == 4
