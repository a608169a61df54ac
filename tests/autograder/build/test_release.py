"""The built notebooks: valid, without solutions, the same bytes each time, and the ones that are committed."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
import torch

from autograder.build import release
from autograder.build.hints import hints_json
from autograder.build.notebook import repository
from autograder.build.release import solved_notebook, stages_in, student_notebook
from autograder.build.rubric import rubric_of
from autograder.catalogue import exercises_of, find
from autograder.catalogue.exercise import Case
from autograder.practice.hints import hints_file, hints_of
from autograder.protocol.channel import MAX_TENSORS
from autograder.stages import STAGE_NAMES, name_of, stage_named
from autograder.stripping.variants import chosen, variants_of

ROOT = Path(__file__).parents[3]
BUILT = {stage.name: stage for stage in stages_in(ROOT / "solutions")}


def test_every_stage_has_its_page():
    assert tuple(BUILT) == STAGE_NAMES


@pytest.mark.parametrize("name", BUILT)
def test_the_committed_notebook_is_what_the_build_makes(name):
    assert (ROOT / "notebooks" / f"{name}.ipynb").read_bytes() == student_notebook(BUILT[name])


@pytest.mark.parametrize("name", BUILT)
def test_the_committed_hints_are_those_of_the_page(name):
    assert hints_file(name).read_bytes() == hints_json(BUILT[name])


@pytest.mark.parametrize("name", BUILT)
def test_every_exercise_has_hints_in_plain_text(name):
    for exercise in exercises_of(name):
        hints = hints_of(name, exercise.id)
        assert hints, exercise.id
        texts = [text for hint in hints for text in hint]
        assert not [text for text in texts if re.search(r"</?\w+>(?<!</w>)|&\w+;", text) or text.count("`") % 2]


@pytest.mark.parametrize("name", BUILT)
def test_a_build_is_reproducible(name):
    assert solved_notebook(BUILT[name]) == solved_notebook(BUILT[name])


@pytest.mark.parametrize("name", BUILT)
def test_a_student_notebook_holds_no_solution_no_output_and_no_count(name):
    notebook = nbformat.reads(student_notebook(BUILT[name]).decode(), as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert "SOLUTION" not in cell.source
        assert "Rubric:" not in cell.source
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


@pytest.mark.parametrize("name", BUILT)
def test_every_exercise_has_its_answer_cell_and_its_locked_test_cell(name):
    notebook = nbformat.reads(student_notebook(BUILT[name]).decode(), as_version=4)
    cells = {c.metadata.nbgrader.grade_id: c for c in notebook.cells if "nbgrader" in c.metadata}
    for exercise in exercises_of(name):
        assert "raise NotImplementedError" in cells[exercise.id].source
        test = cells[f"test_{exercise.id}"]
        assert test.source == f'check("{exercise.id}", {name_of(exercise.id)})'
        assert (test.metadata.nbgrader.points, test.metadata.nbgrader.locked) == (exercise.points, True)


def test_the_code_of_a_guess_is_folded_and_no_other():
    cells = [cell for stage in BUILT.values() for cell in nbformat.reads(solved_notebook(stage).decode(), 4).cells]
    folded = [cell.source for cell in cells if cell.metadata.get("jupyter", {}).get("source_hidden")]
    assert folded == [cell.source for cell in cells if "_first(" in cell.source] != []


@pytest.mark.parametrize("name", BUILT)
def test_every_written_question_has_a_rubric_that_adds_up_to_its_points(name):
    questions = [cell for cell in BUILT[name].cells if cell.kind == "question"]
    assert questions
    for cell in questions:
        for variant in range(max(1, len(variants_of(cell.source)))):
            rubric = rubric_of(chosen(cell.source, variant))
            assert rubric.points == cell.points
            assert len(rubric.items) > 1
            assert len(rubric.model_answer) > 200


@pytest.mark.parametrize("name", BUILT)
def test_the_badge_opens_and_the_first_cell_installs_the_version_that_the_page_belongs_to(name):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    badge, setup = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells[:2]
    assert f"/blob/v{version}/notebooks/{name}.ipynb)" in badge.source.split("\n")[0]
    extra = stage_named(name).extra and f"[{stage_named(name).extra}]"
    assert f'%pip install -q "attention-workshop{extra} @ git+{repository()}@v{version}"' in setup.source


def test_cases_that_a_worker_would_refuse_stop_the_build_in_a_sentence():
    def weights(number):
        return {f"layers.{place}": torch.zeros(3) for place in range(number)}

    fits = Case("values", lambda g: {"weights": weights(MAX_TENSORS)})
    release.refuse_what_does_not_cross((replace(find("softmax"), cases=(fits,)),))
    one_more = Case("one more", lambda g: {"x": torch.zeros(2)})
    with pytest.raises(release.DoesNotCross) as refused:
        release.refuse_what_does_not_cross((replace(find("softmax"), cases=(fits, one_more)),))
    assert "The cases of softmax do not cross to a worker" in str(refused.value)
    assert "1,025 tensors in one frame are too many: at most 1,024 cross" in str(refused.value)


def test_no_answers_are_computed_for_a_stage_whose_cases_are_too_many(monkeypatch):
    monkeypatch.setattr("autograder.protocol.channel.MAX_TENSORS", 3)
    with pytest.raises(release.DoesNotCross, match="The cases of softmax"):
        release.answers_of("01_attention")
