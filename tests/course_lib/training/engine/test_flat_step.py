import pytest
import torch
from torch import nn

from course_lib.training.engine.flat_parameters import flat_parameters
from course_lib.training.engine.flat_step import FlatStep
from course_lib.training.recipe import Recipe
from course_lib.training.schedule import CosineWarmupScheduler
from course_lib.training.step import train_step

STEPS = 7


def make_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))


def loss_fn(model, batch):
    x, y = batch
    first = model[0](x).to(next(model[2].parameters()).dtype)
    logits = model[2](model[1](first))
    return nn.functional.cross_entropy(logits, y), (logits.argmax(-1) == y).float().mean()


def batches():
    generator = torch.Generator().manual_seed(1)
    for _ in range(STEPS):
        x = torch.randn(11, 3, generator=generator)
        yield x, (x.sum(1) > 0).long()


def weights(model):
    return [parameter.detach() for parameter in model.parameters()]


@pytest.mark.parametrize("max_norm", [0.05, 1e6], ids=["clipped", "not clipped"])
@pytest.mark.parametrize("dtypes", [1, 2])
def test_its_steps_are_those_of_train_step(max_norm, dtypes):
    recipe = Recipe(learning_rate=0.1, batch_size=11, max_steps=STEPS, warmup=3, max_norm=max_norm, betas=(0.7, 0.95))
    model, plain = make_model(), make_model()
    if dtypes == 2:
        model[2].double(), plain[2].double()
    optimizer = torch.optim.Adam(plain.parameters(), lr=0.1, betas=(0.7, 0.95))
    scheduler = CosineWarmupScheduler(optimizer, warmup=3, max_iters=STEPS)
    with flat_parameters(model.parameters()) as flat:
        step = FlatStep(model, flat, loss_fn, recipe)
        for batch in batches():
            expected = train_step(plain, batch, loss_fn, optimizer, scheduler, max_norm)
            torch.testing.assert_close(step(batch), expected)
            torch.testing.assert_close(weights(model), weights(plain))


def test_what_it_returns_does_not_keep_the_graph():
    model = make_model()
    with flat_parameters(model.parameters()) as flat:
        step = FlatStep(model, flat, loss_fn, Recipe(learning_rate=0.1, batch_size=11, max_steps=STEPS))
        assert not any(value.requires_grad for value in step(next(batches())))


def test_an_accuracy_may_be_a_plain_number():
    model = make_model()
    with flat_parameters(model.parameters()) as flat:
        recipe = Recipe(learning_rate=0.1, batch_size=11, max_steps=STEPS)
        step = FlatStep(model, flat, lambda model, batch: (loss_fn(model, batch)[0], 0.25), recipe)
        assert step(next(batches()))[1].item() == 0.25
