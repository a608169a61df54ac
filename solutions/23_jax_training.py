# ---
# jupyter:
#   course:
#     points: 20
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 23 · Training as a fold
#
# A training loop changes things: weights, the optimiser's averages, a counter, a generator of random numbers. In JAX nothing can
# be changed, so training is a **fold**: a function takes the state and a batch and returns the next state, and you apply it to one batch
# after another. In this stage you write that function and what it needs, train the predictor of stage 22 on
# two tasks, and run a whole epoch as one compiled program.
#
# | exercise | what it is | points |
# |---|---|---|
# | `jax_cosine_warmup_schedule` | the rate as a function of the step | 3 |
# | `jax_reverse_loss` | what the reverse task asks for | 3 |
# | `jax_anomaly_loss` | what the set task asks for | 2 |
# | `jax_train_step` | one step, from state to state | 5 |
# | `jax_train_epoch` | an epoch as one scan | 4 |
# | a question in words | what a scan can't do | 3 |
#
# It needs stage 22, and jax, flax, optax and scikit-learn: `pip install 'attention-workshop[jax]'`. In Colab they are already
# there. Plan for two and a half hours; the two training runs together take about a minute.

# %% locked=true
import time
from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from autograder import check
from course_lib import needs_your
from course_lib.jax.data import ReverseDataset, digit_sets, evaluate
from course_lib.jax.model import TransformerPredictor
from course_lib.jax.training import Looked, TrainState, Tree
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import jax_track as pictures
from course_lib.training.shortened import epochs_to_make

key = jax.random.key(0)  # the same random numbers each time

# %% [markdown]
# **Your own parts.** The trainings below run *your* predictor, as far as `my_transformer/jax/` has it; `use_mine(False)` switches to the
# course's.

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 23.1 A rate that is a function
#
# In PyTorch a scheduler holds a counter and writes into the optimiser. Here the counter is part of the optimiser's state, and a
# schedule is a function from the step to the rate, which optax calls inside the compiled step. So the step is a
# **tracer**: it has no value yet.

# %% [markdown]
# ### Exercise: `jax_cosine_warmup_schedule` (3 points, 15 minutes)
#
# **What.** Write a function named `cosine_warmup_schedule` that returns a function: `rate(step)` is
# $\text{base} \cdot \tfrac12\bigl(1 + \cos(\pi\,\text{step}/\text{max\_iters})\bigr)$, times step/warmup while step < warmup.
# The `warmup_cosine_decay_schedule` of optax isn't allowed here; it also computes different numbers. You may combine simpler ones.
#
# **Shapes.** `step` is an int or a scalar integer array; the rate is a scalar float32 array.
#
# **Must hold.** With a warm-up, the rate is 0 at step 0. At step `max_iters` it's 0 again. Without a warm-up (`warmup` 0) the rate doesn't
# climb. It works on tracers, under `jax.jit` and `jax.vmap`.
# <!-- Broken by: the climb begins at 1 / warmup; a lowest rate; divided by a warm-up of 0; if on the step -->
#
# **Used for.** Both trainings below. (optax has a schedule of nearly this name, but its cosine starts after the climb. The published
# version of this
# one calls `np.cos` and `if`, which fail as soon as it's compiled.)
#
# <details><summary>Hint</summary><code>jnp.where(step &lt; warmup, …, 1.0)</code> chooses between two arrays.</details>

# %% exercise="jax_cosine_warmup_schedule"
from course_lib.jax.training import cosine_warmup_schedule

# %%
check("jax_cosine_warmup_schedule", cosine_warmup_schedule)

# %% tags=["picture"]
with needs_your("cosine_warmup_schedule"):
    pictures.schedule(jax.vmap(cosine_warmup_schedule(1.0, warmup=40, max_iters=200))(jnp.arange(201)))

# %% [markdown]
# ## 23.2 Two losses
#
# Both losses get a model and a batch, and pass on what a model of stage 22 has to be told: whether it trains, and with which
# keys.

# %% [markdown]
# ### Exercise: `jax_reverse_loss` (3 points, 15 minutes)
#
# **What.** Return the mean cross-entropy over all tokens and the share of tokens predicted correctly, from a function named `reverse_loss`.
#
# **Shapes.** batch: tokens and targets, integers [B, T]. The model takes one-hot vectors [B, T, num_classes].
#
# **Must hold.** It works for any number of categories. `deterministic` and `rngs` reach the model. The loss is finite, however sure the
# model is. It works under `jax.jit`.
# <!-- Broken by: always ten categories; flags not passed on; logarithm of probabilities; width from the data -->
#
# **Used for.** The first training.
#
# <details><summary>Hint</summary><code>optax.softmax_cross_entropy_with_integer_labels(logits, targets)</code> gives one loss per
# token.</details>

