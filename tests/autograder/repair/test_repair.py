"""A stage handed in solved, then damaged: the answers survive, and everything of ours is as released."""

import copy
import json
import random
from pathlib import Path

import nbformat
import pytest

from autograder.build.release import solved_notebook, student_notebook
from autograder.build.stage import read_stage
from autograder.repair.repair import read_submission, repair

STAGE = read_stage(Path(__file__).parents[3] / "solutions" / "01_attention.py")
RELEASE = nbformat.reads(student_notebook(STAGE).decode(), as_version=4)
EXERCISES = [exercise.id for exercise in STAGE.exercises]


def solved() -> dict:
    """The release with every answer written, as JSON: what a diligent student hands in."""
    notebook = json.loads(student_notebook(STAGE))
    answers = {cell["id"]: cell["source"] for cell in json.loads(solved_notebook(STAGE))["cells"]}
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = answers[cell["id"]]
    return notebook


def handed_in(notebook: dict):
    """What grading makes of a file: (repaired notebook, repairs, flags), whole and valid whatever came."""
    found, repairs, flags = read_submission(json.dumps(notebook).encode())
    repaired = repair(found, RELEASE)
    nbformat.validate(repaired.notebook)
    assert not any(cell.get("outputs") for cell in repaired.notebook.cells)
    return repaired.notebook, repairs + repaired.repairs, flags + repaired.flags


def text(cell: dict) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def grading(cell: dict) -> dict:
    return cell["metadata"].get("nbgrader", {})


def find(notebook: dict, name: str) -> dict:
    return next(cell for cell in notebook["cells"] if grading(cell).get("grade_id") == name)


def own_cells(notebook) -> list:
    ours = {cell.id for cell in RELEASE.cells}
    return [cell for cell in notebook.cells if cell.id not in ours]


def code(source: str, name: str = "mine") -> dict:
    return {"cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": 1}


# Each damage changes a notebook in place; `draw` is a random.Random.


def strip_metadata(notebook, draw):
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def lose_ids(notebook, draw):
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        del cell["id"]


def give_new_ids(notebook, draw):
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"{draw.getrandbits(40):010x}-{number}"
        cell["metadata"]["id"] = cell["id"]


def shuffle(notebook, draw):
    draw.shuffle(notebook["cells"])


def answers_to_the_end(notebook, draw):
    notebook["cells"].sort(key=lambda cell: text(cell).startswith("def "))


def delete_tests(notebook, draw):
    notebook["cells"] = [cell for cell in notebook["cells"] if not text(cell).startswith("check(")]


def delete_all_but_the_answers(notebook, draw):
    notebook["cells"] = [c for c in notebook["cells"] if grading(c).get("solution") or text(c).startswith("def ")]


def delete_locked(notebook, draw):
    notebook["cells"] = [cell for cell in notebook["cells"] if not grading(cell).get("locked")]


def retype_everything(notebook, draw):
    for cell in notebook["cells"]:
        cell["cell_type"] = draw.choice(["raw", "markdown" if cell["cell_type"] == "code" else "code"])


def repeat_answers_untouched(notebook, draw):
    for name in EXERCISES:
        stub = copy.deepcopy(next(cell for cell in RELEASE.cells if cell.id == name))
        notebook["cells"].insert(draw.randrange(len(notebook["cells"])), {**stub, "id": f"{name}-again"})


def repeat_everything(notebook, draw):
    notebook["cells"] += [{**copy.deepcopy(cell), "id": f"again-{at}"} for at, cell in enumerate(notebook["cells"])]


def repeat_tests(notebook, draw):
    for name in EXERCISES:
        again = (
            copy.deepcopy(find(notebook, f"test_{name}")) if draw.random() < 0.7 else code(f'check("{name}", print)')
        )
        notebook["cells"].insert(draw.randrange(len(notebook["cells"])), again)


def rename_tests(notebook, draw):
    for name in EXERCISES:
        for cell in notebook["cells"]:
            if grading(cell).get("grade_id") == f"test_{name}":
                cell["metadata"]["nbgrader"]["grade_id"] = f"test_{name}_2"


def edit_tests(notebook, draw):
    for cell in notebook["cells"]:
        if text(cell).startswith("check("):
            cell["source"] = text(cell) + "  # works on my machine"


