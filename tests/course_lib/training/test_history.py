import pytest
import torch

from course_lib.training.history import History, Validation


def record(history, *losses):
    for loss in losses:
        history.record(torch.tensor(loss), torch.tensor(0.25))


def test_recorded_steps_count_before_they_are_read():
    history = History()
    record(history, 3.0, 2.0)
    assert history.step == 2
    assert history.losses == []
    history.read_back()
    assert history.step == 2
    assert history.losses == [3.0, 2.0]
    assert history.accuracies == [0.25, 0.25]


def test_the_step_of_a_bad_loss_is_counted_from_the_start_of_the_run():
    history = History()
    record(history, 3.0, 2.0)
    history.read_back()
    record(history, 1.0, float("nan"), 1.0)
    with pytest.raises(FloatingPointError, match="the loss is nan at step 4:"):
        history.read_back()


def test_the_best_validation_is_the_most_accurate_and_then_the_one_of_lowest_loss():
    history = History(validations=[Validation(1, 0.1, 0.8), Validation(2, 0.4, 0.9), Validation(3, 0.3, 0.9)])
    assert history.best.step == 3


def test_a_history_without_validation_has_no_best():
    assert History().best is None
    assert History().is_validated
