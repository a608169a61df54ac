"""What an exercise forbids is on its page, so that it surprises nobody."""

import re
from pathlib import Path

import pytest

from autograder.build.stage import read_stage
from autograder.catalogue import exercises_of
from autograder.judging.ready_made import ready_made
from autograder.stages import STAGE_NAMES, stage_of

SOLUTIONS = Path(__file__).parents[3] / "solutions"
EXERCISES = [exercise for stage in STAGE_NAMES for exercise in exercises_of(stage) if exercise.forbidden]
SENTENCE = re.compile(r"(?<=[.)])\s+(?=[A-Z(`*])")
NAME = re.compile(r"`(?:\w+\.)*(\w+)`")


def not_allowed(exercise) -> set[str]:
    """The names, without their modules, of which a sentence above the exercise's cell says that they aren't allowed."""
    cells = read_stage(SOLUTIONS / f"{stage_of(exercise.id).name}.py").cells
    answer = next(n for n, cell in enumerate(cells) if cell.kind == "answer" and cell.id == exercise.id)
    prose = next(cell.source for cell in reversed(cells[:answer]) if cell.kind == "prose")
    said = (sentence for sentence in SENTENCE.split(prose) if re.search(r"(?:not|n't)\s+allowed", sentence))
    return {name for sentence in said for name in NAME.findall(sentence)}


@pytest.mark.parametrize("exercise", EXERCISES, ids=[exercise.id for exercise in EXERCISES])
def test_the_page_names_what_is_not_allowed(exercise):
    assert not_allowed(exercise) & ready_made(exercise.forbidden)


@pytest.mark.parametrize("exercise", EXERCISES, ids=[exercise.id for exercise in EXERCISES])
def test_whatever_the_page_does_not_allow_is_forbidden(exercise):
    assert not_allowed(exercise) <= ready_made(exercise.forbidden)
