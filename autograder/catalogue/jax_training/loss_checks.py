"""What both losses of stage 23 promise besides the numbers of torch's."""

import numpy as np

from autograder.catalogue.checks import is_true, matches, moved, unmoved, where
from autograder.catalogue.common_jax_mistakes import GUESSED
from autograder.catalogue.exercise import Case, Criterion
from autograder.catalogue.results import Finding, Results, close
from autograder.catalogue.reverse.reverse_loss import FINITE_WHEN_SURE, SURE

JIT, TOLD = "it works under jit", "`deterministic` and `rngs` reach the model"
OTHER_PASS = "the accuracy is that of a call that isn't told to train"


def steady_loss(results: Results) -> Finding | None:
    """None, or that a loss is drawn at random; NaN is no draw."""
    before, after = (results.output(case, "loss") for case in ("a batch", "the same batch"))
    same = before.shape == after.shape and np.allclose(before, after, rtol=1e-4, equal_nan=True)
    return None if same else Finding("the same batch gives different losses", "the same batch", "loss", before, after)


def accuracy_told(results: Results) -> Finding | None:
    """None, or that the accuracy isn't that of the model that the loss is told to train."""
    accuracy, expected = (get("told to train", "accuracy") for get in (results.output, results.expected_output))
    return None if close(accuracy, expected) else Finding(OTHER_PASS, "told to train", "accuracy", expected, accuracy)


def more_cases(batch) -> tuple[Case, ...]:
    """A traced call, one that trains, and one with keys that doesn't."""
    return (
        Case("the same batch", batch, same_as="a batch"),
        Case("traced", lambda g: batch(g) | {"ask": "jit"}, same_as="a batch"),
        Case("told to train", lambda g: batch(g) | {"ask": "told"}, same_as="a batch"),
        Case("keys, and nobody trains", lambda g: batch(g) | {"ask": "keys alone"}, same_as="a batch"),
    )


def more_criteria(points: float) -> tuple[Criterion, ...]:
    """The criteria that these cases show, and that a gradient reaches the model."""
    reaches = is_true("training", ["gradient"], lambda g: abs(g).max() > 1e-6, "no gradient reaches the model")
    told = moved("a batch", "told to train", "loss", text="the model isn't told to train")
    silent = unmoved("a batch", "keys, and nobody trains", "loss", text=GUESSED)
    right = matches("a batch", "loss")
    of_one_pass = where(matches("a batch", "accuracy"), accuracy_told)
    return (
        Criterion(TOLD, points, told, where(right, matches("told to train", "loss"), of_one_pass), silent),
        Criterion(SURE, points, FINITE_WHEN_SURE, where(right, matches("sure", "loss"))),
        Criterion(JIT, points, unmoved("a batch", "traced", "loss", text="under jit the loss differs")),
        Criterion("a gradient reaches the model", points, reaches),
    )


def steady(*criteria: Criterion) -> tuple[Criterion, ...]:
    """The same criteria, none of which a loss that is drawn at random can meet."""
    return tuple(Criterion(one.name, one.points, *one.checks, steady_loss) for one in criteria)
