"""The parts of the documentation that are made: tables, and formulas that no browser needs a script for."""

import re
from dataclasses import fields

import nbformat
import pytest

from autograder.build.release import stages_in
from autograder.judging import answer_key
from autograder.sandbox.limits import Limits
from docs.tools import concepts, limits, stages, wrong_answers
from docs.tools.executed import ROOT

STAGES = stages_in(ROOT / "solutions")
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def test_every_limit_has_a_row():
    rows = limits.table().splitlines()
    assert [row.split("`")[1] for row in rows[2:]] == [limit.name for limit in fields(Limits)]


@pytest.mark.parametrize(
    ("value", "shown"), [(2 << 30, "2 GiB"), (67 << 20, "67 MiB"), (60.0, "60"), (1_000_000, "1,000,000")]
)
def test_a_limit_is_shown_as_people_write_it(value, shown):
    assert limits.shown(value) == shown


def test_every_wrong_answer_has_a_row_that_says_what_it_loses():
    rows = {row for row in wrong_answers.page(STAGES).splitlines() if row.startswith("| ")}
    for stage in STAGES:
        known = answer_key.load(answer_key.public_file(stage.name))
        for exercise in stage.exercises:
            for wrong in exercise.mistakes:
                loses = known[exercise.id]["loses"][wrong.name]
                lost = sum(share.points for share in exercise.criteria if share.name in loses)
                assert any(wrong.name in row and row.endswith(f"| −{lost:g} |") for row in rows), (
                    exercise.id,
                    wrong.name,
                )


@pytest.mark.parametrize("stage", STAGES, ids=[stage.name for stage in STAGES])
def test_every_formula_can_be_drawn_without_a_script(stage):
    pytest.importorskip("sphinx")
    from autograder.course.feedback.mathml import mathml

    prose = "\n".join(cell.source for cell in stage.cells if cell.kind in ("prose", "question"))
    for alone, inline in FORMULA.findall(re.sub(r"`[^`\n]*`", "", prose)):
        assert mathml(alone or inline, alone=bool(alone)).startswith("<math")


def test_the_table_of_concepts_has_the_terms_of_every_stage():
    found = concepts.concepts(STAGES)
    assert len(found) > 40
    assert len({stage for stage, _ in found.values()}) >= 11
    assert found["causal mask"] == ("01_attention", "1.4 Who may see what")
    assert found["label smoothing"] == ("10_translation", "10.4 Not too sure")
    assert not {"Shapes", "every"} & found.keys()
    assert all(f"stages/{stage}.md" in concepts.page(STAGES) for stage, _ in found.values())


def test_code_that_only_imports_or_draws_is_folded_and_all_other_code_is_open():
    cell = nbformat.v4.new_code_cell
    assert stages.folded_as(cell("import torch\nx = 5")) == "Imports"
    assert stages.folded_as(cell("x = 5", metadata={"tags": ["picture"]})) == "The code of this demonstration"
    assert stages.folded_as(cell("def softmax(x): ...")) == ""


def test_the_first_picture_of_the_readme_is_the_card_of_today_down_to_its_words():
    pytest.importorskip("playwright")
    from docs.tools import pictures

    pictures.check()  # ends with what to do when it is not


def test_a_card_with_other_words_is_not_the_one_of_the_picture():
    pytest.importorskip("playwright")
    from docs.tools import pictures

    with pytest.raises(SystemExit, match="run make pictures"):
        pictures.check(pictures.card_page().replace("scal", "skal"))
