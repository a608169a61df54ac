"""anomaly_loss(model, batch, *, deterministic=True, rngs=None) → (loss, accuracy), softmax over the set."""

import course_lib.jax.training as reference
from autograder.catalogue.anomaly.anomaly_loss import ACCURACY, ANOMALY_LOSS, LOSS, NO_ORDER, ONE_SET, batch, came
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Criterion, Exercise, common_criterion
from autograder.catalogue.jax_training.anomaly_loss_mistakes import MISTAKES, SQUEEZED
from autograder.catalogue.jax_training.loss_checks import gradient, more_cases, more_criteria, steady

CHECKS = {share.name: share.checks for share in ANOMALY_LOSS.criteria}

JAX_ANOMALY_LOSS = Exercise(
    id="jax_anomaly_loss",
    title="The loss of the set task, pure",
    reference=reference.anomaly_loss,
    answer_key_of=ANOMALY_LOSS,
    cases=(*ANOMALY_LOSS.cases, *more_cases(batch)),
    criteria=steady(
        Criterion(LOSS, 0.25, *CHECKS[LOSS]),
        Criterion(ACCURACY, 0.25, *CHECKS[ACCURACY]),
        Criterion(NO_ORDER, 0.25, *CHECKS[NO_ORDER]),
        Criterion(ONE_SET, 0.125, *CHECKS[ONE_SET]),
        *more_criteria(0.25),
        gradient(0.25),
        common_criterion(0.125, came("loss", case="a batch")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("squeezed", {SQUEEZED: ".squeeze(-1)"}),
        right("reshaped", {SQUEEZED: ".reshape(sets.shape[:2])"}),
        right("argmax by function", {"logits.argmax(-1)": "jnp.argmax(logits, axis=1)"}),
    ),
    promises={
        "The loss doesn't change when the images of a set change places and the…": "positional encoding left on",
        "A batch may hold a single set.": "every axis of size 1 squeezed",
        "`deterministic` and `rngs` reach the model.": "flags not passed on",
        "The loss is finite, however sure the model is.": "logarithm of probabilities",
        "It works under `jax.jit`.": "if on the sets",
    },
)
