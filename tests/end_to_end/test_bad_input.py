"""Bad input: graded as far as possible and named; for a directory that isn't a course, one sentence and exit code 2."""

import json
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed

STAGE = "01_attention"
SOLVED = Handed("solved", 20)


def repeated(notebook):
    position = next(i for i, cell in enumerate(notebook.cells) if cell.id == "softmax")
    notebook.cells.insert(position, nbformat.from_dict(notebook.cells[position]))


def heavy(notebook):
    cell = next(cell for cell in notebook.cells if cell.id == "softmax")
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="x" * 50_000_000)]


def no_cells_of_ours(notebook):
    notebook.cells = [nbformat.v4.new_code_cell("print('hello')")]


FILES = {
    "not-json": lambda release: b"this is no notebook {",
    "empty": lambda release: b"",
    "not-ours": lambda release: submission(Handed("", 0, change=no_cells_of_ours), release),
    "repeats-a-cell": lambda release: submission(Handed("", 0, change=repeated), release),
    "heavy-outputs": lambda release: submission(Handed("", 0, change=heavy), release),
    "honest": lambda release: submission(SOLVED, release),
    "untouched": lambda release: nbformat.writes(release).encode(),
}


@pytest.fixture(scope="module")
def graded(command, copy_of_course, tmp_path_factory):
    """A course with one submission of each kind, graded once."""
    root = tmp_path_factory.mktemp("bad") / "course"
    course = copy_of_course(root)
    release = course.release(STAGE)
    for student, make in FILES.items():
        path = course.submitted_file(STAGE, student)
        path.parent.mkdir(parents=True)
        path.write_bytes(make(release))
    (root / "submitted" / "no-file" / STAGE).mkdir(parents=True)
    done = command("course", "grade", STAGE, "--course", root, "--json", root / "out.json", ok=False)
    outcome = json.loads((root / "out.json").read_text("utf-8"))
    return SimpleNamespace(root=root, done=done, by={s["student"]: s for s in outcome["submissions"]})


def test_the_run_goes_on_and_says_whom_to_look_at(graded):
    assert graded.done.returncode == 1  # some of them could not be graded
    assert graded.by.keys() == FILES.keys() | {"no-file"}
    line = next(text for text in graded.done.stdout.splitlines() if text.startswith("Please check by hand"))
    assert "not-json" in line
    assert "honest" not in line


@pytest.mark.parametrize("student", ["not-json", "empty", "no-file"])
def test_what_is_no_notebook_is_flagged_and_no_zero_is_recorded(graded, student):
    assert graded.by[student]["status"] == "ungradable"
    assert graded.by[student]["flags"]
    with Gradebook(f"sqlite:///{graded.root / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("test_softmax", STAGE, STAGE, student)
        assert (grade.auto_score, grade.needs_manual_grade) == (None, True)


def test_a_notebook_without_our_cells_is_repaired_and_nothing_in_it_is_attempted(graded):
    assert graded.by["not-ours"]["status"] == "not_attempted"
    assert graded.by["not-ours"]["repairs"] + graded.by["not-ours"]["flags"]


@pytest.mark.parametrize("student", ["repeats-a-cell", "heavy-outputs", "honest"])
def test_an_honest_answer_keeps_its_marks(graded, student):
    assert graded.by[student]["score"] == 20


def test_a_repeated_cell_is_reported(graded):
    assert graded.by["repeats-a-cell"]["repairs"]


def test_heavy_outputs_do_not_reach_the_graded_notebook(graded):
    assert (graded.root / "autograded" / "heavy-outputs" / STAGE / f"{STAGE}.ipynb").stat().st_size < 1_000_000


def test_an_untouched_notebook_is_not_attempted_and_has_no_score(graded):
    assert (graded.by["untouched"]["status"], graded.by["untouched"]["score"]) == ("not_attempted", 0)
    assert {exercise["status"] for exercise in graded.by["untouched"]["exercises"]} == {"not_attempted"}


def one_sentence(done):
    assert done.returncode == 2
    assert "Traceback" not in done.stderr + done.stdout
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


def test_a_missing_stage_is_one_sentence(graded, command):
    assert "no stage" in one_sentence(command("course", "grade", "99_none", "--course", graded.root, ok=False))


@pytest.mark.sandbox
def test_a_missing_student_is_one_sentence(graded, command):
    done = command("course", "grade", STAGE, "--student", "nobody", "--course", graded.root, ok=False)
    assert "nobody" in one_sentence(done)


def test_a_directory_that_is_no_course_is_one_sentence(tmp_path, command):
    assert "course init" in one_sentence(command("course", "grade", STAGE, "--course", tmp_path, ok=False))


def test_a_course_of_another_version_is_one_sentence(tmp_path, command):
    (tmp_path / ".course").mkdir()
    (tmp_path / ".course" / "course.json").write_text('{"format": 0}')
    assert "another version" in one_sentence(command("course", "grade", STAGE, "--course", tmp_path, ok=False))


def test_a_directory_that_holds_something_else_is_not_made_a_course(tmp_path, command):
    (tmp_path / "thesis.tex").write_text("precious")
    assert "not empty" in one_sentence(command("course", "init", tmp_path, ok=False))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.sandbox
def test_an_unknown_limit_is_one_sentence(copy_of_course, tmp_path, command):
    course = copy_of_course(tmp_path / "course")
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.Limits.cell_second = 5\n")
    assert "cell_second" in one_sentence(command("course", "grade", STAGE, "--course", course.root, ok=False))
