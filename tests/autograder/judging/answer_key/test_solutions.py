"""A correct solution under an edit runs within limits."""

import pytest
import torch

from autograder.judging.answer_key import solutions
from autograder.judging.answer_key.solutions import limited
from course_lib.model.encoder import TransformerEncoder


def test_a_library_that_is_asked_for_too_much_is_stopped(monkeypatch):
    monkeypatch.setattr(solutions, "SECONDS", 0)
    with pytest.raises(TimeoutError), limited():
        TransformerEncoder(num_layers=1000, input_dim=6, num_heads=3, dim_feedforward=11)


def test_outside_the_limits_nothing_is_stopped(monkeypatch):
    monkeypatch.setattr(solutions, "SECONDS", 0)
    with limited():
        torch.ones(1)
    assert len(TransformerEncoder(num_layers=9, input_dim=6, num_heads=3, dim_feedforward=11).layers) == 9
