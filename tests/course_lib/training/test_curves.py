"""Curves for TensorBoard: every step and every validation once, even if a run is interrupted."""

import sys
import types

import pytest

from course_lib.extras import PackageMissing
from course_lib.training.curves import curves
from course_lib.training.history import History, Validation
from tests.course_lib.training.test_loop import RECIPE, Batches, fit, in_order, loss_fn, make_data, make_model


class Writer:
    """What `SummaryWriter` is, as far as it is used."""

    opened: list["Writer"] = []

    def __init__(self, log_dir):
        self.log_dir, self.scalars, self.is_open = log_dir, [], True
        Writer.opened.append(self)

    def add_scalar(self, name, value, step):
        self.scalars.append((name, step, value))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.is_open = False


@pytest.fixture
def writers(monkeypatch):
    """TensorBoard replaced by a list of what was written."""
    pytest.importorskip("tensorboard")
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", types.SimpleNamespace(SummaryWriter=Writer))
    Writer.opened = []
    return Writer.opened


def steps_of(writer, name):
    return [step for what, step, _ in writer.scalars if what == name]


def test_each_step_and_each_validation_is_written_once(writers, tmp_path):
    x, y = make_data()
    train = Batches(x, y, batch_size=RECIPE.batch_size)
    history = fit(make_model(), loss_fn, train, in_order(x, y), RECIPE, progress=False, log_dir=tmp_path / "run")
    [writer] = writers
    assert writer.log_dir == str(tmp_path / "run")
    assert steps_of(writer, "loss/train") == steps_of(writer, "accuracy/train") == [*range(1, 21)]
    assert steps_of(writer, "loss/validation") == [seen.step for seen in history.validations]
    assert [value for what, _, value in writer.scalars if what == "loss/train"] == history.losses
    assert not writer.is_open


def a_run_that_fails(history):
    """One step and one validation, then a loss of NaN."""
    with curves("run", history):
        history.losses.append(0.5)
        history.accuracies.append(0.25)
        history.validations.append(Validation(1, 0.75, 0.5))
        raise FloatingPointError


def test_what_was_learned_is_written_when_a_run_fails(writers):
    with pytest.raises(FloatingPointError):
        a_run_that_fails(History())
    expected = [("loss/train", 0.5), ("accuracy/train", 0.25), ("loss/validation", 0.75), ("accuracy/validation", 0.5)]
    assert writers[0].scalars == [(name, 1, value) for name, value in expected]


def test_without_a_folder_nothing_is_imported_or_written(writers):
    with curves(None, History()) as write:
        write()
    assert writers == []


def test_without_tensorboard_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr("course_lib.extras.find_spec", lambda name: None)
    with pytest.raises(PackageMissing, match=r"attention-workshop\[curves\]"), curves("run", History()):
        pass


def test_tensorboard_itself_reads_the_curves(tmp_path):
    reading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    x, y = make_data()
    train = Batches(x, y, batch_size=RECIPE.batch_size)
    history = fit(make_model(), loss_fn, train, in_order(x, y), RECIPE, progress=False, log_dir=tmp_path)
    found = reading.EventAccumulator(str(tmp_path)).Reload()
    assert [event.value for event in found.Scalars("loss/train")] == pytest.approx(history.losses)
    assert [event.step for event in found.Scalars("accuracy/validation")] == [seen.step for seen in history.validations]
