"""What lies beside the notebook, and words that reach the terminal: links, pipes, devices, markup and codes."""

import io
import os
import shutil

import nbformat
import pytest
from rich.console import Console

from autograder.cli.tables import verdict_table
from autograder.directory.course import Course
from autograder.files import write_whole
from autograder.grading.run import grade_stage

from .attack import NOT_SOLVED

STAGE = "01_attention"
CODES = "[/bold][link=http://127.0.0.1/]\x1b]0;owned\x07\x1b[2J"


@pytest.fixture
def own(world, tmp_path):
    """A copy of the course, and where somebody hands in."""
    shutil.copytree(world.course.root, tmp_path / "course")
    course = Course.open(tmp_path / "course")
    path = course.submitted_file(STAGE, "climber")
    path.parent.mkdir(parents=True)
    return course, path


def graded(course: Course) -> dict:
    """What `course grade` says of the climber."""
    return grade_stage(course, STAGE, students=["climber"], sandbox="bubblewrap")["submissions"][0]


@pytest.mark.parametrize("target", ["submitted/somebody/01_attention/01_attention.ipynb", ".course/seed"])
def test_a_link_to_somebody_elses_file_is_nobodys_work(own, target):
    course, path = own
    path.symlink_to(course.root / target)
    path.with_name("timestamp.txt").symlink_to(course.private / "seed")
    submission = graded(course)
    assert (submission["status"], submission["score"]) == ("ungradable", 0)
    assert submission["flags"]
    secret = (course.private / "seed").read_bytes()
    assert all(secret not in file.read_bytes() for file in course.root.glob("autograded/**/*.*") if file.is_file())


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), os.mkdir])
def test_what_is_no_file_is_not_waited_for(own, make):
    course, path = own
    make(path)
    assert graded(course)["status"] == "ungradable"


def test_words_of_a_submission_are_words_in_the_terminal(own, world):
    course, path = own
    notebook = nbformat.from_dict(world.solved)
    grading = {"grade": True, "grade_id": CODES, "locked": True, "points": 9, "solution": False, "schema_version": 3}
    notebook.cells.append(nbformat.v4.new_code_cell(NOT_SOLVED, id="bonus", metadata={"nbgrader": grading}))
    write_whole(path, nbformat.writes(notebook).encode())
    submission = graded(course)
    assert "[/bold]" in str(submission["repairs"])
    outcome = {"stage": STAGE, "submissions": [submission]}
    written = io.StringIO()
    Console(file=written, force_terminal=True, width=149).print(verdict_table(outcome))
    assert "[/bold]" in written.getvalue()
    assert "owned\x07" not in written.getvalue()
    assert "\x1b[2J" not in written.getvalue()
