"""reverse_loss(model, batch, num_classes=10, *, deterministic=True, rngs=None) → (loss, accuracy)."""

import jax
import jax.numpy as jnp
import numpy as np

import course_lib.jax.training as reference
from autograder.catalogue.checks import is_true
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Exercise, common_criterion
from autograder.catalogue.jax_training.loss_checks import more_cases, more_criteria, steady
from autograder.catalogue.jax_training.reverse_loss_mistakes import LOSS, MISTAKES
from autograder.catalogue.of_torch import as_in
from autograder.catalogue.reverse.reverse_loss import ACCURACY, LOSS_IS, PLACES, REVERSE_LOSS, WIDTH

COMPARED = "compared with the targets of the batch"


def by_hand(model, batch, num_classes=10, *, deterministic=True, rngs=None):
    tokens, targets = batch
    logits = model(jnp.eye(num_classes)[tokens], deterministic=deterministic, rngs=rngs)
    log_p = jax.nn.log_softmax(logits)
    loss = -jnp.take_along_axis(log_p, targets[..., None], axis=-1).mean()
    return loss, jnp.mean((jnp.argmax(log_p, axis=-1) == targets).astype(jnp.float32))


JAX_REVERSE_LOSS = Exercise(
    id="jax_reverse_loss",
    title="The loss of the reverse task, pure",
    reference=reference.reverse_loss,
    answer_key_of=REVERSE_LOSS,
    cases=(*REVERSE_LOSS.cases, *more_cases(REVERSE_LOSS)),
    criteria=steady(
        *as_in(REVERSE_LOSS, {LOSS_IS: 0.5, ACCURACY: 0.5, COMPARED: 0.25, PLACES: 0.25, WIDTH: 0.25}),
        *more_criteria(0.25),
        common_criterion(0.25, is_true("a batch", ["loss"], np.size, "nothing came back")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("one-hot targets", {LOSS: "optax.softmax_cross_entropy(logits, jax.nn.one_hot(targets, num_classes))"}),
        by_hand,
        right(
            "keys drawn from those that are given",
            {
                "rngs=rngs": "rngs=None if rngs is None else nnx.Rngs(dropout=rngs.dropout())",
                "    tokens, targets": "    from flax import nnx\n\n    tokens, targets",
            },
        ),
    ),
)
