"""The autograder for Gradescope, run from its own zip as Gradescope runs it."""

import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace

import nbformat
import pytest

from autograder.course.export import gradescope_run
from autograder.course.export.files import export_stages
from autograder.course.export.gradescope import autograder_zip
from autograder.grading.context import Context

STAGE = "01_attention"
NO_SCALING = """\
def scaled_dot_product(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = softmax(scores)
    return attention @ v, attention
"""


@pytest.fixture(scope="module")
def archive(released, tmp_path_factory):
    """The zip of stage 01."""
    folder = tmp_path_factory.mktemp("zip")
    sentences = list(export_stages(released, "gradescope", [STAGE], None, None, folder))
    assert "for instructors only" in sentences[1]
    return folder / f"{STAGE}-gradescope.zip"


@pytest.fixture
def run(archive, tmp_path):
    """`run({name: text})` unpacks the zip and grades a submission: (exit code, results or None, what was printed)."""

    def grade(files):
        root = tmp_path / "autograder"
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(root / "source")
        for name in ("submission", "results"):
            (root / name).mkdir()
        for name, text in files.items():
            (root / "submission" / name).write_text(text)
        environment = os.environ | {"GRADESCOPE_ROOT": str(root), "PYTHONPATH": str(root / "source" / "package")}
        command = [sys.executable, "-m", "autograder.course.export.gradescope_run"]
        done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
        file = root / "results" / "results.json"
        return done.returncode, json.loads(file.read_text()) if file.exists() else None, done.stdout + done.stderr

    return grade


@pytest.fixture
def notebook(released):
    """`notebook(answers)` is the solved notebook with other answers in it."""

    def make(answers):
        solved = nbformat.read(released.source_file(STAGE), as_version=4)
        for cell in solved.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = answers.get(name, cell.source)
        return nbformat.writes(solved)

    return make


def test_a_solved_notebook_has_full_marks_in_the_published_format(run, notebook):
    code, results, said = run({f"{STAGE}.ipynb": notebook({})})
    assert code == 0, said
    assert sum(test["score"] for test in results["tests"]) == 20
    assert {test["status"] for test in results["tests"]} == {"passed"}
    known = {"name", "number", "score", "max_score", "status", "output", "output_format", "tags", "visibility"}
    assert all(test.keys() == known for test in results["tests"])
    assert "why_the_root (3 points)" in results["output"]


def test_a_wrong_answer_is_named_and_shows_no_number_of_the_hidden_cases(run, notebook):
    code, results, said = run({"mine.ipynb": notebook({"scaled_dot_product": NO_SCALING})})
    assert code == 0, said
    lost = [test for test in results["tests"] if test["status"] == "failed"]
    assert "no scaling" in lost[0]["output"]
    assert 0 < sum(test["score"] for test in results["tests"]) < 20
    assert not any(character.isdigit() for test in lost for character in test["output"])


def test_no_notebook_two_notebooks_and_no_json_are_each_one_sentence(run, notebook):
    code, results, _ = run({"a.ipynb": "{}", "b.ipynb": "{}"})
    assert code == 0
    assert results["output"] == f"Submit one notebook, {STAGE}.ipynb. Found: a.ipynb, b.ipynb."
    assert [(test["score"], test["max_score"]) for test in results["tests"]] == [(0, 20)]


def test_without_the_answers_nothing_is_graded_and_it_is_not_a_zero(archive, run, notebook, monkeypatch):
    original = zipfile.ZipFile.extractall

    def without_answers(self, path):
        original(self, path, [name for name in self.namelist() if not name.startswith("course/answers")])

    monkeypatch.setattr(zipfile.ZipFile, "extractall", without_answers)
    code, results, said = run({f"{STAGE}.ipynb": notebook({})})
    assert (code, results) == (1, None)
    assert "run again" in said


def test_the_zip_has_what_gradescope_wants_at_its_root_and_nobodys_work(archive):
    with zipfile.ZipFile(archive) as opened:
        modes = {member.filename: member.external_attr >> 16 & 0o777 for member in opened.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert "package/pyproject.toml" in modes
    assert not any("__pycache__" in name or "seed" in name.rpartition("/")[2] for name in modes)


def test_the_zip_is_for_its_owner_alone_and_always_the_same(archive, released):
    assert archive.stat().st_mode & 0o777 == 0o600
    context = Context.of(released, STAGE)
    assert autograder_zip(context) == autograder_zip(context)


def test_where_only_limits_protect_the_answers_leave_the_disk_before_a_submission_runs(released, tmp_path, monkeypatch):
    original = Context.of(released, STAGE)
    copied = tmp_path / "answers.safetensors"
    copied.write_bytes(original.answers_file.read_bytes())
    context = replace(original, answers_file=copied)
    monkeypatch.setattr(gradescope_run.sandbox, "choose", lambda wanted: "limits")
    gradescope_run._hide_answers(context)
    assert not copied.exists()
    assert context.answers.keys() == original.answers.keys()
