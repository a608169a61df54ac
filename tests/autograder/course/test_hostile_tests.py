"""A teacher's own test that misbehaves, beside an honest one: it may spoil its own points, and no verdict."""

import json
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.directory.course import Course, generate_assignment
from autograder.files import write_whole
from autograder.grading.pool import end_warm, kept_warm
from autograder.grading.run import grade_stage

STAGE = "01_attention"
HOSTILE = {
    "a million points": "1_000_000",
    "points below nothing": "-1_000_000",
    "not a number": "float('nan')",
    "the end of the process": "import os\nos._exit(0)",
    "the end of the notebook": "raise SystemExit",
    "without end": "while True:\n    pass",
    "all memory": "held = []\nwhile True:\n    held.append(bytearray(1 << 28))",
    "output without end": "while True:\n    print('x' * 100_000)",
    "the answers of the course": "import glob\nprint(glob.glob('/**/answers/*', recursive=True))\nassert False",
    "other tests' names": "from IPython import get_ipython\nget_ipython().run_cell = None\n2",
    "no Python": "def (",
}


def test_cell(name, source, points):
    grading = {"grade": True, "solution": False, "locked": True, "task": False, "schema_version": 3}
    return new_code_cell(source, metadata={"nbgrader": grading | {"grade_id": name, "points": points}})


test_cell.__test__ = False


def afresh(course, untouched):
    """Make a course what it was, but for the packages of its stages, from which a worker may be running."""
    for path in course.root.iterdir():
        if path.is_dir() and path != course.private:
            shutil.rmtree(path)
    for path in course.private.iterdir():
        if path.is_dir() and path.name != "packages":
            shutil.rmtree(path)
    packages = shutil.ignore_patterns("packages")
    shutil.copytree(untouched.root, course.root, ignore=packages, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def outcomes(copy_of_course, made_once):
    """Hostile test → what two submissions got, of one grading process: one is right, and one without scaling."""

    def make(folder):
        found = graded_with_each(copy_of_course(folder / "untouched"), copy_of_course(folder / "course"))
        (folder / "outcomes.json").write_text(json.dumps(found))

    return json.loads((made_once("hostile-tests", make) / "outcomes.json").read_text())


def graded_with_each(untouched, course):
    """Hostile test → student → exercise → verdict."""
    found = {}
    for name, source in HOSTILE.items():
        afresh(course, untouched)
        notebook = nbformat.read(course.source_file(STAGE), as_version=4)
        notebook.cells += [
            test_cell("honest_before", "assert causal_mask(3).sum() == 6", 1),
            test_cell("hostile", source, 2),
        ]
        write_whole(course.source_file(STAGE), nbformat.writes(notebook).encode())
        with (course.root / "nbgrader_config.py").open("a") as config:
            config.write("\nc.Limits.cell_seconds = 2\nc.Limits.memory = 1 << 30\n")
        course = Course.open(course.root)
        generate_assignment(course, STAGE)
        for student, answers in (("ann", {}), ("bob", {"causal_mask": "def causal_mask(size):\n    return size"})):
            data = submission(Handed(student, 0, answers), course.release(STAGE))
            write_whole(course.submitted_file(STAGE, student), data)
        outcome = grade_stage(course, STAGE, spread=kept_warm)
        found[name] = {one["student"]: {e["id"]: e for e in one["exercises"]} for one in outcome["submissions"]}
    end_warm()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_the_verdicts_and_the_honest_test_are_what_they_would_be(outcomes, name):
    ann, bob = outcomes[name]["ann"], outcomes[name]["bob"]
    exercises = ("softmax", "scaled_dot_product", "causal_mask", "padding_mask", "expand_mask")
    assert sum(ann[exercise]["score"] for exercise in exercises) == 20
    assert (bob["causal_mask"]["score"], bob["softmax"]["score"]) == (0, 4)
    assert (ann["honest_before"]["score"], bob["honest_before"]["score"]) == (1, 0)
    for verdicts in (ann, bob):
        assert 0 <= verdicts["hostile"]["score"] <= verdicts["hostile"]["max_score"] == 2
