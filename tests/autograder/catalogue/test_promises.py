"""A sentence on a page is a promise: each is declared, with a mistake that breaks it, and nothing else is."""

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


def means(start, sentence):
    """A promise is given whole, or by its beginning and an ellipsis."""
    return sentence.startswith(start[:-1]) if start.endswith("…") else sentence == start


@pytest.mark.parametrize("exercise", EXERCISES, ids=ids)
def test_every_sentence_has_a_promise(exercise):
    made = on_the_page(exercise) + in_the_docstring(exercise)
    assert [sentence for sentence in made if not any(means(start, sentence) for start in exercise.promises)] == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=ids)
def test_every_promise_is_one_sentence(exercise):
    made = {*on_the_page(exercise), *in_the_docstring(exercise)}
    said = {start: sum(means(start, sentence) for sentence in made) for start in exercise.promises}
    assert said == dict.fromkeys(exercise.promises, 1)
