"""How many epochs are made where the steps are limited; the steps themselves are tried with `fit`."""

import pytest

from course_lib.training.shortened import epochs_to_make


@pytest.mark.parametrize(("limit", "epochs"), [("", 6), ("1", 1), ("64", 1), ("65", 2), ("1000", 6)])
def test_an_epoch_is_made_whole(limit, epochs, monkeypatch):
    monkeypatch.setenv("COURSE_STEPS", limit)
    assert epochs_to_make(6, steps=64) == epochs
