import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from course_lib.model.layers import LayerNorm
from course_lib.training.batches import Batches, in_order
from course_lib.training.loop import evaluate, fit
from course_lib.training.recipe import Recipe
from course_lib.training.schedule import CosineWarmupScheduler
from course_lib.training.step import train_step

RECIPE = Recipe(learning_rate=0.1, batch_size=7, max_steps=20, warmup=3, validate_every=5)


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")


def make_data(size=53):
    x = torch.randn(size, 3, generator=torch.Generator().manual_seed(0))
    return x, (x.sum(1) > 0).long()


def make_model(seed=0, dropout=0.0):
    generator_state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(3, 5), nn.Dropout(dropout), nn.ReLU(), nn.Linear(5, 2))
    torch.random.set_rng_state(generator_state)
    return model


def loss_fn(model, batch):
    x, y = batch
    logits = model(x)
    return nn.functional.cross_entropy(logits, y), (logits.argmax(-1) == y).float().mean()


def train(model, recipe=RECIPE, loss_fn=loss_fn, **options):
    x, y = make_data()
    data = Batches(x, y, batch_size=recipe.batch_size)
    return fit(model, loss_fn, data, in_order(x, y, batch_size=11), recipe, progress=False, **options)


def weights(model):
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])


def test_the_history_has_a_loss_for_every_step_and_a_validation_when_the_recipe_asks():
    history = train(make_model())
    assert len(history.losses) == len(history.accuracies) == history.step == 20
    assert [seen.step for seen in history.validations] == [5, 10, 15, 20]
    assert history.stopped == "finished"


@pytest.mark.parametrize(("limit", "steps"), [("3", 3), ("30", 20), ("", 20)])
def test_an_environment_variable_ends_every_run_early(monkeypatch, limit, steps):
    monkeypatch.setenv("COURSE_STEPS", limit)
    history = train(make_model())
    assert len(history.losses) == steps == history.validations[-1].step


@pytest.mark.parametrize("limit", ["0", "-1", "many"])
def test_a_limit_that_is_no_number_of_steps_is_refused(monkeypatch, limit):
    monkeypatch.setenv("COURSE_STEPS", limit)
    with pytest.raises(ValueError, match="COURSE_STEPS must be a whole number of steps"):
        train(make_model())


def test_the_last_step_is_validated_even_out_of_turn():
    history = train(make_model(), replace(RECIPE, max_steps=12))
    assert [seen.step for seen in history.validations] == [5, 10, 12]


def test_the_first_loss_is_that_of_the_untrained_model_on_the_first_batch():
    x, y = make_data()
    batch = next(Batches(x, y, batch_size=7).epoch(torch.Generator().manual_seed(RECIPE.seed)))
    expected = loss_fn(make_model(), batch)[0].item()
    assert train(make_model()).losses[0] == pytest.approx(expected)


def test_a_run_makes_the_very_steps_of_adam_with_warm_up_and_clipping():
    recipe = replace(RECIPE, max_steps=4, max_norm=0.05, validate_every=4)
    model, by_hand = make_model(), make_model()
    train(model, recipe)
    x, y = make_data()
    batches = Batches(x, y, batch_size=7).epoch(torch.Generator().manual_seed(recipe.seed))
    optimizer = torch.optim.Adam(by_hand.parameters(), lr=0.1)
    for step, batch in zip(range(4), batches, strict=False):
        optimizer.param_groups[0]["lr"] = 0.05 * (1 + math.cos(math.pi * step / 4)) * min(step / 3, 1)
        optimizer.zero_grad()
        loss_fn(by_hand, batch)[0].backward()
        nn.utils.clip_grad_norm_(by_hand.parameters(), 0.05)
        optimizer.step()
    torch.testing.assert_close(weights(model), weights(by_hand))


