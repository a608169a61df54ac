"""A hidden answer key is the same wherever it is drawn; where a framework starts threads, in a process of its own."""

from dataclasses import replace

import pytest

from autograder.judging.answer_key import draw, same
from autograder.stages import TRACKS

STAGE, SEED = "03_positions", 5


@pytest.fixture(scope="module")
def key():
    return draw.drawn(STAGE, SEED)


def test_in_a_process_of_its_own_the_same_key_is_drawn_whatever_lies_around(key, monkeypatch, tmp_path):
    (tmp_path / "random.py").write_text("raise SystemExit('a module of the current directory was imported')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(TRACKS, "torch", replace(TRACKS["torch"], threads=True))
    monkeypatch.setattr(draw, "fair_answer_key_of", None)  # here nothing is drawn
    assert same(draw.drawn(STAGE, SEED), key)


def test_another_seed_draws_another_key(key):
    assert not same(draw.drawn(STAGE, SEED + 1), key)
