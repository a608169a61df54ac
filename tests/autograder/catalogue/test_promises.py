"""A sentence on a page is a promise: a note below it names the known mistakes that break it, and nothing else does.

The promises are the sentences under *Must hold*, and what the docstring of the exercise says under *Raises*. The note
is a comment in the stage's source, `Broken by: a | b; c`: two mistakes break the first promise, one the second.
"""

import inspect
import re
from functools import cache
from pathlib import Path

import jupytext
import pytest

from autograder.build.stage import read_stage
from autograder.catalogue import exercises_of
from autograder.judging import answer_key
from autograder.stages import STAGE_NAMES

SOLUTIONS = Path(__file__).parents[3] / "solutions"
EXERCISES = [(stage, exercise) for stage in STAGE_NAMES for exercise in exercises_of(stage)]
ids = [exercise.id for _, exercise in EXERCISES]
MUST_HOLD = re.compile(r"\*\*Must hold\.\*\* (.+?)(?=<!--|\n\n|\Z)", re.DOTALL)
NOTE = re.compile(r"<!-- Broken by: (.*?)\s-->", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.)])\s+(?=[A-Z(`])")
RAISES = re.compile(r"^ *Raises:\n(.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


@cache
def prose_of(stage):
    """Exercise → the prose above its cell, as authored."""
    found, above = {}, ""
    for cell in jupytext.read(SOLUTIONS / f"{stage}.py", fmt="py:percent").cells:
        if cell.cell_type == "markdown":
            above = cell.source
        elif "exercise" in cell.metadata:
            found[cell.metadata["exercise"]] = above
    return found


def promises(stage, exercise):
    """What the page and the docstring of an exercise promise, sentence by sentence."""
    page = MUST_HOLD.search(prose_of(stage)[exercise.id])
    raises = RAISES.search(inspect.getdoc(exercise.reference) or "")
    said = re.findall(r"\w+Error: (.+?)(?=\w+Error: |\Z)", " ".join(raises[1].split())) if raises else []
    return (SENTENCE.split(" ".join(page[1].split())) if page else []) + [sentence.strip() for sentence in said]


def noted(stage, exercise):
    """The names of the known mistakes that break each promise."""
    notes = NOTE.findall(prose_of(stage)[exercise.id])
    return [broken.split(" | ") for note in notes for broken in " ".join(note.split()).split("; ")]


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_promise_is_broken_by_mistakes_that_lose_one_criterion_only(stage, exercise):
    loses = answer_key.load(answer_key.public_file(stage))[exercise.id]["loses"]
    broken = noted(stage, exercise)
    assert len(broken) == len(promises(stage, exercise))
    assert {name: len(loses.get(name, ())) for names in broken for name in names if len(loses.get(name, ())) != 1} == {}


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_no_note_is_on_the_page(stage):
    assert not [cell for cell in read_stage(SOLUTIONS / f"{stage}.py").cells if "Broken by" in cell.source]