def test_a_step_and_a_schedule_of_ones_own_are_called_once_a_batch_and_learn_the_same():
    calls = []

    def own_step(*arguments):
        calls.append("step")
        return train_step(*arguments)

    class OwnSchedule(CosineWarmupScheduler):
        def get_lr(self):
            calls.append("schedule")
            return super().get_lr()

    own, courses = make_model(), make_model()
    train(own, step=own_step, scheduler=OwnSchedule)
    train(courses)
    assert calls.count("step") == RECIPE.max_steps
    assert calls.count("schedule") == RECIPE.max_steps + 1  # once when it is made
    torch.testing.assert_close(weights(own), weights(courses))


def test_the_same_seed_gives_the_same_weights_whatever_was_drawn_before():
    first, again, other = (make_model(dropout=0.3) for _ in range(3))
    train(first)
    torch.rand(5)
    train(again)
    train(other, replace(RECIPE, seed=1))
    assert torch.equal(weights(first), weights(again))
    assert not torch.equal(weights(first), weights(other))


def test_the_callers_generator_is_left_alone():
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    train(make_model(dropout=0.3))
    assert torch.equal(torch.rand(1), expected)


def test_a_run_stops_as_soon_as_the_target_is_reached():
    history = train(make_model(), replace(RECIPE, target_accuracy=0.0))
    assert history.stopped == "target reached"
    assert history.step == 5


def with_accuracy(training, validation):
    """The loss function, with made-up accuracies."""
    return lambda model, batch: (loss_fn(model, batch)[0], torch.tensor(training if model.training else validation))


def test_training_batches_at_the_target_are_a_reason_to_look_out_of_turn():
    recipe = replace(RECIPE, validate_every=100, target_accuracy=0.75)
    history = train(make_model(), recipe, loss_fn=with_accuracy(training=0.75, validation=0.875))
    assert (history.step, history.stopped) == (5, "target reached")


def test_a_look_out_of_turn_that_finds_too_little_ends_nothing():
    recipe = replace(RECIPE, validate_every=100, target_accuracy=0.75)
    history = train(make_model(), recipe, loss_fn=with_accuracy(training=1.0, validation=0.625))
    assert [seen.step for seen in history.validations] == [5, 10, 15, 20]
    assert history.stopped == "finished"


def test_there_is_no_look_out_of_turn_below_the_target_or_without_one():
    below = replace(RECIPE, validate_every=100, target_accuracy=0.75)
    for recipe, accuracy in ((below, 0.625), (replace(below, target_accuracy=None), 1.0)):
        history = train(make_model(), recipe, loss_fn=with_accuracy(training=accuracy, validation=1.0))
        assert [seen.step for seen in history.validations] == [20]


def test_a_model_is_trained_on_the_fast_path_and_left_with_its_own():
    model = nn.Sequential(nn.Linear(3, 5), LayerNorm(5), nn.Linear(5, 2))
    seen = set()

    def watching(model, batch):
        seen.add("forward" in vars(model[1]))
        return loss_fn(model, batch)

    train(model, loss_fn=watching)
    assert seen == {True}
    assert "forward" not in vars(model[1])


def test_the_model_is_left_with_its_best_weights_and_in_eval_mode():
    kept = []
    model = make_model()
    recipe = replace(RECIPE, learning_rate=1.0, max_steps=50)
    history = train(model, recipe, on_validation=lambda history: kept.append(weights(model)))
    best = [seen.step for seen in history.validations].index(history.best.step)
    assert torch.equal(weights(model), kept[best])
    assert not model.training


def test_validation_is_called_with_the_history_so_far():
    steps = []
    train(make_model(), on_validation=lambda history: steps.append(len(history.losses)))
    assert steps == [5, 10, 15, 20]


def test_interrupting_keeps_what_was_learned():
    steps = iter(range(100))

    def interrupted_loss(model, batch):
        if model.training and next(steps) == 13:
            raise KeyboardInterrupt
        return loss_fn(model, batch)

    model = make_model()
    history = train(model, loss_fn=interrupted_loss)
    assert history.stopped == "interrupted"
    assert [seen.step for seen in history.validations] == [5, 10, 13]
    assert not torch.equal(weights(model), weights(make_model()))


