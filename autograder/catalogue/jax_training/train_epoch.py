"""train_epoch(step, state, data, batch_size) → (state, outputs): one scan over shuffled batches."""

import jax
import numpy as np
import torch

import course_lib.jax.training as reference
from autograder.catalogue.checks import fits, is_true, moved, raises, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_training.train_epoch_mistakes import (
    ALL_REFUSED,
    BACKWARDS,
    COPIES,
    EXCHANGED,
    IN_ORDER,
    LEAVES_APART,
    MISTAKES,
    NEIGHBOURS,
    NOT_COUNTED_ON,
    OLD_KEY,
    OLD_ORDER_KEY,
    ONE_REFUSED,
    OTHER_AXES,
    SAME_KEY,
    SCAN,
    TOGETHER,
    WHOLE,
)
from autograder.catalogue.results import Finding
from autograder.probes.jax.jax_training import BEGUN

N, BATCH = 23, 4
ONCE, ALIKE, ORDER = (
    "every row at most once, in batches",
    "all leaves are shuffled alike",
    "the key decides the order, and is used once",
)
STATE, SCANNED, REFUSED, JIT = (
    "the state goes from step to step",
    "the step is traced once, not per batch",
    "a batch_size that cannot be is refused",
    "it works under jit",
)
NOT_ONE_TRACE = "the step is traced for every batch"


def rows(g, **settings):
    """Rows that are all different, none of them 0 or a place."""
    return {"rows": 2 * torch.arange(N) + 7 + torch.rand(N, generator=g), "batch_size": BATCH} | settings


def refused(batch_size):
    return lambda g: rows(g, batch_size=batch_size)


