"""A hidden answer key is drawn in processes of its own, and is the same wherever it is drawn."""

import os
import signal

import pytest

from autograder.catalogue import exercises_of
from autograder.errors import CourseError
from autograder.judging.answer_key import draw, same
from autograder.judging.answer_key.fair import fair_answer_key_of

STAGE, SEED = "03_positions", 5


@pytest.fixture(scope="module")
def key():
    return draw.drawn(STAGE, SEED)


def no_processes(*_, **__):
    raise OSError("no semaphores here")


def test_it_is_the_key_that_one_process_draws(key):
    assert same(key, fair_answer_key_of(exercises_of(STAGE), SEED))


def test_another_seed_draws_another_key(key):
    assert not same(draw.drawn(STAGE, SEED + 1), key)


def test_nothing_is_computed_here(monkeypatch):
    monkeypatch.setattr(draw, "fair_answer_key_of", lambda exercises, _: {exercises[0].id: os.getpid()})
    drawn = draw.drawn("04_encoder", SEED)
    assert list(drawn) == [exercise.id for exercise in exercises_of("04_encoder")]
    assert os.getpid() not in drawn.values()


def test_where_no_pool_of_processes_can_be_it_is_drawn_here(monkeypatch):
    monkeypatch.setattr(draw, "ProcessPoolExecutor", no_processes)
    monkeypatch.setattr(draw, "fair_answer_key_of", lambda exercises, _: {one.id: os.getpid() for one in exercises})
    assert draw.drawn(STAGE, SEED) == {exercise.id: os.getpid() for exercise in exercises_of(STAGE)}


def test_a_killed_process_is_one_sentence(monkeypatch):
    monkeypatch.setattr(draw, "fair_answer_key_of", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(CourseError, match="^The hidden answers of 03_positions could not be drawn: a process was kill"):
        draw.drawn(STAGE, SEED)
