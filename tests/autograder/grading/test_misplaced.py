"""Notebooks on the wrong level of submitted/ are named, with the place where they belong."""

import pytest

from autograder.files import write_whole
from autograder.grading.misplaced import misplaced

STAGE = "01_attention"


def test_what_lies_on_the_wrong_level_is_said(course):
    submitted = course.root / "submitted"
    (submitted / STAGE / "carol").mkdir(parents=True)
    (submitted / "dave").mkdir()
    (submitted / "dave" / f"{STAGE}.ipynb").write_bytes(b"")
    assert misplaced(course, STAGE) == [
        f"submitted/{STAGE}/carol: the student comes first, as in submitted/carol/{STAGE}/.",
        f"submitted/dave/{STAGE}.ipynb: it belongs in submitted/dave/{STAGE}/.",
    ]


@pytest.mark.parametrize(
    ("place", "student"),
    [
        (f"{STAGE}.ipynb", "STUDENT"),
        (f"{STAGE}/ada.ipynb", "STUDENT"),
        ("2/homework.ipynb", "2"),
        (f"fay/attention/{STAGE}.ipynb", "fay"),
        ("fay/01/homework.ipynb", "fay"),
        ("fay/week one/homework.ipynb", "fay"),
    ],
)
def test_a_notebook_in_no_stages_folder_is_said(course, place, student):
    write_whole(course.root / "submitted" / place, b"{}")
    assert misplaced(course, STAGE) == [f"submitted/{place}: it belongs in submitted/{student}/{STAGE}/."]


def test_a_notebook_beside_the_right_folder_or_of_another_assignment_is_not_said(course):
    student = course.root / "submitted" / "ada"
    (student / STAGE).mkdir(parents=True)
    write_whole(student / "notes.ipynb", b"{}")
    write_whole(student.with_name("bob") / "essay" / "essay.ipynb", b"{}")
    (course.root / "source" / "essay").mkdir()
    write_whole(student.with_name("cy") / ".ipynb_checkpoints" / f"{STAGE}.ipynb", b"{}")
    assert misplaced(course, STAGE) == []