def test_a_loss_that_is_not_finite_names_the_step_and_what_to_try():
    steps = iter(range(100))

    def exploding_loss(model, batch):
        loss, accuracy = loss_fn(model, batch)
        return (loss * math.inf if model.training and next(steps) == 7 else loss), accuracy

    with pytest.raises(FloatingPointError, match="the loss is inf at step 8: try a learning rate ten times lower"):
        train(make_model(), loss_fn=exploding_loss)


def test_after_a_loss_that_is_not_finite_the_last_good_weights_are_back():
    steps, kept = iter(range(100)), []

    def exploding_loss(model, batch):
        loss, accuracy = loss_fn(model, batch)
        return (loss * math.nan if model.training and next(steps) == 7 else loss), accuracy

    model = make_model()
    with pytest.raises(FloatingPointError):
        train(model, loss_fn=exploding_loss, on_validation=lambda _: kept.append(weights(model)))
    assert torch.equal(weights(model), kept[0])


def test_evaluation_weighs_batches_by_their_size_and_leaves_the_mode_alone():
    x, y = make_data()
    model = make_model(dropout=0.3).train()
    loss, accuracy = evaluate(model, loss_fn, in_order(x, y, batch_size=13))
    assert model.training
    whole_loss, whole_accuracy = loss_fn(model.eval(), (x, y))
    assert loss == pytest.approx(whole_loss.item())
    assert accuracy == pytest.approx(whole_accuracy.item())


def test_an_accuracy_may_be_a_plain_number():
    batches = [make_data()]
    plain = evaluate(make_model(), lambda model, batch: (loss_fn(model, batch)[0], 0.25), batches)
    assert plain == (pytest.approx(evaluate(make_model(), loss_fn, batches)[0]), 0.25)


def test_evaluation_of_nothing_is_refused():
    with pytest.raises(ValueError, match="there is no batch to evaluate on"):
        evaluate(make_model(), loss_fn, [])


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_recorded_step_on_a_gpu_learns_what_plain_steps_learn(monkeypatch):
    plain, recorded = make_model(), make_model()
    train(plain)
    monkeypatch.setenv("COURSE_DEVICE", "cuda")
    train(recorded)
    torch.testing.assert_close(weights(recorded).cpu(), weights(plain), atol=1e-4, rtol=1e-3)


class Growing(Batches):
    """Batches that differ in size, as sentences do."""

    def epoch(self, generator):
        for rows in (5, 7, 5, 11):
            yield tuple(tensor[:rows] for tensor in self.tensors)

    def to(self, where):
        return Growing(*(tensor.to(where) for tensor in self.tensors), batch_size=self.batch_size)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_batches_of_another_shape_are_trained_on_beside_the_recorded_step(monkeypatch):
    plain, recorded, x_and_y = make_model(), make_model(), make_data()
    fit(plain, loss_fn, Growing(*x_and_y, batch_size=7), in_order(*x_and_y), RECIPE, progress=False)
    monkeypatch.setenv("COURSE_DEVICE", "cuda")
    fit(recorded, loss_fn, Growing(*x_and_y, batch_size=7), in_order(*x_and_y), RECIPE, progress=False)
    torch.testing.assert_close(weights(recorded).cpu(), weights(plain), atol=1e-4, rtol=1e-3)


def test_batches_of_different_sizes_are_all_trained_on():
    model, x_and_y = make_model(), make_data()
    before = weights(model).clone()
    history = fit(model, loss_fn, Growing(*x_and_y, batch_size=7), in_order(*x_and_y), RECIPE, progress=False)
    assert history.step == RECIPE.max_steps
    assert not torch.equal(weights(model), before)
