"""anomaly_loss(model, batch, *, deterministic=True, rngs=None) → (loss, accuracy), softmax over the set."""

import course_lib.jax.training as reference
from autograder.catalogue.anomaly.anomaly_loss import (
    ACCURACY,
    ANOMALY_LOSS,
    LOSS,
    NO_ORDER,
    ONE_SET,
    came,
)
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Exercise, common_criterion
from autograder.catalogue.jax_training.anomaly_loss_mistakes import MISTAKES, SQUEEZED
from autograder.catalogue.jax_training.loss_checks import more_cases, more_criteria, steady
from autograder.catalogue.of_torch import as_in

JAX_ANOMALY_LOSS = Exercise(
    id="jax_anomaly_loss",
    title="The loss of the set task, pure",
    reference=reference.anomaly_loss,
    answer_key_of=ANOMALY_LOSS,
    cases=(*ANOMALY_LOSS.cases, *more_cases(ANOMALY_LOSS)),
    criteria=steady(
        *as_in(ANOMALY_LOSS, {LOSS: 0.25, ACCURACY: 0.25, NO_ORDER: 0.25, ONE_SET: 0.125}),
        *more_criteria(0.25),
        common_criterion(0.125, came("loss", case="a batch")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("squeezed", {SQUEEZED: ".squeeze(-1)"}),
        right("reshaped", {SQUEEZED: ".reshape(sets.shape[:2])"}),
        right("argmax by function", {"logits.argmax(-1)": "jnp.argmax(logits, axis=1)"}),
        right(
            "keys drawn from those that are given",
            {
                "rngs=rngs": "rngs=None if rngs is None else nnx.Rngs(dropout=rngs.dropout())",
                "    sets, target": "    from flax import nnx\n\n    sets, target",
            },
        ),
    ),
)
