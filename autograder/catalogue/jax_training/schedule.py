"""cosine_warmup_schedule(base_lr, warmup, max_iters) → rate(step), which works on tracers."""

import jax.numpy as jnp
import numpy as np
import optax

import course_lib.jax.training as reference
from autograder.catalogue.checks import fits, is_true, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_training.schedule_mistakes import CHOICE, COSINE, MISTAKES
from autograder.catalogue.results import close
from autograder.catalogue.training.cosine_warmup import CLIMB, COSINE_WARMUP, FALL, NO_CLIMB, in_proportion

JIT, BASE = "it works under jit, vmap and scan", "the base rate is multiplied by the factor"
CHECKS = {share.name: share.checks for share in COSINE_WARMUP.criteria}


def run(ask="call"):
    return lambda g: {"rates": [0.3, 0.007], "warmup": 7, "max_iters": 29, "ask": ask}


def begins_whole(first, rates):
    return np.isclose(first, rates[0], rtol=1e-4)


def by_optax(base_lr, warmup, max_iters):
    fall = optax.cosine_decay_schedule(base_lr, max_iters)
    climb = optax.linear_schedule(0.0, 1.0, warmup) if warmup else optax.constant_schedule(1.0)
    return lambda step: jnp.float32(fall(jnp.asarray(step)) * climb(jnp.asarray(step)))


JAX_COSINE_WARMUP = Exercise(
    id="jax_cosine_warmup_schedule",
    title="A rate as a function of the step",
    reference=reference.cosine_warmup_schedule,
    answer_key_of=COSINE_WARMUP,
    cases=(*COSINE_WARMUP.cases, Case("traced", run("jit"), same_as="29 iterations")),
    criteria=(
        Criterion(CLIMB, 0.5, *CHECKS[CLIMB]),
        Criterion(
            FALL,
            0.75,
            *CHECKS[FALL],
            is_true("no warm-up", ["last"], lambda last: abs(last) < 1e-6, "without warm-up the last rate isn't 0"),
        ),
        Criterion(
            NO_CLIMB,
            0.25,
            *CHECKS[NO_CLIMB],
            fits(
                "no warm-up", ["first"], ["rates"], begins_whole, "without warm-up the first rate isn't the base rate"
            ),
        ),
        Criterion(
            BASE,
            0.25,
            *(
                fits(case, ["table"], ["rates"], in_proportion, "the rates aren't in the proportion of the base rates")
                for case in ("29 iterations", "some run")
            ),
        ),
        Criterion(
            JIT,
            0.75,
            unmoved("29 iterations", "traced", "table", text="under jit and vmap the rates differ"),
            is_true("traced", ["table", "one"], lambda table, one: close(one, table[14, 0]), "a traced step differs"),
        ),
        common_criterion(
            0.5, is_true("29 iterations", ["are_numbers"], bool, "a rate isn't a float32 array without axes")
        ),
    ),
    mistakes=MISTAKES,
    forbidden=("warmup_cosine_decay_schedule", "cosine_onecycle_schedule"),
    right_variants=(
        right("squared cosine", {COSINE: "jnp.cos(0.5 * jnp.pi * step / max_iters) ** 2"}),
        right(
            "a choice by select",
            {CHOICE: "jax.lax.select(jnp.asarray(step < warmup), step / jnp.float32(max(warmup, 1)), jnp.float32(1))"},
        ),
        by_optax,
    ),
)
