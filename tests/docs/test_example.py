"""The example of `docs/add_an_exercise.md` is what it says: complete, short, and held to what every exercise is."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder import exercises
from autograder.build import release, stage
from autograder.judging.answers.compute import answers_of
from autograder.judging.judge import judge
from autograder.probes.run import PROBES_OF, collect

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "keep_top_k.py"
HEADER = (
    "# ---\n# jupyter:\n#   course:\n#     title: Sampling\n#     points: 3\n# ---\n\n# %% [markdown]\n# # Sampling\n\n"
)


@pytest.fixture
def exercise(monkeypatch):
    """The example, as a stage of its own."""
    spec = importlib.util.spec_from_file_location("keep_top_k", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    probes, topic = ModuleType("probes"), ModuleType("topic")
    probes.keep_top_k, topic.EXERCISES = example.probe, (example.EXERCISE,)
    monkeypatch.setitem(PROBES_OF, "sampling", ["keep_top_k"])
    monkeypatch.setitem(sys.modules, "keep_top_k", example)
    monkeypatch.setitem(sys.modules, "autograder.probes.sampling", probes)
    monkeypatch.setitem(sys.modules, "autograder.catalogue.sampling", topic)
    for module in (exercises, stage):
        monkeypatch.setattr(module, "STAGES", (*exercises.STAGES, "09_sampling"))
    return example.EXERCISE


def verdict_on(exercise, implementation):
    drawn = answers_of((exercise,), 20011)[exercise.id]
    return judge(exercise, drawn, collect(exercise.id, implementation, drawn["cases"]))


def test_it_is_under_fifty_lines():
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 50


def test_its_reference_gets_full_marks(exercise):
    assert (verdict_on(exercise, exercise.reference).score, exercise.points) == (3, 3)


def test_its_wrong_answers_lose_what_they_break_and_are_named(exercise):
    for wrong in exercise.misconceptions:
        verdict = verdict_on(exercise, wrong.implementation)
        assert {share.name for share in verdict.properties if not share.passed} == set(wrong.loses)
        assert verdict.misconception == wrong.name


def test_each_of_its_properties_can_be_lost(exercise):
    broken = {name for wrong in exercise.misconceptions for name in wrong.loses}
    assert broken == {share.name for share in exercise.properties}


def test_the_two_cells_of_the_page_make_a_notebook_without_the_solution(exercise, tmp_path):
    cells = re.search(r"```python\n(# %%.*?)```", (DOCS / "add_an_exercise.md").read_text("utf-8"), re.DOTALL)[1]
    page = tmp_path / "09_sampling.py"
    page.write_text(HEADER + cells, "utf-8")
    notebook = release.student_notebook(stage.read_stage(page)).decode()
    assert "raise NotImplementedError" in notebook
    assert "is its threshold" in notebook
    assert "masked_fill" not in notebook
