"""What both losses of stage 23 promise besides the numbers of torch's."""

import numpy as np

from autograder.catalogue.checks import Check, is_true, matches, moved, unmoved, where
from autograder.catalogue.common_jax_mistakes import GUESSED
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.results import Finding, Results, close
from autograder.catalogue.reverse.reverse_loss import FINITE_WHEN_SURE, SURE

JIT, TOLD = "it works under jit", "`deterministic` and `rngs` reach the model"
OTHER_PASS = "the accuracy is that of a call that isn't told to train"


def same_loss(other: str, text: str) -> Check:
    """The loss of a batch is the same in another case, NaN included: that is wrong for another reason."""

    def check(results: Results) -> Finding | None:
        before, after = (results.output(case, "loss") for case in ("a batch", other))
        same = before.shape == after.shape and np.allclose(before, after, rtol=1e-4, atol=1e-5, equal_nan=True)
        return None if same else Finding(text, other, "loss", before, after)

    return check


STEADY = same_loss("the same batch", "the same batch gives different losses")


def accuracy_told(results: Results) -> Finding | None:
    """None, or that the accuracy isn't that of the model that the loss is told to train."""
    accuracy, expected = (get("told to train", "accuracy") for get in (results.output, results.expected_output))
    return None if close(accuracy, expected) else Finding(OTHER_PASS, "told to train", "accuracy", expected, accuracy)


def more_cases(in_torch: Exercise) -> tuple[Case, ...]:
    """A traced call, one that trains on a batch of which most is right, and one with keys that doesn't train."""
    draws = {case.name: case.draw for case in in_torch.cases}
    batch, mostly_right = draws["a batch"], draws["mostly right"]
    return (
        Case("the same batch", batch, same_as="a batch"),
        Case("traced", lambda g: batch(g) | {"ask": "jit"}, same_as="a batch"),
        Case("told to train", lambda g: mostly_right(g) | {"ask": "told"}, same_as="mostly right"),
        Case("keys, and nobody trains", lambda g: batch(g) | {"ask": "keys alone"}, same_as="a batch"),
    )


def more_criteria(points: float) -> tuple[Criterion, ...]:
    """The criteria that these cases show, and that a gradient reaches the model."""
    reaches = is_true("training", ["gradient"], lambda g: abs(g).max() > 1e-6, "no gradient reaches the model")
    told = moved("mostly right", "told to train", "loss", text="the model isn't told to train")
    silent = unmoved("a batch", "keys, and nobody trains", "loss", text=GUESSED)
    told_right = where(matches("mostly right", "loss"), matches("told to train", "loss"))
    one_pass = where(matches("mostly right", "accuracy"), accuracy_told)
    return (
        Criterion(TOLD, points, told, told_right, one_pass, silent),
        Criterion(SURE, points, FINITE_WHEN_SURE, where(matches("a batch", "loss"), matches("sure", "loss"))),
        Criterion(JIT, points, same_loss("traced", "under jit the loss differs")),
        Criterion("a gradient reaches the model", points, reaches),
    )


def steady(*criteria: Criterion) -> tuple[Criterion, ...]:
    """The same criteria, none of which a loss that is drawn at random can meet."""
    return tuple(Criterion(one.name, one.points, *one.checks, STEADY) for one in criteria)
