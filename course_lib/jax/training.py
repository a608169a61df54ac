"""Training as a fold: a state and a batch go in, the next state comes out."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

Tree = Any
Looked = tuple[jax.Array, jax.Array]  # loss and accuracy


class TrainState(NamedTuple):
    """All that a training carries from one step to the next.

    Attributes:
        params: a tree of parameters.
        opt_state: what the optimiser keeps of the gradients so far.
        key: the PRNG key of the next step.
        step: how many steps were taken, int32.
    """

    params: Tree
    opt_state: Tree
    key: jax.Array
    step: jax.Array


def cosine_warmup_schedule(base_lr: float, warmup: int, max_iters: int) -> Callable:
    """A rate that climbs from 0 while the training warms up, and falls along half a cosine over the whole run.

    Args:
        base_lr: the rate that is multiplied by the factor.
        warmup: steps of the climb; with 0 there is none.
        max_iters: steps of the run, at whose end the rate is 0.

    Returns:
        `rate(step)`: base_lr · ½(1 + cos(π · step / max_iters)), times step / warmup for step < warmup. `step` is an
        int or a scalar integer array, also a traced one; the rate is a scalar float32 array. Not defined beyond
        max_iters.

    Source: "Attention Is All You Need", section 5.3 (the climb); Loshchilov & Hutter (2017), "SGDR", equation 5.

    >>> rate = cosine_warmup_schedule(2.0, warmup=4, max_iters=8)
    >>> [round(float(rate(step)), 3) for step in (0, 2, 4, 8)]
    [0.0, 0.854, 1.0, 0.0]
    """

    # BEGIN SOLUTION
    #: `rate` is a function inside this one. Its step may be a tracer: `jnp.cos`, not `math.cos` or `np.cos`.
    #: `jnp.where` chooses between the climb and 1; an `if` on a tracer can't. Don't divide by a warm-up of 0.
    def rate(step):
        factor = 0.5 * (1 + jnp.cos(jnp.pi * step / max_iters))
        return base_lr * factor * jnp.where(step < warmup, step / max(warmup, 1), 1.0)

    return rate
    # END SOLUTION


def reverse_loss(
    model: Callable, batch: tuple, num_classes: int = 10, *, deterministic: bool = True, rngs=None
) -> Looked:
    """How wrong a `TransformerPredictor` is about a batch of sequences, and how often it is right.

    Args:
        model: takes one-hot tokens, float32 [B, T, num_classes], and the two keywords; gives logits of that shape.
        batch: `(tokens, targets)`, both integers [B, T].
        num_classes: how many different tokens there are; static under `jax.jit`.
        deterministic, rngs: passed on to the model.

    Returns:
        `(loss, accuracy)`, two scalars: the mean cross-entropy over all B·T tokens, and the share of the tokens that
        are guessed right.
    """
    # BEGIN SOLUTION
    #: jax.nn.one_hot(tokens, num_classes) is float32; the width can't be read off the data while tracing.
    #: optax.softmax_cross_entropy_with_integer_labels takes logits and targets: one loss for each token.
    tokens, targets = batch
    logits = model(jax.nn.one_hot(tokens, num_classes), deterministic=deterministic, rngs=rngs)  # [B, T, C]
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()
    return loss, (logits.argmax(-1) == targets).mean()
    # END SOLUTION


def anomaly_loss(model: Callable, batch: tuple, *, deterministic: bool = True, rngs=None) -> Looked:
    """How wrong a `TransformerPredictor` is about the odd one out of each set, and how often it is right.

    Args:
        model: takes sets, float32 [B, S, D], add_positional_encoding and the two keywords; gives logits [B, S, 1].
        batch: `(sets, target)`: float32 [B, S, D], and integers [B], the place of the odd one.
        deterministic, rngs: passed on to the model.

    Returns:
        `(loss, accuracy)`, two scalars: the mean cross-entropy, with a softmax over the S images of a set, and the
        share of the sets whose odd one is found.
    """
    # BEGIN SOLUTION
    #: A set has no order: add_positional_encoding=False. The S images are the classes: take the last axis away.
    sets, target = batch
    logits = model(sets, add_positional_encoding=False, deterministic=deterministic, rngs=rngs)[..., 0]  # [B, S]
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, target).mean()
    return loss, (logits.argmax(-1) == target).mean()
    # END SOLUTION


def train_step(
    loss_fn: Callable, optimizer: optax.GradientTransformation, state: TrainState, batch: Tree
) -> tuple[TrainState, Looked]:
    """One step down the gradient: a pure function of the state and the batch.

    Args:
        loss_fn: `loss_fn(params, batch, key) -> (loss, accuracy)`.
        optimizer: an optax optimiser, which clips and schedules where it is made to.
        state: is not changed.
        batch: what loss_fn takes.

    Returns:
        `(state, (loss, accuracy))`: the next state, with a key of its own; and what loss_fn gave before the step.

    Use: `step = jax.jit(partial(train_step, loss_fn, optimizer))`.
    """
    # BEGIN SOLUTION
    #: Split state.key in two: one for loss_fn, one for the next state. Never pass on the old one.
    #: jax.value_and_grad(loss_fn, has_aux=True) differentiates the loss, and gives the accuracy besides.
    #: optimizer.update(gradients, opt_state, params) gives updates; optax.apply_updates adds them.
    key, used = jax.random.split(state.key)
    (loss, accuracy), gradients = jax.value_and_grad(loss_fn, has_aux=True)(state.params, batch, used)
    updates, opt_state = optimizer.update(gradients, state.opt_state, state.params)
    return TrainState(optax.apply_updates(state.params, updates), opt_state, key, state.step + 1), (loss, accuracy)
    # END SOLUTION


def train_epoch(step: Callable, state: TrainState, data: Tree, batch_size: int) -> tuple[TrainState, Tree]:
    """One pass through the data in shuffled batches, as a single scan.

    Args:
        step: `step(state, batch) -> (state, outputs)`.
        state: is not changed; its key decides the order.
        data: a tree of arrays [N, …], whose rows belong together.
        batch_size: rows in a batch; static under `jax.jit`.

    Returns:
        `(state, outputs)`: the state after N // batch_size steps, and what they gave, stacked along a new first axis.
        The rows that are left over take no part.

    Raises:
        ValueError: batch_size is not between 1 and N; the message names both.
    """
    # BEGIN SOLUTION
    #: One key for the order, another for the steps. jax.random.permutation(key, N) is the order of the rows.
    #: Drop the rest, reshape to [n, batch_size], and let jax.lax.scan run step over the rows of that.
    #: In the scan, `jax.tree.map` takes the rows of a batch from every leaf.
    rows = len(jax.tree.leaves(data)[0])
    if not 1 <= batch_size <= rows:
        raise ValueError(f"batch_size ({batch_size}) must be between 1 and the number of rows ({rows})")
    key, order_key = jax.random.split(state.key)
    order = jax.random.permutation(order_key, rows)[: rows // batch_size * batch_size]

    def one(state, chosen):
        return step(state, jax.tree.map(lambda leaf: leaf[chosen], data))

    return jax.lax.scan(one, state._replace(key=key), order.reshape(-1, batch_size))
    # END SOLUTION
