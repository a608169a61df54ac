"""train_step(loss_fn, optimizer, state, batch) → (state, (loss, accuracy)), judged by the states that it returns."""

import jax
import jax.numpy as jnp
import numpy as np

import course_lib.jax.training as reference
from autograder.catalogue.checks import is_true, matches, moved, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_training.train_step_mistakes import LOOK, MISTAKES, OF_ANOTHER, SAME_KEY, SPLIT
from autograder.catalogue.training.train_step import TRAIN_STEP, training

# of torch's cases: what stays in a graph, and what a scheduler may look at
NOT_SHARED = ("old gradients", "an accuracy with a graph", "all right", "all wrong", "a loss of NaN")
DOWN, CARRIED, RETURNED = (
    "a step down the gradient",
    "the optimiser's state is carried on",
    "loss and accuracy of the parameters that came in",
)
KEYS, COUNTED, JIT = "every step has a key of its own", "steps are counted", "it works under jit, and looks once"


def differ(*keys):
    """All of these rows are different keys."""
    rows = {tuple(row) for key in keys for row in np.atleast_2d(key)}
    return len(rows) == sum(len(np.atleast_2d(key)) for key in keys)


def by_fold_in(loss_fn, optimizer, state, batch):
    def loss_alone(params):
        return loss_fn(params, batch, jax.random.fold_in(state.key, 1))

    gradients, accuracy = jax.grad(loss_alone, has_aux=True)(state.params)
    loss, _ = loss_alone(state.params)
    updates, opt_state = optimizer.update(gradients, state.opt_state, state.params)
    params = jax.tree.map(jnp.add, state.params, updates)
    return state._replace(
        params=params, opt_state=opt_state, key=jax.random.fold_in(state.key, 2), step=1 + state.step
    ), [loss, accuracy]


JAX_TRAIN_STEP = Exercise(
    id="jax_train_step",
    title="One step of training, pure",
    reference=reference.train_step,
    answer_key_of=TRAIN_STEP,
    cases=(
        *(case for case in TRAIN_STEP.cases if case.name not in NOT_SHARED),
        Case("traced", lambda g: training(g, steps=3) | {"ask": "jit"}, same_as="one step"),
        Case("keys", lambda g: training(g, steps=4) | {"ask": "keys"}, same_as="one step"),
    ),
    criteria=(
        Criterion(
            DOWN,
            1,
            matches("one step", "weights"),
            where(
                matches("one step", "weights"), matches("clipped", "weights"), matches("clipped a little", "weights")
            ),
        ),
        Criterion(
            CARRIED,
            0.75,
            moved("one step", "three steps", "weights", text="the weights stay where they are"),
            where(matches("one step", "weights"), matches("three steps", "weights")),
            is_true("three steps", ["count"], lambda n: n == 3, "the optimiser's state is not the one it returned"),
        ),
        Criterion(RETURNED, 1, matches("one step", "losses", "accuracies")),
        Criterion(
            KEYS,
            1,
            is_true("keys", ["state_keys"], differ, "state.key stays the same"),
            is_true("keys", ["used"], differ, SAME_KEY),
            is_true("keys", ["state_keys", "used"], differ, "the key that the loss gets is also a key of the state"),
            is_true("keys", ["state_keys", "other_state_keys"], differ, OF_ANOTHER["next state"]),
            is_true("keys", ["used", "used_by_other"], differ, OF_ANOTHER["loss"]),
        ),
        Criterion(COUNTED, 0.25, is_true("three steps", ["step"], lambda n: n == 3, "state.step isn't step + 1")),
        Criterion(
            JIT,
            0.5,
            unmoved("three steps", "traced", "weights", text="under jit the weights differ"),
            is_true("three steps", ["looked"], lambda n: n < 3, "loss_fn is called more than twice in a step"),
        ),
        common_criterion(
            0.5,
            is_true("one step", ["weights"], np.size, "nothing came back"),
            is_true("one step", ["are_states"], bool, "the state that comes back isn't a TrainState"),
        ),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("three keys", {SPLIT: "jax.random.split(state.key, 3)[1:]"}),
        right("the argument named", {LOOK: LOOK.replace("has_aux=True", "argnums=0, has_aux=True")}),
        by_fold_in,
    ),
)
