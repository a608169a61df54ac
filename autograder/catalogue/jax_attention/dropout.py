"""dropout(key, x, rate, deterministic=False) → x with a random share of its entries set to 0."""

import math

import jax
import numpy as np
import torch

import course_lib.jax.attention as reference
from autograder.catalogue import exercise
from autograder.catalogue.checks import fits, is_true, moved, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.jax_attention.dropout_mistakes import (
    BY_RATE,
    BY_SHARE,
    COUNTED,
    ENTRYWISE,
    KEPT_RATE,
    MISTAKES,
    NOT_SCALED,
    OF_NORMAL,
    OTHER_DTYPE,
    SAME_KEY,
    SCALED,
    SCALED_DOWN,
    WHERE,
)
from autograder.catalogue.results import Finding

RATE, SIZE = 0.45, (40, 50)
SHARE, ENTRIES, OFF, BACK = (
    "kept entries are scaled, the others 0",
    "each entry by itself, and the key decides",
    "deterministic, rate 0 and rate 1",
    "the gradient is that of the kept entries",
)

WRONG_SCALE, WRONG_SHARE = "what is kept isn't x / (1 − rate)", "the share that is kept isn't 1 − rate"
SCALES = {1.0: NOT_SCALED, 1 - RATE: SCALED_DOWN, 1 / RATE: BY_RATE}
SHARES = {1 - RATE: None, RATE: KEPT_RATE} | dict.fromkeys((0.326, 0.674, 0.709, 0.291), OF_NORMAL)  # beyond ±RATE, …


def entries(g, seed=7, rate=RATE, **settings):
    """x [40, 50], all of it between 1 and 2."""
    return {"seed": seed, "x": 1 + torch.rand(SIZE, generator=g), "rate": rate} | settings


def scaled_or_zero(results):
    """None, or by what else all of what is kept is multiplied."""
    output, x = results.output("dropped", "output"), results.given("dropped", "x")
    if output.shape != x.shape or not (kept := output != 0).any():
        return Finding(WRONG_SCALE, "dropped")
    factors = output[kept] / x[kept]
    known = ((1 / (1 - RATE), None), (1 / kept.mean(), BY_SHARE), *SCALES.items())
    found = (text for factor, text in known if np.allclose(factors, factor, rtol=2e-3))
    text = next(found, WRONG_SCALE)
    return Finding(text, "dropped") if text else None


def all_zeros(output, x):
    return output.shape == x.shape and not output.any()


def share_kept(results):
    """None, or which other share is kept."""
    share = np.mean([(results.output(case, "output") != 0).mean() for case in ("dropped", "another key")])
    found = (text for known, text in SHARES.items() if abs(share - known) < 0.03)
    text = next(found, WRONG_SHARE)
    return Finding(text, "dropped") if text else None


def not_counted(results):
    """None, or that two keys keep the same number of entries, to the entry what the rate says."""
    kept = {int((results.output(case, "output") != 0).sum()) for case in ("dropped", "another key")}
    exact = round((1 - RATE) * math.prod(SIZE))
    return Finding(COUNTED, "another key") if kept == {exact} else None


def some_drop(output):
    return 0.05 < (output != 0).mean() < 0.95


def entrywise(output):
    kept = output != 0
    return all((kept.mean(axis) > 0).all() and (kept.mean(axis) < 1).all() for axis in (0, 1))


DROPS = is_true("dropped", ["output"], some_drop, "nothing is dropped, or everything")


def by_uniform(key, x, rate, deterministic=False):
    if deterministic or rate == 0.0:
        return x
    keep = jax.random.uniform(key, x.shape) >= rate
    return x * keep / max(1 - rate, 1e-9)


JAX_DROPOUT = Exercise(
    id="jax_dropout",
    title="Dropout with a key",
    reference=reference.dropout,
    cases=(
        Case("dropped", entries),
        Case("dropped again", entries, same_as="dropped"),
        Case("another key", lambda g: entries(g, seed=11), same_as="dropped"),
        Case("traced", lambda g: entries(g, ask="jit"), same_as="dropped"),
        Case("three keys at once", lambda g: entries(g, ask="ensemble"), same_as="dropped"),
        Case("gradient", lambda g: entries(g, ask="gradient"), same_as="dropped"),
        Case(
            "deterministic",
            lambda g: entries(g, seed=None, rate=1.0, deterministic=True, ask="gradient"),
            same_as="dropped",
        ),
        Case("deterministic, and a key", lambda g: entries(g, deterministic=True), same_as="dropped"),
        Case("rate 0", lambda g: entries(g, rate=0.0, ask="gradient"), same_as="dropped"),
        Case("bfloat16", lambda g: entries(g, ask="bfloat16"), same_as="dropped"),
        Case("rate 1", lambda g: entries(g, rate=1.0, ask="gradient"), same_as="dropped"),
    ),
    criteria=(
        Criterion(
            SHARE,
            1,
            DROPS,
            scaled_or_zero,
            share_kept,
        ),
        Criterion(
            ENTRIES,
            0.75,
            DROPS,
            is_true("dropped", ["output"], entrywise, ENTRYWISE),
            not_counted,
            unmoved("dropped", "dropped again", text=SAME_KEY),
            moved("dropped", "another key", text="another key drops the same entries"),
        ),
        Criterion(
            OFF,
            0.5,
            DROPS,
            fits("deterministic", ["output"], ["x"], np.array_equal, "deterministic=True changes x"),
            fits(
                "deterministic, and a key", ["output"], ["x"], np.array_equal, "deterministic=True with a key changes x"
            ),
            fits("rate 0", ["output"], ["x"], np.array_equal, "a rate of 0 changes x"),
            fits("rate 1", ["output"], ["x"], all_zeros, "a rate of 1 doesn't give zeros of the shape of x"),
            is_true("rate 1", ["gradient"], lambda g: np.isfinite(g).all(), "at rate 1 the gradient isn't finite"),
        ),
        Criterion(
            BACK,
            0.25,
            DROPS,
            fits(
                "gradient",
                ["output", "gradient"],
                ["x"],
                lambda o, g, x: np.allclose(g, o / x, rtol=2e-3, atol=1e-5),
                "the gradient isn't 1 / (1 − rate) where an entry is kept and 0 elsewhere",
            ),
            *(
                where(
                    fits(case, ["output"], ["x"], np.array_equal, "x is changed"),
                    is_true(case, ["gradient"], lambda g: (g == 1).all(), "where nothing drops, the gradient isn't 1"),
                )
                for case in ("deterministic", "rate 0")
            ),
        ),
        Criterion(
            "it works under jit and vmap",
            0.25,
            DROPS,
            unmoved("dropped", "traced", text="under jit the same key drops other entries"),
            is_true(
                "three keys at once",
                ["output"],
                lambda o: o.shape == (3, *SIZE) and some_drop(o),
                "vmap over three keys doesn't give three results",
            ),
        ),
        exercise.common_criterion(0.25, where(DROPS, is_true("bfloat16", ["kept"], bool, OTHER_DTYPE))),
    ),
    mistakes=MISTAKES,
    forbidden=("Dropout",),
    right_variants=(
        right("a product", {WHERE: "kept * (x / (1 - rate))"}),
        right("scaled afterwards", {SCALED: "x, 0) * (1 / (1 - rate)"}),
        by_uniform,
    ),
)