# %% exercise="jax_reverse_loss"
from course_lib.jax.training import reverse_loss

# %%
check("jax_reverse_loss", reverse_loss)

# %% [markdown]
# ### Exercise: `jax_anomaly_loss` (2 points, 10 minutes)
#
# **What.** Do the same for sets, in a function named `anomaly_loss`: which of the S images is the odd one?
#
# **Shapes.** batch: sets [B, S, D] and targets [B]. The model gives [B, S, 1]; the S images of a set are the classes.
#
# **Must hold.** The loss doesn't change when the images of a set change places and the targets with them. A batch may hold a single set.
# `deterministic` and `rngs` reach the model. The loss is finite, however sure the model is. It works under `jax.jit`.
# <!-- Broken by: positional encoding left on; every axis of size 1 squeezed; flags not passed on; logarithm of
# probabilities; if on the sets -->
#
# **Used for.** The second training.
#
# <details><summary>Hint 1: a set</summary>A set has no order: <code>add_positional_encoding=False</code>.</details>
# <details><summary>Hint 2: the last axis</summary>The model returns [B, S, 1]: <code>[..., 0]</code> drops the last axis, and
# the S images are the classes.</details>

# %% exercise="jax_anomaly_loss"
from course_lib.jax.training import anomaly_loss

# %%
check("jax_anomaly_loss", anomaly_loss)

# %% [markdown]
# ## 23.3 One step
#
# Everything that training carries along is in a `TrainState`: `params`, `opt_state`, `key` and `step`. A step returns a new one. Its key
# deserves
# care: the loss needs one for dropout, the next state needs one, and neither may be a key that was used before.

# %% [markdown]
# ### Exercise: `jax_train_step` (5 points, 25 minutes)
#
# **What.** Take one step down the gradient, in a function named `train_step(loss_fn, optimizer, state, batch)`; `loss_fn(params, batch,
# key)` returns the loss and the accuracy.
#
# **Shapes.** It returns the next state, a `TrainState`, and the pair (loss, accuracy). A TrainState is a NamedTuple: build one with
# `TrainState(params, opt_state, key, step)`, or with `state._replace(…)`.
#
# **Must hold.** The optimiser gets its own state back in the next step. The key that `loss_fn` gets comes from state.key, but isn't a
# key of a state, old or new, and differs from step to step. The loss and the accuracy are those before the step. It works under `jax.jit`.
# <!-- Broken by: opt_state not renewed; state.key passed to the loss | the loss's key from the step
# alone; measured after the step; if on the loss -->
#
# **Used for.** Everything below.
#
# <details><summary>Hint 1: the gradient</summary><code>jax.value_and_grad(loss_fn, has_aux=True)</code> gives the loss, the accuracy
# besides, and the gradient for the first argument.</details>
# <details><summary>Hint 2: the optimiser</summary><code>optimizer.update(gradients, opt_state, params)</code> returns updates and
# its next state; <code>optax.apply_updates</code> adds the updates.</details>
# <details><summary>Hint 3: the keys</summary><code>key, used = jax.random.split(state.key)</code>: one for the next state, one
# for loss_fn.</details>

# %% exercise="jax_train_step"
from course_lib.jax.training import train_step

# %%
check("jax_train_step", train_step)

# %% [markdown]
# Here is the task: the model of stage 22, your loss, and an optimiser that clips, counts, and asks your schedule.


# %%
def start(model, base_lr, warmup, max_iters, loss):
    """The step for a model and a loss, the first state, and a way to put parameters back into the model."""
    graph, params = nnx.split(model)
    optimizer = optax.chain(
        optax.clip_by_global_norm(5.0),
        optax.adam(cosine_warmup_schedule(base_lr, warmup, max_iters), b1=0.7, b2=0.95),
    )

    def loss_fn(params, batch, key):
        return loss(nnx.merge(graph, params), batch, deterministic=False, rngs=nnx.Rngs(dropout=key))

    state = TrainState(params, optimizer.init(params), jax.random.key(1), jnp.int32(0))
    return partial(train_step, loss_fn, optimizer), state, partial(nnx.merge, graph)


def reverser():
    return TransformerPredictor(10, model_dim=32, num_classes=10, num_heads=1, num_layers=1, rngs=nnx.Rngs(0))


sequences = ReverseDataset(10, 16, 50_000, np.random.default_rng(42)).arrays()

# %% tags=["picture"]


