"""Stage 23's references, held against torch's schedule and losses, against optax by hand, and on the reverse task."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import torch
from flax import nnx

from course_lib.jax.data import ReverseDataset, digit_sets, evaluate, numpy_collate
from course_lib.jax.interop import copy_from_torch
from course_lib.jax.model import TransformerPredictor
from course_lib.jax.training import (
    TrainState,
    anomaly_loss,
    cosine_warmup_schedule,
    reverse_loss,
    train_epoch,
    train_step,
)
from course_lib.model.predictor import TransformerPredictor as InTorch
from course_lib.tasks.anomaly import anomaly_loss as anomaly_loss_of_torch
from course_lib.tasks.reverse import reverse_loss as reverse_loss_of_torch
from course_lib.training.schedule import CosineWarmupScheduler

SIZES = {"model_dim": 8, "num_heads": 2, "num_layers": 1}


def both(input_dim, num_classes):
    """A predictor of torch's, and ours with its weights."""
    torch.manual_seed(5)
    theirs = InTorch(input_dim, num_classes=num_classes, **SIZES).eval()
    ours = TransformerPredictor(input_dim, num_classes=num_classes, **SIZES, rngs=nnx.Rngs(0))
    copy_from_torch(theirs, ours)
    return theirs, ours


@pytest.mark.parametrize("warmup", [0, 7])
def test_the_schedule_is_torchs(warmup):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.3)
    scheduler = CosineWarmupScheduler(optimizer, warmup, 29)
    expected = []
    for _ in range(29):
        expected.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    found = jax.vmap(cosine_warmup_schedule(0.3, warmup, 29))(jnp.arange(29))
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_the_losses_are_torchs():
    theirs, ours = both(10, 10)
    tokens = torch.randint(10, (3, 7))
    expected = reverse_loss_of_torch(theirs, (tokens, tokens.flip(-1)))
    found = reverse_loss(ours, (jnp.array(tokens.numpy()), jnp.array(tokens.flip(-1).numpy())))
    np.testing.assert_allclose(found, [float(x.detach()) for x in expected], atol=1e-5)
    theirs, ours = both(6, 1)
    sets, target = torch.randn(5, 7, 6), torch.randint(7, (5,))
    expected = anomaly_loss_of_torch(theirs, (sets, target))
    found = anomaly_loss(ours, (jnp.array(sets.numpy()), jnp.array(target.numpy())))
    np.testing.assert_allclose(found, [float(x.detach()) for x in expected], atol=1e-5)


def test_a_step_of_adam_is_optaxs_own():
    optimizer = optax.adamw(0.1)
    params = {"w": jnp.arange(3.0)}

    def loss_fn(params, batch, key):
        return jnp.square(params["w"] - batch).sum(), jnp.float32(0.5)

    state = TrainState(params, optimizer.init(params), jax.random.key(0), jnp.int32(0))
    after, (loss, accuracy) = jax.jit(partial(train_step, loss_fn, optimizer))(state, jnp.ones(3))
    updates, _ = optimizer.update({"w": 2 * (params["w"] - 1)}, state.opt_state, params)
    np.testing.assert_allclose(after.params["w"], optax.apply_updates(params, updates)["w"], rtol=1e-6)
    assert (float(loss), float(accuracy), int(after.step)) == (2.0, 0.5, 1)


def test_an_epoch_uses_each_row_once_and_leaves_out_the_rest():
    def step(state, batch):
        return state._replace(step=state.step + 1), batch

    state = TrainState((), (), jax.random.key(0), jnp.int32(0))
    after, rows = jax.jit(partial(train_epoch, step, batch_size=4))(state, jnp.arange(11))
    assert rows.shape == (2, 4)
    assert len(set(np.asarray(rows).ravel().tolist())) == 8
    assert int(after.step) == 2


def test_a_batch_size_that_cannot_be_names_both_numbers():
    state = TrainState((), (), jax.random.key(0), jnp.int32(0))
    with pytest.raises(ValueError, match=r"batch_size \(12\).*\(11\)"):
        train_epoch(lambda state, batch: (state, batch), state, jnp.arange(11), 12)


def test_reverse_is_learned_to_999_per_mille():
    model = TransformerPredictor(10, model_dim=32, num_classes=10, num_heads=1, num_layers=1, rngs=nnx.Rngs(0))
    graph, params = nnx.split(model)
    schedule = cosine_warmup_schedule(2.5e-2, 15, 400)
    optimizer = optax.chain(optax.clip_by_global_norm(5.0), optax.adam(schedule, b1=0.7, b2=0.95))
    step = partial(train_step, lambda p, batch, key: reverse_loss(nnx.merge(graph, p), batch), optimizer)
    epoch = jax.jit(partial(train_epoch, step, batch_size=32))
    state = TrainState(params, optimizer.init(params), jax.random.key(1), jnp.int32(0))
    data = ReverseDataset(10, 16, 3200, np.random.default_rng(42)).arrays()
    state, _ = epoch(state, data)
    look = jax.jit(lambda batch: reverse_loss(nnx.merge(graph, state.params), batch)[1])
    assert evaluate(look, ReverseDataset(10, 16, 2000, np.random.default_rng(44)).arrays()) > 0.999


def test_the_mean_of_batches_weighs_a_smaller_last_one_less():
    assert evaluate(lambda batch: batch.mean(), np.arange(7.0), batch_size=3) == pytest.approx(3.0)


def test_samples_in_tuples_are_collated_part_by_part():
    dataset = ReverseDataset(10, 16, 3, np.random.default_rng(42))
    tokens, targets = numpy_collate([dataset[0], dataset[1]])
    assert (tokens == targets[:, ::-1]).all()


def test_one_image_of_a_set_is_the_odd_one():
    sets, target = digit_sets("test", 5, np.random.default_rng(0))
    assert sets.shape == (5, 10, 64)
    assert sets.dtype == np.float32
    again, _ = digit_sets("test", 5, np.random.default_rng(0))
    assert (sets == again).all()
    assert ((target >= 0) & (target < 10)).all()
