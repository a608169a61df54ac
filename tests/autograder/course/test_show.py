"""`course show`: the code, the verdict, the hidden numbers, and the command that shows them again."""

import shlex
from functools import partial

import nbformat
import pytest

from autograder.catalogue import find
from autograder.files import write_whole
from autograder.stripping.strip import solved_source

STAGE, NAME = "01_attention", "scaled_dot_product"


@pytest.fixture
def hand_in(course):
    """`hand_in(student, source)` puts the release with this answer into submitted/."""

    def put(student, source):
        notebook = course.release(STAGE)
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade_id") == NAME:
                cell.source = source
        write_whole(course.submitted_file(STAGE, student), nbformat.writes(notebook).encode())

    return put


@pytest.fixture
def shown(command):
    """`shown(student, …)` runs the command."""
    return partial(command, "show")


def test_code_verdict_hidden_numbers_and_a_command_that_works(course, hand_in, shown):
    reference = solved_source(find(NAME).reference)
    hand_in("ann", reference.replace(" / math.sqrt(q.shape[-1])", ""))
    said = shown("ann", "1", NAME).stdout
    assert "    scores = q @ k.transpose(-2, -1)  # [..., L, S]" in said
    assert " / math" not in said
    assert "no scaling: " in said
    assert "expected " in said
    assert "actual " in said
    assert "Not graded yet" in said
    *words, _, root = shlex.split(next(line for line in said.splitlines() if line.startswith("  course show")))
    assert root == str(course.root)
    assert shown(*words[2:]).stdout == said


def test_an_error_is_shown_with_the_students_own_line_and_terminal_codes_are_harmless(hand_in, shown):
    hand_in("eve", "def scaled_dot_product(q, k, v, mask=None):\n    return q @ k @ nonsense  # \x1b[2J")
    said = shown("eve", "1", NAME).stdout
    assert "in this line of yours: return q @ k @ nonsense" in said
    assert "\x1b" not in said


def test_a_written_question_says_where_it_is_read(course, hand_in, shown):
    hand_in("ann", solved_source(find(NAME).reference))
    said = shown("ann", "1", "why_the_root", code=2).stderr
    assert "why_the_root is a written question: read it in the formgrader, or with `course mark`." in said


def test_what_was_graded_before_is_compared_and_nothing_is_written(course, grade, shown):
    grade("ann")
    before = {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()}
    points = f"{find(NAME).points:g}"
    assert f"right, {points} of {points} points, the same as now." in shown("ann", "1", NAME).stdout
    assert {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("anne", "1", NAME), "did you mean ann?"),
        (("ann", "1", "scaled_dot"), "did you mean scaled_dot_product?"),
        (("ann", "1", NAME, "--sandbox", "none"), "--sandbox must be bubblewrap or limits"),
    ],
)
def test_who_is_called_wrongly_is_told_what_was_meant(grade, shown, words, said):
    grade("ann")
    assert said in shown(*words, code=2).stderr
