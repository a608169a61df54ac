"""A malformed stage is refused with file and line, before anything is written."""

import shutil
from pathlib import Path

import pytest

from autograder.build.release import outputs
from autograder.build.rubric import rubric_of
from autograder.build.stage import StageError, read_stage
from autograder.stripping.variants import chosen, variants_of

ROOT = Path(__file__).parents[3]
GOOD = (ROOT / "solutions" / "01_attention.py").read_text("utf-8")

CHECK = 'check("softmax", softmax)'
ANSWER = '# %% exercise="softmax"\nfrom course_lib.model.attention import softmax\n'


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def refused(tmp_path, text, name="01_attention.py"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(StageError) as error:
        read_stage(path)
    message = str(error.value)
    assert message.startswith(f"{path}:")
    return message, int(message.removeprefix(f"{path}:").split(":")[0])


def test_the_committed_stage_is_well_formed():
    stage = read_stage(ROOT / "solutions" / "01_attention.py")
    assert stage.points == sum(cell.points for cell in stage.cells)


def test_an_unknown_exercise_is_named(tmp_path):
    text = GOOD.replace('exercise="softmax"', 'exercise="sofmax"')
    message, line = refused(tmp_path, text)
    assert "sofmax" in message
    assert line == line_of(text, '# %% exercise="sofmax"')


def test_an_exercise_without_a_check_is_named(tmp_path):
    text = GOOD.replace(CHECK, "softmax(torch.zeros(2))")
    message, line = refused(tmp_path, text)
    assert "no `check" in message
    assert line == line_of(text, ANSWER)


def test_a_check_without_an_exercise_is_named(tmp_path):
    text = GOOD.replace(ANSWER, "# %%\nsoftmax = torch.softmax\n")
    message, line = refused(tmp_path, text)
    assert "no exercise" in message
    assert line == line_of(text, f"# %%\n{CHECK}")


def test_a_check_that_is_not_alone_is_refused(tmp_path):
    assert "alone" in refused(tmp_path, GOOD.replace(CHECK, f"{CHECK}\nprint(1)"))[0]


def test_a_second_cell_for_an_exercise_is_refused(tmp_path):
    assert "twice" in refused(tmp_path, GOOD.replace(ANSWER, ANSWER + "\n" + ANSWER, 1))[0]


@pytest.mark.parametrize("marker", ["# BEGIN SOLUTION", "# END SOLUTION"])
def test_an_unbalanced_marker_is_found(tmp_path, marker):
    text = GOOD.replace(f"{marker}\n", "", 1)
    assert "SOLUTION" in refused(tmp_path, text)[0]


def test_a_solution_in_an_ordinary_cell_is_refused(tmp_path):
    text = GOOD.replace('colours["lime"]', '# BEGIN SOLUTION\ncolours["lime"]\n# END SOLUTION')
    message, line = refused(tmp_path, text)
    assert line == line_of(text, '# BEGIN SOLUTION\ncolours["lime"]')
    assert "neither exercise nor question" in message


def test_points_that_do_not_add_up_are_refused(tmp_path):
    assert "the header says 24, the cells 23" in refused(tmp_path, GOOD.replace("points: 23", "points: 24"))[0]


def test_points_in_a_heading_that_are_not_the_exercise_s_are_refused(tmp_path):
    text = GOOD.replace("`softmax` (4 points", "`softmax` (5 points")
    message, line = refused(tmp_path, text)
    assert "gives `softmax` 5" in message
    assert line > 1


def test_a_header_without_title_and_points_is_refused(tmp_path):
    assert "header" in refused(tmp_path, GOOD.replace("#   course:", "#   other:"))[0]


def test_a_file_that_is_no_stage_is_refused(tmp_path):
    assert "no stage has this name" in refused(tmp_path, GOOD, "09_unknown.py")[0]


def test_a_name_that_stayed_behind_in_the_module_is_refused(tmp_path):
    message, line = refused(tmp_path, GOOD.replace("\nimport torch\n", "\n", 1))
    assert "uses `torch`, which no cell above it imports" in message
    assert line == line_of(GOOD.replace("\nimport torch\n", "\n", 1), ANSWER)


def test_nothing_is_written_when_one_stage_is_malformed(tmp_path):
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions")
    last = sorted((tmp_path / "solutions").glob("*.py"))[-1]
    last.write_text(last.read_text("utf-8").replace("check(", "chek(", 1), "utf-8")
    with pytest.raises(StageError):
        list(outputs(tmp_path))
    assert not (tmp_path / "notebooks").exists()


def test_a_rubric_that_does_not_add_up_is_refused(tmp_path):
    text = GOOD.replace("# - 1 point: the friend", "# - 2 points: the friend")
    message, line = refused(tmp_path, text)
    assert "“why_the_root” is worth 3, its rubric 4" in message
    assert line == line_of(text, '# %% [markdown] question="why_the_root"')


def test_a_rubric_of_any_variant_must_add_up(tmp_path):
    last = GOOD.rindex("# - 1 point: training can absorb")
    message, _ = refused(tmp_path, GOOD[:last] + GOOD[last:].replace("1 point", "2 points", 1))
    assert "is worth 3, its rubric 4" in message


def test_a_question_and_its_model_answer_have_the_same_variants(tmp_path):
    text = GOOD.replace("<!-- variant: wider-heads -->", "<!-- variant: wide-heads -->", 1)
    message, line = refused(tmp_path, text)
    assert "variants smaller-queries, wider-heads, but smaller-queries, wide-heads above" in message
    assert line == line_of(text, '# %% [markdown] question="why_the_root"')


def test_a_locked_cell_has_no_variants(tmp_path):
    text = GOOD.replace("import math\n", "# variant: smaller-queries\nimport math\n# end of variants\n", 1)
    message, line = refused(tmp_path, text)
    assert "cannot have variants" in message
    assert line == line_of(text, "# %% locked=true")


def test_a_marker_without_an_end_is_named(tmp_path):
    text = GOOD.replace("# <!-- end of variants -->", "#", 1)
    message, _ = refused(tmp_path, text)
    assert "without `end of variants` after it" in message


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("[0-9]*.py")), ids=lambda path: path.stem)
def test_every_version_of_a_written_question_asks_something_else_and_has_its_own_model_answer(path):
    cells = read_stage(path).cells
    questions = [number for number, cell in enumerate(cells) if cell.kind == "question"]
    assert questions
    for number in questions:
        names = variants_of(cells[number].source)
        assert len(names) >= 2
        answers = {rubric_of(chosen(cells[number].source, which)).model_answer for which in range(len(names))}
        asked = max(place for place in range(number) if "### Question: " in cells[place].source)
        texts = {chosen(cells[asked].source, which) for which in range(len(names))}
        assert len(answers) == len(texts) == len(names)