def rotate_grade_ids(notebook, draw):
    answers = [cell for cell in notebook["cells"] if grading(cell).get("grade_id") in EXERCISES]
    names = [cell["metadata"]["nbgrader"]["grade_id"] for cell in answers]
    for cell, name in zip(answers, names[1:] + names[:1], strict=True):
        cell["metadata"]["nbgrader"]["grade_id"] = name
        cell["id"] = f"rotated-{name}"


def edit_points(notebook, draw):
    for cell in notebook["cells"]:
        if "points" in grading(cell):
            cell["metadata"]["nbgrader"]["points"] = draw.choice([97, -1, "all", float("nan"), None])


def unlock_everything(notebook, draw):
    for cell in notebook["cells"]:
        if grading(cell):
            cell["metadata"]["nbgrader"].update(locked=False, solution=True)


def forge_a_test(notebook, draw):
    forged = {"grade": True, "grade_id": "bonus", "locked": True, "points": 89, "solution": False}
    notebook["cells"].append({**code("10"), "metadata": {"nbgrader": forged}})


def merge_tests_into_answers(notebook, draw):
    for name in EXERCISES:
        for cell in notebook["cells"]:
            if text(cell).startswith(f"def {name}("):
                cell["source"] = text(cell) + f'\n\ncheck("{name}", {name})'
    delete_tests(notebook, draw)


def tear_answers(notebook, draw):
    torn = []
    for cell in notebook["cells"]:
        torn.append(cell)
        if text(cell).startswith("def ") and "BEGIN SOLUTION" in text(cell):
            lines = text(cell).split("\n")
            at = next(i for i, line in enumerate(lines) if "BEGIN SOLUTION" in line) + 1
            cell["source"] = "\n".join(lines[:at])
            torn.append(code("\n".join(lines[at:]), f"torn-{len(torn)}"))
    notebook["cells"] = torn


KEEP_TEXT = [
    strip_metadata,
    lose_ids,
    give_new_ids,
    shuffle,
    answers_to_the_end,
    delete_tests,
    delete_locked,
    retype_everything,
    repeat_answers_untouched,
    repeat_everything,
    repeat_tests,
    rename_tests,
    edit_tests,
    rotate_grade_ids,
    edit_points,
    unlock_everything,
    forge_a_test,
    tear_answers,
]
DAMAGES = [*KEEP_TEXT, merge_tests_into_answers, delete_all_but_the_answers]


def assert_whole(repaired):
    """Every cell of the release is there in order, with its metadata; locked ones with their source."""
    ours = [cell for cell in repaired.cells if cell.id in {cell.id for cell in RELEASE.cells}]
    assert [cell.id for cell in ours] == [cell.id for cell in RELEASE.cells]
    for found, released in zip(ours, RELEASE.cells, strict=True):
        assert found.cell_type == released.cell_type
        assert found.metadata == released.metadata
        if released.metadata.get("nbgrader", {}).get("locked"):
            assert found.source == released.source
    assert not any("nbgrader" in cell.metadata for cell in own_cells(repaired))


def assert_answers(repaired):
    """What defines an exercise last, at or after its answer cell and before its test, is what was handed in."""
    expected = solved()
    for name in EXERCISES:
        names = [grading(cell).get("grade_id") for cell in repaired.cells]
        span = repaired.cells[names.index(name) : names.index(f"test_{name}")]
        last = [cell.source for cell in span if cell.source.startswith(f"def {name}(")][-1]
        assert last.removesuffix(f'\n\ncheck("{name}", {name})') == text(find(expected, name)), name


def test_an_undamaged_submission_comes_back_as_it_is():
    repaired, repairs, flags = handed_in(solved())
    assert (repairs, flags) == ([], [])
    assert repaired == nbformat.reads(json.dumps(solved()), as_version=4)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("seed", [2, 3, 5])
def test_answers_survive(damage, seed):
    notebook = solved()
    damage(notebook, random.Random(seed))
    repaired, repairs, flags = handed_in(notebook)
    assert_whole(repaired)
    assert_answers(repaired)
    assert repairs


@pytest.mark.parametrize("seed", range(40))
def test_answers_survive_several_damages_at_once(seed):
    draw, notebook = random.Random(seed), solved()
    for damage in sorted(draw.sample(KEEP_TEXT, 3), key=KEEP_TEXT.index):
        try:
            damage(notebook, draw)
        except (KeyError, StopIteration):
            continue  # what it damages is no longer there
    repaired, repairs, flags = handed_in(notebook)
    assert_whole(repaired)
    assert_answers(repaired)
    assert repairs
