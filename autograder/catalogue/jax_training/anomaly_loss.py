"""anomaly_loss(model, batch, *, deterministic=True, rngs=None) → (loss, accuracy), softmax over the set."""

import course_lib.jax.training as reference
from autograder.catalogue.anomaly.anomaly_loss import ACCURACY, ANOMALY_LOSS, LOSS, NO_ORDER, ONE_SET, batch, came
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Criterion, Exercise, Promise, common_criterion
from autograder.catalogue.jax_training.anomaly_loss_mistakes import MISTAKES, SQUEEZED
from autograder.catalogue.jax_training.loss_checks import JIT, SHARP, TOLD, gradient, more_cases, more_criteria

CHECKS = {share.name: share.checks for share in ANOMALY_LOSS.criteria}

JAX_ANOMALY_LOSS = Exercise(
    id="jax_anomaly_loss",
    title="The loss of the set task, pure",
    reference=reference.anomaly_loss,
    answer_key_of=ANOMALY_LOSS,
    cases=(*ANOMALY_LOSS.cases, *more_cases(batch)),
    criteria=(
        Criterion(LOSS, 0.25, *CHECKS[LOSS]),
        Criterion(ACCURACY, 0.25, *CHECKS[ACCURACY]),
        Criterion(NO_ORDER, 0.25, *CHECKS[NO_ORDER]),
        Criterion(ONE_SET, 0.125, *CHECKS[ONE_SET]),
        *more_criteria(0.25),
        gradient(0.25),
        common_criterion(0.125, came("loss", case="a batch")),
    ),
    mistakes=MISTAKES,
    hints=(
        "`model(sets, add_positional_encoding=False, …)` gives [B, S, 1]: one logit for each image.",
        "The S images of a set are the classes: take the last axis away with `[..., 0]`.",
    ),
    right_variants=(
        right("squeezed", {SQUEEZED: ".squeeze(-1)"}),
        right("reshaped", {SQUEEZED: ".reshape(sets.shape[:2])"}),
        right("argmax by function", {"logits.argmax(-1)": "jnp.argmax(logits, axis=1)"}),
    ),
    promises=(
        Promise(
            "The loss doesn't change when the images of a set change places and the targets with them.",
            NO_ORDER,
            "positional encoding left on",
        ),
        Promise("A batch may hold a single set.", ONE_SET, "every axis of size 1 squeezed"),
        Promise("`deterministic` and `rngs` reach the model.", TOLD, "flags not passed on"),
        Promise("The loss is finite, however sure the model is.", SHARP, "logarithm of probabilities"),
        Promise("It works under `jax.jit`.", JIT, "if on the sets"),
    ),
)