@guess_first(
    "How long does the first call of the compiled step take, compared with the second?",
    ["about as long", "ten times as long", "a hundred times as long, or more"],
    needs=("cosine_warmup_schedule", "reverse_loss", "train_step"),
)
def compile_and_run():
    step, state, _ = start(reverser(), 2.5e-2, 15, 400, reverse_loss)
    step, batch = jax.jit(step), jax.tree.map(lambda leaf: leaf[:32], sequences)
    for which in ("first", "second"):
        began = time.perf_counter()
        jax.block_until_ready(step(state, batch))
        print(f"{which} call: {1000 * (time.perf_counter() - began):.1f} ms")


# %% [markdown]
# The first call traces and compiles; the second only runs. `block_until_ready` matters here: JAX returns before the numbers are there. And
# because a state is never used again once there's a next one, its memory can be reused for the next, with `donate_argnums`:

# %% tags=["picture"]
with needs_your("cosine_warmup_schedule", "reverse_loss", "train_step"):
    step, state, _ = start(reverser(), 2.5e-2, 15, 400, reverse_loss)
    old = jax.tree.leaves(state.params)[0]
    jax.block_until_ready(jax.jit(step, donate_argnums=0)(state, jax.tree.map(lambda leaf: leaf[:32], sequences)))
    print("the old parameters are gone:", old.is_deleted())

# %% [markdown]
# ## 23.4 An epoch as one program
#
# A Python loop over compiled steps returns to Python after each of them. `jax.lax.scan` runs the loop inside the program: the state is
# what it carries, the batches are what it runs over, and the step is compiled once, however many batches there are.

# %% [markdown]
# ### Exercise: `jax_train_epoch` (4 points, 25 minutes)
#
# **What.** Shuffle the rows, cut them into batches, and scan over them, in a function named `train_epoch(step, state, data, batch_size)`.
#
# **Shapes.** `data` is a tree of arrays [N, …]; the outputs of the steps are stacked, [N // batch_size, …]. Rows that are left over are
# dropped.
#
# **Must hold.** Every row is used at most once, and the leaves keep together. The key that comes in is split first, and the steps
# never see the part that shuffled. The state counts on. The outputs come in the order of the steps. `step` is traced once, and the program
# contains it once, however many batches there are. It works under `jax.jit`.
# <!-- Broken by: drawn with replacement | each leaf shuffled by itself; key not renewed | shuffled with the key that came in;
# steps counted from 0; the last batch first; a loop over the batches | a loop over a jitted step; if
# on the step; an error without the numbers -->
#
# **Used for.** Both trainings.
#
# <details><summary>Hint 1: the order</summary><code>jax.random.permutation(key, N)</code>, cut to n · batch_size and reshaped to [n,
# batch_size],
# is what the scan runs over.</details>
# <details><summary>Hint 2: the scan</summary><code>jax.lax.scan(one, state, batches)</code>, where <code>one(state,
# chosen)</code> returns what step returns.</details>

# %% exercise="jax_train_epoch"
from course_lib.jax.training import train_epoch

# %%
check("jax_train_epoch", train_epoch)

# %% [markdown]
# ## 23.5 Reverse
#
# A scan can't stop early, so we scan over ten steps, look, and continue. The compiled program is the same for every chunk.

# %% tags=["picture"]
with needs_your("cosine_warmup_schedule", "reverse_loss", "train_step", "train_epoch"):
    began = time.perf_counter()
    step, state, model_of = start(reverser(), 2.5e-2, 15, 400, reverse_loss)
    ten_steps = jax.jit(partial(train_epoch, step, batch_size=32))
    curve = []
    for chunk in range(epochs_to_make(40, steps=10)):
        rows = jax.tree.map(lambda leaf, at=320 * chunk: leaf[at : at + 320], sequences)
        state, (losses, accuracies) = ten_steps(state, rows)
        curve.extend(np.asarray(losses))
        if accuracies[-3:].mean() > 0.9995:
            break
    test_split = ReverseDataset(10, 16, 10_000, np.random.default_rng(44)).arrays()
    look = jax.jit(lambda batch: reverse_loss(model_of(state.params), batch)[1])
    print(f"{len(curve)} steps in {time.perf_counter() - began:.1f} s, compilation included")
    print(f"tokens of the test split that are right: {100 * evaluate(look, test_split):.2f} %")
    one_hot = jax.nn.one_hot(test_split[0][:1], 10)
    pictures.trained_to_reverse(curve, model_of(state.params).get_attention_maps(one_hot)[0][0, 0])

