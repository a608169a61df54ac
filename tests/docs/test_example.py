"""The example of `docs/add_an_exercise.md` is what it says: complete, short, and held to what every exercise is."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder import stages
from autograder.build import release, stage
from autograder.catalogue import exercises_of
from autograder.judging.answer_key.compute import answer_key_of
from autograder.judging.judge import judge
from autograder.probes.run import collect

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "keep_top_k.py"
ROW = stages.Stage("99_sampling", "Sampling", "sampling", "torch", needs=(), exercises=("keep_top_k",))
HEADER = "# ---\n# jupyter:\n#   course:\n#     points: 3\n# ---\n\n# %% [markdown]\n# # Sampling\n\n"


@pytest.fixture
def exercise(monkeypatch):
    """The example, as a stage of its own."""
    spec = importlib.util.spec_from_file_location("keep_top_k", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    probes, topic = ModuleType("probes"), ModuleType("topic")
    probes.keep_top_k, topic.EXERCISES = example.probe, (example.EXERCISE,)
    monkeypatch.setattr(stages, "STAGES", (*stages.STAGES, ROW))
    monkeypatch.setitem(sys.modules, "keep_top_k", example)
    monkeypatch.setitem(sys.modules, "autograder.probes.torch.sampling", probes)
    monkeypatch.setitem(sys.modules, "autograder.catalogue.sampling", topic)
    yield example.EXERCISE
    exercises_of.cache_clear()


@pytest.fixture
def drawn(exercise):
    return answer_key_of((exercise,), 20011)[exercise.id]


def verdict_on(exercise, implementation, drawn):
    return judge(exercise, drawn, collect(exercise.id, implementation, drawn["cases"]))


def test_it_is_under_forty_lines():
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 40


def test_its_reference_gets_full_marks(exercise, drawn):
    assert (verdict_on(exercise, exercise.reference, drawn).score, exercise.points) == (3, 3)


def test_its_wrong_answers_lose_what_they_break_and_are_named(exercise, drawn):
    for mistake in exercise.mistakes:
        verdict = verdict_on(exercise, mistake.of(exercise.reference), drawn)
        assert {share.name for share in verdict.criteria if not share.passed} == set(drawn["loses"][mistake.name])
        assert verdict.known_mistake == mistake.name


def test_each_of_its_criteria_can_be_lost(exercise, drawn):
    assert set().union(*drawn["loses"].values()) == {share.name for share in exercise.criteria}


def test_the_two_cells_of_the_page_make_a_notebook_without_the_solution(exercise, tmp_path):
    cells = re.search(r"```python\n(# %%.*?)```", (DOCS / "add_an_exercise.md").read_text("utf-8"), re.DOTALL)[1]
    page = tmp_path / "99_sampling.py"
    page.write_text(HEADER + cells, "utf-8")
    notebook = release.student_notebook(stage.read_stage(page)).decode()
    assert "raise NotImplementedError" in notebook
    assert "is its threshold" in notebook
    assert "masked_fill" not in notebook
