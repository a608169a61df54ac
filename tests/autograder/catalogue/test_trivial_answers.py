"""Nothing for nothing: a body that anybody can write earns next to nothing, in every exercise."""

import pytest

from autograder.catalogue import exercises_of
from autograder.judging import answer_key
from autograder.stages import STAGE_NAMES
from tests.mutation.trivial import MOST, shares_of_points

QUICK = (
    *("return", "return 0.0", "return []", "return argument 0", "return argument 1"),
    *("return zeros_like(first)", "return rand(())"),
)
EXERCISES = [(stage, exercise) for stage in STAGE_NAMES for exercise in exercises_of(stage)]


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=[exercise.id for _, exercise in EXERCISES])
def test_a_trivial_answer_earns_a_tenth_at_most(stage, exercise):
    shares = shares_of_points(exercise, answer_key.load(answer_key.public_file(stage))[exercise.id], QUICK)
    assert {name: share for name, share in shares.items() if share > MOST} == {}
