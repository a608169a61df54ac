"""A course that was made before the packages were rearranged goes on: its configuration, its release, its answers."""

import json
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS
from autograder.directory.course import Course
from autograder.judging import answer_key
from course_lib.aliases import NOW

STAGE = "01_attention"
DESERVE = {"all-right": 20, "no-scaling": 17.5, "imported-answer": 12}
CONFIG = """\
# An nbgrader course made by `course init`. Everything nbgrader can do is configured here as usual.
from autograder.nbgrader_plugins import configure

c = get_config()  # noqa: F821 (given by the loader)
configure(c)

c.CourseDirectory.course_id = 'old'
"""
OLD_ANSWERS = {  # from before it was known what each mistake loses
    "softmax": {
        "cases": {"a matrix": {"tensors": {"logits": np.zeros((5, 7))}, "settings": {}}},
        "expected": {"a matrix": {"tensors": {"weights": np.full((5, 7), 1 / 7)}}},
        "misconceptions": {},
    }
}


def with_earlier_names(path: Path) -> None:
    """Let a notebook import what it imports by the names of before."""
    text = path.read_text("utf-8")
    for earlier, now in NOW.items():
        text = text.replace(f"from {now} import", f"from {earlier} import")
    path.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def old(copy_of_course, tmp_path_factory) -> Course:
    """A course as it was left, with submissions made from its release."""
    course = copy_of_course(tmp_path_factory.mktemp("old") / "course")
    (course.root / "nbgrader_config.py").write_text(CONFIG)
    for path in (course.source_file(STAGE), course.release_file(STAGE)):
        with_earlier_names(path)
        assert "from course_lib.pictures import" in path.read_text("utf-8")
    kept = course.private / "answers" / f"{STAGE}.safetensors"
    answer_key.write(kept, OLD_ANSWERS)
    kept.with_suffix(".made_from").write_text("the digest of another version")
    for handed in CLASS:
        if handed.student in DESERVE:
            path = course.submitted_file(STAGE, handed.student)
            path.parent.mkdir(parents=True)
            path.write_bytes(submission(handed, course.release(STAGE)))
    return Course.open(course.root)


@pytest.mark.sandbox
def test_it_is_graded_and_its_answers_are_renewed(old, command):
    command("course", "grade", STAGE, "--course", old.root, "--json", old.root / "out.json")
    outcome = json.loads((old.root / "out.json").read_text("utf-8"))
    assert {one["student"]: one["score"] for one in outcome["submissions"]} == DESERVE
    assert not [one for one in outcome["submissions"] if one["flags"] or one["repairs"]]
    assert "scaled_dot_product" in answer_key.parse((old.private / "answers" / f"{STAGE}.safetensors").read_bytes())


def test_nbgraders_own_commands_find_the_plug_ins(old, command):
    command("nbgrader", "autograde", STAGE, "--student", "no-scaling", "--force", cwd=old.root)
    command("nbgrader", "generate_feedback", STAGE, "--student", "no-scaling", "--force", cwd=old.root)
    with Gradebook(f"sqlite:///{old.root / 'gradebook.db'}") as gradebook:
        grades = gradebook.find_submission_notebook(STAGE, STAGE, "no-scaling").grades
        assert sum(grade.auto_score or 0 for grade in grades) == DESERVE["no-scaling"]
    page = (old.root / "feedback" / "no-scaling" / STAGE / f"{STAGE}.html").read_text("utf-8")
    assert "No scaling." in page


def test_what_it_gives_back_is_a_notebook_without_an_error(old):
    graded = nbformat.read(old.autograded_file(STAGE, "all-right"), as_version=4)
    errors = [o for cell in graded.cells for o in cell.get("outputs", ()) if o.output_type == "error"]
    assert errors == []
