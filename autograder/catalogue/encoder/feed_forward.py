"""FeedForward(dim, hidden_dim, dropout=0.0): Linear, Dropout, ReLU, Linear."""

import numpy as np
import torch
from torch import nn

import course_lib.model.layers as reference
from autograder.catalogue.checks import finite, fits, is_true, matches, moved, unmoved, where
from autograder.catalogue.encoder.feed_forward_mistakes import MISTAKES
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.weights import drawn, linear

DIM, HIDDEN = 5, 11
PARAMETERS = ("0.weight", "0.bias", "3.weight", "3.bias")


def layer(g, dropout=None, **settings):
    """A layer with known weights, and x [B, T, DIM]; called twice when it is not trained."""
    return {
        "arguments": {"dim": DIM, "hidden_dim": HIDDEN} | ({} if dropout is None else {"dropout": dropout}),
        "weights": drawn(g, linear("0", DIM, HIDDEN) | linear("3", HIDDEN, DIM)),
        "x": torch.randn(2, 3, DIM, generator=g),
        "ask": "output" if settings.get("training") else "twice",
    } | settings


def loud(g):
    """Hidden features far larger than 1."""
    inputs = layer(g)
    return inputs | {"x": 20 * inputs["x"]}


def one_token(g):
    inputs = layer(g)
    return inputs | {"x": inputs["x"][1, 2]}


def kept_or_dropped(g):
    """Every hidden feature is 1 before dropout, and each output shows one of them."""
    inputs = layer(g, 0.25, training=True, x=torch.zeros(3, 23, DIM), ask="twice")
    weights = {name: torch.zeros_like(value) for name, value in inputs["weights"].items()}
    weights["0.bias"] += 1
    weights["3.weight"] += torch.eye(DIM, HIDDEN)
    return inputs | {"weights": weights}


def a_quarter_dropped(output):
    dropped, kept = abs(output) < 1e-6, abs(output - 1 / 0.75) < 1e-4
    return (dropped | kept).all() and 0.12 < dropped.mean() < 0.38  # five standard deviations of 335 draws


def each_on_its_own(output, second):
    """What is dropped differs between samples, tokens and hidden features, and from call to call."""
    return all(np.ptp(output, axis).any() for axis in range(output.ndim)) and not np.array_equal(output, second)


class Named(nn.Module):
    """Modules under the names "0" and "3"; dropout after the ReLU, which is the same."""

    def __init__(self, dim: int, hidden_dim: int, dropout: float = 0.0, activation=torch.relu):
        super().__init__()
        self.add_module("0", nn.Linear(dim, hidden_dim))
        self.add_module("3", nn.Linear(hidden_dim, dim))
        self.rate, self.activation = dropout, activation

    def forward(self, inputs):
        hidden = self.activation(getattr(self, "0")(inputs))
        return getattr(self, "3")(nn.functional.dropout(hidden, self.rate, training=self.training))


FEED_FORWARD = Exercise(
    id="FeedForward",
    title="The feed-forward network",
    reference=reference.FeedForward,
    cases=(
        Case("parameters", lambda g: layer(g, ask="parameters")),
        Case("values", layer),
        Case("loud", loud),
        Case("one token alone", one_token, same_as="values"),
        Case("eval, dropout 0.5", lambda g: layer(g, 0.5), same_as="values"),
        Case("training, dropout 1", lambda g: layer(g, 1.0, training=True), same_as="values"),
        Case("training, no dropout given", lambda g: layer(g, training=True), same_as="values"),
        Case("training, dropout 0.25", kept_or_dropped),
        Case("gradients", lambda g: layer(g, ask="gradients")),
    ),
    criteria=(
        Criterion("parameters of the contract", 0.5, matches("parameters")),
        Criterion(
            "values",
            0.75,
            matches("values"),
            matches("loud"),
            unmoved(
                "values",
                "one token alone",
                "output",
                at=lambda o: o[1, 2],
                at_other=lambda o: o,
                text="a token alone gives different numbers than inside a batch",
            ),
        ),
        Criterion(
            "dropout of hidden features, in training",
            0.5,
            moved("eval, dropout 0.5", "training, dropout 1", "output", text="dropout=1 changes nothing in training"),
            unmoved(
                "values",
                "training, no dropout given",
                "output",
                text="without a dropout given, training and eval mode differ",
            ),
            where(matches("values"), matches("training, dropout 1")),
            where(
                matches("values"),
                is_true(
                    "training, dropout 0.25",
                    ["output"],
                    a_quarter_dropped,
                    "with dropout=0.25 the hidden features are not 0 in a quarter of the cases and 1/0.75 times "
                    "themselves in the others",
                ),
                is_true(
                    "training, dropout 0.25",
                    ["output", "second"],
                    each_on_its_own,
                    "dropout does not decide separately for every sample, token and hidden feature in every call",
                ),
            ),
        ),
        Criterion(
            "no dropout in eval",
            0.5,
            fits(
                "eval, dropout 0.5",
                ["output", "second"],
                ["x"],
                lambda first, second, x: np.array_equal(first, second) and np.ptp(first) > 1e-3,
                "two calls in eval mode give different outputs",
            ),
            unmoved("values", "eval, dropout 0.5", "output", text="dropout changes the output in eval mode"),
        ),
        common_criterion(0.5, finite("values", text="there is nothing to look at")),
        Criterion(
            "gradients reach every parameter",
            0.25,
            gradients_reach("gradients", PARAMETERS),
            where(matches("values"), gradients_whole("gradients", PARAMETERS), matches("gradients", "of_x")),
        ),
    ),
    mistakes=MISTAKES,
    right_variants=(Named,),
)
