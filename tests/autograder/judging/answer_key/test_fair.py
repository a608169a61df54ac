"""Numbers with which a right answer loses points, or a wrong one none, are not those of a course."""

import pytest
import torch

from autograder.catalogue import find
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.edits import mistake
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.judging.answer_key import same
from autograder.judging.answer_key.compute import answer_key_of
from autograder.judging.answer_key.fair import fair_answer_key_of, is_fair

SEEDS = range(40)


def right(logits):
    return torch.softmax(logits, -1)


def clamped(logits):
    """Wrong, but only where a logit is negative."""
    return torch.softmax(logits.clamp(min=0), -1)


def exercise(*checks, ways_wrong=(), right_variants=()):
    return Exercise(
        id="softmax",
        title="A softmax",
        reference=right,
        cases=(Case("values", lambda g: {"logits": torch.randn(3, generator=g)}),),
        criteria=(Criterion("values", 1, matches("values"), *checks),),
        mistakes=tuple(mistake("clamped", way).because("It clamps.", "Why?") for way in ways_wrong),
        right_variants=right_variants,
    )


FIRST_IS_LARGER = is_true("values", ["weights"], lambda weights: weights[0] > weights[1], "unlucky")
UNFAIR = {
    "the reference loses points": exercise(FIRST_IS_LARGER),
    "another right way loses points": exercise(right_variants=(clamped,)),
    "a known mistake loses none": exercise(ways_wrong=(clamped,)),
}


@pytest.mark.parametrize("sometimes", UNFAIR.values(), ids=UNFAIR)
def test_an_unfair_seed_is_passed_over_and_a_fair_one_is_kept(sometimes):
    fair = [is_fair(sometimes, answer_key_of((sometimes,), seed)["softmax"]) for seed in SEEDS]
    assert {True, False} == set(fair)
    for seed in range(fair.index(True, fair.index(False)) + 1):
        chosen = seed + fair[seed:].index(True)
        taken = fair_answer_key_of((sometimes,), seed)["softmax"]["cases"]["values"]["tensors"]["logits"]
        expected = answer_key_of((sometimes,), chosen)["softmax"]["cases"]["values"]["tensors"]["logits"]
        assert (taken == expected).all()


def test_an_exercise_that_is_always_unfair_is_an_error():
    never = exercise(is_true("values", ["weights"], lambda weights: False, "never"))
    with pytest.raises(RuntimeError, match="softmax: none of 100 seeds tells"):
        fair_answer_key_of((never,), 0)


def test_the_hidden_answers_of_a_course_are_fair_ones_of_its_seed(copy_of_course, tmp_path):
    course = copy_of_course(tmp_path / "course")
    seed = int((course.private / "seed").read_text(), 16)
    expected = fair_answer_key_of((find("softmax"),), seed)
    assert same({"softmax": course.answer_key("01_attention")["softmax"]}, expected)