def once(found, given):
    drawn = np.sort(found.ravel())
    return found.shape == (N // BATCH, BATCH) and len(set(drawn)) == drawn.size and np.isin(drawn, given).all()


def all_rows(found, given):
    return sorted(found.ravel()) == sorted(given)


def in_order(found):
    return (np.diff(found.ravel()) > 0).all()


def shuffled(found, given):
    order = np.searchsorted(given, found.ravel())
    return (np.abs(np.diff(order)) != 1).mean() > 0.5


def meets_others(results):
    """Whether another key makes batches of other rows, and not only another order of the same batches."""
    drawn = [results.output(case, "rows") for case in ("an epoch", "another key")]
    batches = [{frozenset(rows) for rows in batch} for batch in drawn]
    whole = all((np.diff(batch, axis=1) > 0).all() for batch in drawn)
    return Finding(WHOLE if whole else TOGETHER, "another key", "rows") if batches[0] == batches[1] else None


def accepts(case, text):
    """A batch_size at the edge isn't refused."""

    def check(results):
        error = results.actual.get(case, {}).get("error", {})
        refused = error.get("type") == "ValueError" and error.get("line", "raise ").startswith("raise ")
        return Finding(text, case) if refused else None

    return check


def leaves_out_the_same(results):
    """Whether three different orders, of two keys and two epochs, leave out the same rows."""
    drawn = [set(results.output(case, "rows").ravel()) for case in ("an epoch", "another key", "the second epoch")]
    return Finding("the same rows are left out each time") if drawn[0] == drawn[1] == drawn[2] else None


def exchanged(found):
    return found.shape == (BATCH, N // BATCH)


def whole_rows(found, doubled):
    return doubled.shape == (*found.shape, 3)


def together(found, doubled, numbers, given):
    of_rows = np.searchsorted(given, found - 1e-3)
    return np.allclose(doubled, 2 * found[..., None] * np.ones(3)) and np.array_equal(
        numbers, of_rows[..., None] + [0, 100]
    )


def by_slices(step, state, data, batch_size):
    leaves = jax.tree.leaves(data)
    if batch_size < 1 or batch_size > len(leaves[0]):
        raise ValueError(f"{batch_size} of {len(leaves[0])} rows")
    steps = len(leaves[0]) // batch_size
    key, shuffle = jax.random.split(state.key)
    order = jax.random.permutation(shuffle, len(leaves[0]))

    def one(state, number):
        chosen = jax.lax.dynamic_slice(order, (number * batch_size,), (batch_size,))
        return step(state, jax.tree.map(lambda leaf: leaf[chosen], data))

    return jax.lax.scan(one, state._replace(key=key), jax.numpy.arange(steps))


JAX_TRAIN_EPOCH = Exercise(
    id="jax_train_epoch",
    title="An epoch as one scan",
    reference=reference.train_epoch,
    cases=(
        Case("an epoch", rows),
        Case("again", rows, same_as="an epoch"),
        Case("another key", lambda g: rows(g, seed=6), same_as="an epoch"),
        Case("the second epoch", lambda g: rows(g, epochs=2), same_as="an epoch"),
        Case("traced", lambda g: rows(g, ask="jit"), same_as="an epoch"),
        Case("batches of 0", refused(0)),
        Case("batches of 24", refused(N + 1)),
        Case("one batch of all", refused(N)),
        Case("batches of one", refused(1)),
    ),
    criteria=(
        Criterion(
            ONCE,
            0.75,
            is_true("an epoch", ["rows"], lambda found: not exchanged(found), EXCHANGED),
            fits(
                "an epoch",
                ["rows"],
                ["rows"],
                once,
                "the batches are not [N // batch_size, batch_size] rows, each once",
            ),
            accepts("one batch of all", ALL_REFUSED),
            accepts("batches of one", ONE_REFUSED),
            fits("one batch of all", ["rows"], ["rows"], all_rows, "a batch of all N rows isn't all rows"),
            fits("batches of one", ["rows"], ["rows"], all_rows, "batches of one row don't visit all rows"),
        ),
        Criterion(
            ALIKE,
            0.5,
            is_true("an epoch", ["rows", "twice"], whole_rows, OTHER_AXES),
            fits("an epoch", ["rows", "twice", "numbers"], ["rows"], together, LEAVES_APART),
        ),
        Criterion(
            ORDER,
            1,
            is_true("an epoch", ["rows"], lambda found: not in_order(found), IN_ORDER),
            unmoved("an epoch", "again", "rows", text="the same key gives another order"),
            moved("an epoch", "another key", "rows", text="another key gives the same order"),
            moved("an epoch", "the second epoch", "rows", text="the second epoch has the order of the first"),
            meets_others,
            fits("an epoch", ["rows"], ["rows"], shuffled, NEIGHBOURS),
            leaves_out_the_same,
            is_true("an epoch", ["end_key"], bool, "the key of the state stays the same"),
            is_true("an epoch", ["fresh_key"], bool, OLD_KEY),
            is_true("an epoch", ["own_keys"], bool, SAME_KEY),
            is_true("an epoch", ["other_order"], bool, "the key that shuffled is passed to the steps"),
            is_true("an epoch", ["new_order_key"], bool, OLD_ORDER_KEY),
        ),
        Criterion(
            STATE,
            0.5,
            is_true("an epoch", ["step"], lambda n: n == BEGUN + N // BATCH, NOT_COUNTED_ON),
            is_true("an epoch", ["order_of_steps"], lambda numbers: (np.diff(numbers) > 0).all(), BACKWARDS),
            is_true(
                "an epoch",
                ["params", "rows"],
                lambda p, r: np.isclose(p, r.sum(), rtol=1e-4),
                "a state was lost on the way",
            ),
        ),
        Criterion(
            SCANNED,
            0.5,
            is_true("an epoch", ["traces"], lambda n: n <= 3, NOT_ONE_TRACE),
            is_true("an epoch", ["copies"], lambda n: n <= 2, COPIES),
        ),
        Criterion(
            REFUSED,
            0.25,
            raises("batches of 0", "ValueError", "0", "23"),
            raises("batches of 24", "ValueError", "24", "23"),
        ),
        Criterion(JIT, 0.25, unmoved("an epoch", "traced", "rows", text="under jit the rows differ")),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "leaves shuffled first",
            {
                SCAN: "jax.lax.scan(step, state._replace(key=key), "
                "jax.tree.map(lambda leaf: leaf[order].reshape(-1, batch_size, *leaf.shape[1:]), data))"
            },
        ),
        right("by take", {"leaf[chosen]": "jnp.take(leaf, chosen, axis=0)"}),
        by_slices,
    ),
)
