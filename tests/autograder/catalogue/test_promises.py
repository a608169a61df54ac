"""A sentence on a page is a promise: each is declared, with what holds an answer to it, and nothing else is."""

import inspect
import re
from pathlib import Path

import pytest

from autograder.build.stage import read_stage
from autograder.catalogue import exercises_of
from autograder.stages import STAGE_NAMES, stage_of

SOLUTIONS = Path(__file__).parents[3] / "solutions"
EXERCISES = [exercise for stage in STAGE_NAMES for exercise in exercises_of(stage)]
ids = [exercise.id for exercise in EXERCISES]
MUST_HOLD = re.compile(r"\*\*Must hold\.\*\* (.+?)(?:\n\n|\Z)", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.)])\s+(?=[A-Z(`])")
RAISES = re.compile(r"^ *Raises:\n(.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


def on_the_page(exercise):
    """The sentences under *Must hold*, in the prose above the cell of an exercise."""
    cells = read_stage(SOLUTIONS / f"{stage_of(exercise.id).name}.py").cells
    place = next(n for n, cell in enumerate(cells) if cell.kind == "answer" and cell.id == exercise.id)
    prose = next(cell.source for cell in reversed(cells[:place]) if cell.kind == "prose")
    found = MUST_HOLD.search(prose)
    return SENTENCE.split(" ".join(found[1].split())) if found else []


def in_the_docstring(exercise):
    """What is raised, and when, without the kind of the error."""
    found = RAISES.search(inspect.getdoc(exercise.reference) or "")
    said = re.findall(r"\w+Error: (.+?)(?=\w+Error: |\Z)", " ".join(found[1].split())) if found else []
    return [sentence.strip() for sentence in said]


@pytest.mark.parametrize("exercise", EXERCISES, ids=ids)
def test_every_promise_is_held_by_a_property(exercise):
    declared = [promise.sentence for promise in exercise.promises]
    assert [s for s in on_the_page(exercise) + in_the_docstring(exercise) if s not in declared] == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=ids)
def test_no_promise_is_declared_that_nobody_makes(exercise):
    made = on_the_page(exercise) + in_the_docstring(exercise)
    assert [promise.sentence for promise in exercise.promises if promise.sentence not in made] == []
