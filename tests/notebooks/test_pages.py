"""Every page in a real kernel: empty it runs through without an error and scores nothing; solved it has full marks.

Models are trained for a few steps only; `make docs` runs every solved page whole, and an error there ends it.
"""

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.build.release import solved_notebook, student_notebook
from autograder.build.stage import read_stage
from autograder.catalogue import exercises_of
from autograder.stages import STAGE_NAMES
from tests import warm

SOLUTIONS = Path(__file__).parents[2] / "solutions"


@pytest.fixture(autouse=True)
def warm_kernels(monkeypatch):
    """Kernels need not import torch first."""
    if sys.platform == "linux":
        monkeypatch.setattr("jupyter_client.provisioning.local_provisioner.launch_kernel", warm.start_kernel)


def run(data, tmp_path, drawn):
    """The notebook after a run from top to bottom; pictures are drawn, or only said."""
    notebook = nbformat.reads(data.decode(), as_version=4)
    environment = os.environ | {
        "COURSE_PROGRESS": "off",
        "COURSE_GUESS": "off",
        "COURSE_PICTURES": "on" if drawn else "off",
        "COURSE_STEPS": "8",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True)
    client.execute(cwd=str(tmp_path), env=environment)
    return notebook


def errors(notebook):
    return [o.ename for cell in notebook.cells for o in cell.get("outputs", ()) if o.output_type == "error"]


def scores(notebook):
    """What each test cell shows, as nbgrader reads it."""
    return {
        cell.id.removeprefix("test_"): float(cell.outputs[-1].data["text/plain"])
        for cell in notebook.cells
        if cell.id.startswith("test_")
    }


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_an_empty_page_runs_through_and_scores_nothing(stage, tmp_path):
    notebook = run(student_notebook(read_stage(SOLUTIONS / f"{stage}.py")), tmp_path, drawn=False)
    assert errors(notebook) == []
    assert scores(notebook) == {exercise.id: 0 for exercise in exercises_of(stage)}


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_a_solved_page_has_full_marks_and_words_for_every_picture(stage, tmp_path):
    notebook = run(solved_notebook(read_stage(SOLUTIONS / f"{stage}.py")), tmp_path, drawn=True)
    assert errors(notebook) == []
    assert scores(notebook) == {exercise.id: exercise.points for exercise in exercises_of(stage)}
    shown = "".join(o.data.get("text/html", "") for c in notebook.cells for o in c.get("outputs", ()) if "data" in o)
    images = re.findall(r"<img [^>]*>", shown)
    assert images
    assert all(re.search(r'alt="[^"]{20,}"', image) for image in images)
    assert not [o for c in notebook.cells for o in c.get("outputs", ()) if "image/png" in o.get("data", {})]
