"""What an instructor changes in source/ counts everywhere alike, or is refused aloud; nothing of it is overwritten."""

import json

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import catalogue, stages
from autograder.build.release import solved_notebook
from autograder.course import edits, init
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.directory.course import generate_assignment
from autograder.errors import CourseError
from autograder.exports.scores import read_scores
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.grading.run import grade_stage
from autograder.grading.task import close_workers

STAGE = "01_attention"
OWN = """\
assert causal_mask(2).shape == (2, 2)
### BEGIN HIDDEN TESTS
assert not causal_mask(3)[0, 2]
### END HIDDEN TESTS
"""
SHOWS_ALL = "def causal_mask(size):\n    return torch.ones(size, size)\n"
ENDS_THE_PROCESS = "import os\n\n\ndef causal_mask(size):\n    os._exit(0)\n"
CLASS = (
    Handed("ada", 20),
    Handed("bob", 20, {"causal_mask": SHOWS_ALL}),
    Handed("eve", 20, {"causal_mask": ENDS_THE_PROCESS, "softmax": None}),
)


def test_cell(name, source, points):
    """A locked cell of an instructor's own, as nbgrader's toolbar makes it."""
    grading = {"grade_id": name, "grade": True, "solution": False, "locked": True, "points": points}
    return nbformat.v4.new_code_cell(
        source, metadata={"nbgrader": grading | {"schema_version": 3, "task": False, "cell_type": "code"}}
    )


test_cell.__test__ = False


def edit(course, change):
    """Rewrite the source's cells by `change(name, cell)`, which gives the cells that take its place."""
    path = course.source_file(STAGE)
    notebook = nbformat.read(path, as_version=4)
    cells = [(cell.metadata.get("nbgrader", {}).get("grade_id"), cell) for cell in notebook.cells]
    notebook.cells = [new for name, cell in cells for new in change(name, cell)]
    nbformat.write(notebook, path)


def all_kinds(name, cell):
    """Softmax counts double, expand_mask is dropped, padding_mask's test has more in it, and one test is new."""
    if name == "test_softmax":
        cell.metadata["nbgrader"]["points"] = 8
    if name == "test_padding_mask":
        cell.source += "\nassert True"
    if name == "why_the_root":
        return [cell, test_cell("mine", OWN, 3)]
    return [] if name == "test_expand_mask" else [cell]


@pytest.fixture(scope="module")
def graded(copy_of_course, tmp_path_factory):
    """The edited course, its class graded by `course grade`: the course, and the JSON by student."""
    course = copy_of_course(tmp_path_factory.mktemp("edited") / "course")
    edit(course, all_kinds)
    generate_assignment(course, STAGE)
    for handed in CLASS:
        write_whole(course.submitted_file(STAGE, handed.student), submission(handed, course.release(STAGE)))
    outcome = grade_stage(course, STAGE, jobs=1)
    yield course, {one["student"]: one for one in outcome["submissions"]}
    close_workers()


def points(graded, student):
    return {one["id"]: one["score"] for one in graded[1][student]["exercises"]}


def test_changed_points_count_and_a_dropped_exercise_is_dropped(graded):
    assert points(graded, "ada") == {"softmax": 8, "scaled_dot_product": 8, "causal_mask": 2, "mine": 3}
    assert graded[1]["ada"]["max_score"] == graded[1]["ada"]["score"] == 21


def test_the_instructors_own_test_runs_with_its_hidden_part(graded):
    assert points(graded, "bob")["mine"] == 0
    (own,) = [one for one in graded[1]["bob"]["exercises"] if one["id"] == "mine"]
    assert (own["status"], own["message"]) == ("wrong", "AssertionError: ")


def test_whoever_ends_the_process_in_it_has_no_points_of_it(graded):
    assert points(graded, "eve")["mine"] == points(graded, "eve")["softmax"] == 0


def test_what_is_more_than_a_check_waits_for_a_person(graded):
    course, _ = graded
    assert "padding_mask" not in points(graded, "ada")
    with Gradebook(course.db_url, course.course_id) as gradebook:
        grade = gradebook.find_grade("test_padding_mask", STAGE, STAGE, "ada")
        assert (grade.auto_score, grade.needs_manual_grade) == (None, True)


