"""What is looked for in both scored attentions: the score alone tells them apart."""

from collections.abc import Callable

import numpy as np
import torch

from autograder.catalogue.checks import (
    finite,
    fits,
    forgets,
    is_true,
    matches,
    moved,
    same_alone,
    same_in_training,
    shaped_as_expected,
    unmoved,
    where,
)
from autograder.catalogue.exercise import Case, Criterion, common_criterion
from autograder.catalogue.gradients import gradients_flow
from autograder.catalogue.origins.scored_mistakes import OVERFLOWS, SEES_NOTHING, SHINES_THROUGH
from autograder.catalogue.weights import Sizes, drawn

B, S = 3, 7
QUERY, KEY = 5, 11  # widths
HIDDEN, VISIBLE = 2, 0  # keys: seen by nobody, by everybody
BLIND = 1  # the sample that sees nothing

PARAMETERS, WEIGHTS, CONTEXT = "parameters of the contract", "scores and weights", "the context averages the keys"
HIDES, KINDS, NO_NAN = "mask is respected", "masks of 0 and 1", "a query that sees no key gets finite numbers"
OF_NUMBERS = "integers", "floats"


def attend(
    g, arguments: dict, sizes: Sizes, mask=None, moved=None, blind=None, sample=None, far=None, width=KEY, **settings
):
    """query [3, 5], keys [3, 7, 11]; with a mask of a dtype, a key moved, one sample blind or alone, another width."""
    arguments = arguments | {"key_dim": width}
    sizes = {name: tuple(width if size == KEY else size for size in shape) for name, shape in sizes.items()}
    inputs = {"query": torch.randn(B, QUERY, generator=g), "keys": torch.randn(B, S, width, generator=g)}
    weights = drawn(g, sizes)
    visible = torch.rand(B, S, generator=g) < 0.6
    visible[:, VISIBLE], visible[:, HIDDEN] = True, False
    other = 2 * torch.randn(B, width, generator=g)
    if far:
        other = far(inputs, weights)
    if moved is not None:
        inputs["keys"][:, moved] = other
    if blind is not None:
        visible[blind] = False
    if mask is not None:
        inputs["mask"] = visible.to(mask)
    if sample is not None:
        inputs = {name: tensor[sample : sample + 1] for name, tensor in inputs.items()}
    return {"arguments": arguments, "weights": weights} | inputs | settings


def cases(arguments: dict, sizes: Sizes, far: Callable) -> tuple[Case, ...]:
    """`far(inputs, weights, sign)` changes both so that all scores are far below 0, or above, and a little apart.

    It returns a key for each query whose score is on the other side.
    """

    def case(name, like=None, **how):
        return Case(name, lambda g: attend(g, arguments, sizes, **how), same_as=like)

    def below(inputs, weights):
        return far(inputs, weights, -1)

    return (
        case("parameters", ask="parameters"),
        case("no mask"),
        case("one sample of it", like="no mask", sample=1),
        case("keys as wide as queries", width=QUERY),
        case("in training", like="no mask", ask="training"),
        case("after another call", like="no mask", ask="afterwards"),
        case("masked", mask=torch.bool),
        case("masked, after another call", like="masked", mask=torch.bool, ask="afterwards"),
        case("hidden key moved", like="masked", mask=torch.bool, moved=HIDDEN),
        case("visible key moved", like="masked", mask=torch.bool, moved=VISIBLE),
        case("mask of integers", like="masked", mask=torch.int64),
        case("mask of floats", like="masked", mask=torch.float32),
        case("scores far above 0", far=lambda inputs, weights: far(inputs, weights, 1)),
        case("scores far below 0", mask=torch.bool, far=below),
        case(
            "scores far below 0, hidden key moved", like="scores far below 0", mask=torch.bool, far=below, moved=HIDDEN
        ),
        case("a sample that sees nothing", like="masked", mask=torch.bool, blind=BLIND),
        case("gradients", ask="gradients"),
        case("gradients under a mask", like="masked", mask=torch.bool, ask="gradients"),
    )


def others(array):
    return np.delete(array, BLIND, axis=0)


def averages(context, attention, keys):
    """The context is the mean of the keys with these weights."""
    return context.shape == (B, KEY) and np.allclose(context, np.einsum("bs,bsk->bk", attention, keys), atol=1e-4)


def hidden_have_no_weight(attention, mask):
    return attention.shape == mask.shape and np.abs(attention[~mask]).max() < 1e-6


def sums_to_one(attention):
    return attention.shape == (B, S) and attention.min() >= 0 and np.abs(attention.sum(-1) - 1).max() < 1e-4


HIDDEN_FAR_BELOW = fits(
    "scores far below 0", ["attention"], ["mask"], hidden_have_no_weight, "a hidden key has a weight"
)


def criteria(sizes: Sizes, fit, scores, context, hides, kinds, no_nan, reach, rest) -> tuple[Criterion, ...]:
    """The eight criteria, and what each is worth."""
    return (
        Criterion(PARAMETERS, fit, matches("parameters")),
        Criterion(
            WEIGHTS,
            scores,
            matches("no mask", "attention"),
            same_alone("no mask", "one sample of it", 1, "attention"),
            where(matches("no mask", "attention"), matches("keys as wide as queries", "attention")),
            same_in_training("no mask"),
            finite("scores far above 0", text=OVERFLOWS),
            is_true("scores far above 0", ["attention"], sums_to_one, "large scores give weights that do not sum to 1"),
            where(matches("no mask", "attention"), matches("scores far above 0", "attention")),
            where(matches("masked", "attention"), where(HIDDEN_FAR_BELOW, matches("scores far below 0", "attention"))),
        ),
        Criterion(
            CONTEXT,
            context,
            shaped_as_expected("no mask"),
            fits("no mask", ["context", "attention"], ["keys"], averages, "the context is not the weighted mean"),
            shaped_as_expected("one sample of it", "context"),
        ),
        Criterion(
            HIDES,
            hides,
            unmoved("masked", "hidden key moved", text="changing a hidden key changes something"),
            moved("masked", "visible key moved", text="changing a visible key leaves the output unchanged"),
            shaped_as_expected("masked", "attention"),
            fits("masked", ["attention"], ["mask"], hidden_have_no_weight, "a hidden key has a weight"),
            where(
                matches("no mask", "attention"),
                is_true("masked", ["attention"], sums_to_one, "under a mask the weights do not sum to 1"),
                matches("masked", "attention"),
            ),
            where(matches("no mask"), matches("masked")),
            unmoved("scores far below 0", "scores far below 0, hidden key moved", text=SHINES_THROUGH),
        ),
        Criterion(
            KINDS,
            kinds,
            *(
                unmoved("masked", f"mask of {k}", text=f"the same mask as {k} gives different values")
                for k in OF_NUMBERS
            ),
            *(moved("no mask", f"mask of {k}", text=f"a mask of {k} changes nothing") for k in OF_NUMBERS),
        ),
        Criterion(
            NO_NAN,
            no_nan,
            finite("a sample that sees nothing", text=SEES_NOTHING),
            unmoved(
                "masked", "a sample that sees nothing", at=others, text="a blind sample changes what the others get"
            ),
        ),
        gradients_flow(reach, sizes, ("query", "keys"), matches("no mask"), matches("masked")),
        common_criterion(
            rest,
            forgets("no mask"),
            where(finite("masked", text="no finite numbers"), forgets("masked", "masked, after another call")),
        ),
    )