# %% [markdown]
# ## 23.6 The odd one out, with dropout
#
# The second task: of ten digits, nine show the same number. This training uses dropout, so keys matter. Next to it runs one in which every
# step gets the same key, so the same entries are dropped in all steps. What do you expect?

# %% tags=["picture"]
with needs_your("cosine_warmup_schedule", "anomaly_loss", "train_step", "train_epoch"):
    drawn = np.random.default_rng(0)
    sets, test_sets = digit_sets("train", 4096, drawn), digit_sets("test", 1000, drawn)
    sizes = {"model_dim": 64, "num_classes": 1, "num_heads": 4, "num_layers": 1}
    model = TransformerPredictor(64, **sizes, dropout=0.2, rngs=nnx.Rngs(0))
    step, first, model_of = start(model, 5e-3, 20, 384, anomaly_loss)
    look = jax.jit(lambda params, batch: anomaly_loss(model_of(params), batch)[1])

    def with_one_key(state, batch):
        return step(state._replace(key=jax.random.key(7)), batch)

    def share_found(step):
        """The share of the test sets whose odd one is found after six epochs."""
        epoch, state = jax.jit(partial(train_epoch, step, batch_size=64)), first
        for number in range(epochs_to_make(6, steps=64)):
            state, _ = epoch(state._replace(key=jax.random.key(number)), sets)
        return evaluate(partial(look, state.params), test_sets)

    for name, kind in (("a key for each step", step), ("one key for all steps", with_one_key)):
        began = time.perf_counter()
        print(f"{name}: {100 * share_found(kind):.1f} % of the test sets", end=", ")
        print(f"{time.perf_counter() - began:.0f} s")

# %% [markdown]
# Guessing would find 10 %. The second run learns nearly as well: with one fixed mask it trains a smaller network, and gets none of
# the benefit of dropout. No error tells you that a key was used twice, and the numbers hardly do; that's why the check of
# `train_step` looks at the keys themselves.

# %% [markdown]
# ## 23.7 In your own words
#
# ### Question: what a scan can't do (3 points, 10 minutes)
#
# <!-- variant: without-python -->
# Your epoch is one `scan`. What can no longer happen between two steps, and how would you stop early? And what do you gain?
# Four or five sentences. A person will grade this answer.
# <!-- variant: a-loop-rewritten -->
# A colleague's Python loop calls a compiled step 1,000 times. Every ten steps it prints the loss, and it stops as soon as the loss is below
# 0.01. He wants one `scan` instead. Which of these things can't stay as they are, and why? How can he still stop early? And what does he
# gain, although the step was compiled before? Four or five sentences. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="what_a_scan_cannot_do" points=3
# BEGIN SOLUTION
# <!-- variant: without-python -->
# Between two steps of a scan no Python runs: no print of a value, no plot, no file, no `if` on the loss, no batch from disk. The number of
# steps is fixed when the scan is compiled, and a scan can't be left early.
# To stop early, scan over a few steps, look at the results in Python, and decide whether to continue; or carry a flag in the state and
# let `jnp.where` or `jax.lax.cond` keep the state as it is once the flag is set (`jax.lax.while_loop` stops by a condition on arrays).
# In exchange the whole loop is one program: compiled once, without going back to Python after each step, and free to reuse memory.
#
# Rubric:
#
# - 1 point: no Python between two steps (no printing, no decision by a value, no loading)
# - 1 point: a way to stop: chunks of steps, a flag in the state, or while_loop
# - 1 point: the gain: one compilation of the step, no overhead of Python per step
# <!-- variant: a-loop-rewritten -->
# Neither the print nor the `if` can stay: between two steps of a scan no Python runs, and inside it the loss is a tracer
# without a value. The losses come back stacked, after the last step. The number of steps is fixed when the scan is compiled,
# and a scan can't be left early.
# To stop early, he can scan over ten steps, look at the losses in Python, and decide whether to continue, which also gives him
# his print; or carry a flag in the state and let `jnp.where` or `jax.lax.cond` keep the state as it is once the flag is set
# (`jax.lax.while_loop` stops by a condition on arrays).
# In exchange the whole loop is one program: it doesn't go back to Python after each step, and it's free to reuse memory.
#
# Rubric:
#
# - 1 point: no Python between two steps, so neither the print nor a decision by the loss; the losses come at the end
# - 1 point: a way to stop: chunks of steps, a flag in the state, or while_loop
# - 1 point: the gain: no way back to Python after each step
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have a training loop without a single side effect: a state goes in, a state comes out, and the same key always gives the same run.
# With it you have the encoder of stages 1 to 4, and the training and tasks of stages 6 to 8, in JAX.