def test_the_hidden_part_is_in_no_page_that_a_student_gets(graded):
    course, _ = graded
    notebook = nbformat.read(course.autograded_file(STAGE, "ada"), as_version=4)
    assert all("causal_mask(3)" not in cell.source for cell in notebook.cells)
    assert "causal_mask(3)" not in course.release_file(STAGE).read_text("utf-8")


def test_all_of_it_is_said(graded):
    course, _ = graded
    said = "\n".join(edits.said_of_release(course, STAGE))
    for sentence in (
        "Points of this course: softmax 8 (not 4).",
        "Not in the release, so not graded: expand_mask.",
        "scored as nbgrader scores them: mine.",
        "To be graded by hand: test_padding_mask: it contains more than its `check`",
    ):
        assert sentence in said
    assert "edited after" not in said


def test_nbgraders_own_autograde_gives_the_same(graded):
    course, _ = graded
    before = read_scores(course, STAGE)
    config = Config(course.config)
    config.CourseDirectory.root = str(course.root)
    api = NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)
    for handed in CLASS:
        done = api.autograde(STAGE, handed.student)
        assert done["success"], done
    assert read_scores(course, STAGE) == before


def test_an_edit_that_was_not_released_is_said(course):
    def twice(name, cell):
        if name == "test_softmax":
            cell.metadata["nbgrader"]["points"] = 8
        return [cell]

    assert edits.said_of_release(course, STAGE) == []
    edit(course, twice)
    (course.root / "source" / STAGE / "data.csv").write_text("1")
    released, beside = edits.said_of_release(course, STAGE)
    assert "was edited after its release was made (test_softmax)" in released
    assert "data.csv" in beside


def test_init_again_leaves_an_edited_source_and_says_what_differs(course):
    edit(course, lambda name, cell: [cell, test_cell("mine", OWN, 3)] if name == "why_the_root" else [cell])
    before = course.source_file(STAGE).read_bytes(), course.release_file(STAGE).read_bytes()
    said = []
    init.init_course(course.root, only=("1",), tell=said.append)
    assert (course.source_file(STAGE).read_bytes(), course.release_file(STAGE).read_bytes()) == before
    assert len(said) == 1
    assert f"source/{STAGE} is edited here (mine) and is kept unchanged" in said[0]


def test_init_again_refreshes_a_source_that_nobody_edited(course):
    path = course.source_file(STAGE)
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"][0]["source"] = "as an earlier version made it"
    edits.write_source(course, STAGE, json.dumps(notebook).encode())
    said = []
    init.init_course(course.root, only=(STAGE,), tell=said.append)
    assert said == []
    assert path.read_bytes() == solved_notebook(init.stages_in(init.SOLUTIONS, (STAGE,))[0])


def test_init_again_leaves_the_cells_of_a_stage_that_has_submissions(course, grade):
    grade("ada")
    notebook = json.loads(course.source_file(STAGE).read_text("utf-8"))
    notebook["cells"] = [cell for cell in notebook["cells"] if "expand_mask" not in cell["id"]]
    edits.write_source(course, STAGE, json.dumps(notebook).encode())
    before, said = course.source_file(STAGE).read_bytes(), []
    init.init_course(course.root, only=(STAGE,), tell=said.append)
    assert course.source_file(STAGE).read_bytes() == before
    assert "has submissions" in said[0]
    assert "expand_mask" in said[0]


def test_cells_that_come_after_the_first_submission_are_refused_in_words(course, grade):
    grade("ada")
    edit(course, lambda name, cell: [] if name == "test_expand_mask" else [cell])
    (said, *_) = edits.said_of_release(course, STAGE)
    assert "and its release have different cells (test_expand_mask), which nbgrader refuses" in said
    with pytest.raises(CourseError, match="failed: RuntimeError: Cannot add or remove cells"):
        generate_assignment(course, STAGE)


def test_an_exercise_that_the_release_has_and_this_version_not_waits_for_a_person(course, monkeypatch):
    rows = [
        row if row.name != STAGE else stages.Stage(**{**vars(row), "exercises": row.exercises[:-1]})
        for row in stages.STAGES
    ]
    monkeypatch.setattr(stages, "STAGES", tuple(rows))
    catalogue.exercises_of.cache_clear()
    try:
        released_tests = Context.of(course, STAGE).released_tests
    finally:
        catalogue.exercises_of.cache_clear()
    assert list(released_tests.people) == ["test_expand_mask"]
    assert "no exercise `expand_mask`" in released_tests.people["test_expand_mask"]
