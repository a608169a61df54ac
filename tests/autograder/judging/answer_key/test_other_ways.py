"""A known mistake is named beside a free choice that the reference makes differently."""

import pytest

from autograder.catalogue import find
from autograder.judging import answer_key
from autograder.judging.answer_key import other_ways
from autograder.judging.answer_key.solutions import solutions_of
from autograder.judging.judge import judge
from autograder.probes.run import collect
from autograder.stages import stage_of

BLIND = "minus infinity, and NaN made 0"  # a query that sees no key gets zeros, not a mean
MISTAKES = ("tanh of the score", "weight transposed", "added")


@pytest.fixture(autouse=True)
def enough_time(monkeypatch):
    monkeypatch.setattr(other_ways, "SECONDS", 60.0)  # what is found must not depend on the machine


def blind_and(name):
    """That right variant of `BilinearAttention`, with this mistake."""
    exercise = find("BilinearAttention")
    way = next(way for way in exercise.right_variants if getattr(way, "name", "") == BLIND)
    mistake = next(mistake for mistake in exercise.mistakes if mistake.name == name)
    (solution,) = solutions_of(exercise.reference, (way,))[1:]
    return solution.defined(mistake.edited(solution.source))


def asked_of(answer):
    exercise = find("BilinearAttention")
    known = answer_key.load(answer_key.public_file(stage_of(exercise.id).name))[exercise.id]
    return exercise, known, collect(exercise.id, answer, known["cases"])


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_in_another_right_way(name):
    assert judge(*asked_of(blind_and(name))).known_mistake == name


def test_what_is_free_alone_is_no_mistake():
    exercise, known, actual = asked_of(find("BilinearAttention").variants[BLIND])
    assert other_ways.mistake_in_another_way(exercise, known, actual) is None


def test_where_the_time_is_over_nothing_is_named(monkeypatch):
    monkeypatch.setattr(other_ways, "SECONDS", 0.0)
    assert other_ways.mistake_in_another_way(*asked_of(blind_and(MISTAKES[0]))) is None
