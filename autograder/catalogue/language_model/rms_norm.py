"""RMSNorm(dim, eps=1e-5), by hand."""

import torch

import course_lib.model.rms_norm as reference
from autograder.catalogue.checks import finite, is_true, matches, moved, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.rms_norm_mistakes import BACK, MEAN_SQUARE, MISTAKES, OVER_ROOT, WIDE
from autograder.catalogue.language_model.shared import gradients

DIM = 5


def layer(g, *shape, eps=None, **settings):
    """A layer with a known weight, and x of this shape, with a mean that is far from 0."""
    return {
        "arguments": {"dim": DIM} | ({} if eps is None else {"eps": eps}),
        "weights": {"weight": 1 + 0.3 * torch.randn(DIM, generator=g)},
        "x": 1.5 + torch.randn(*shape, DIM, generator=g),
    } | settings


def times(factor, g, **settings):
    """Larger or smaller tokens."""
    inputs = layer(g, 2, 3, **settings)
    return inputs | {"x": factor * inputs["x"]}


def zeros(g):
    inputs = layer(g, 2, 3)
    inputs["x"][1] = 0.0
    return inputs


def one_token(g):
    inputs = layer(g, 2, 3)
    return inputs | {"x": inputs["x"][1, 2]}


def another_token(g):
    inputs = layer(g, 2, 3)
    inputs["x"][1, 2] = torch.randn(DIM, generator=g)
    return inputs


VALUES_HOLD = matches("values")
HALF, EPS, VALUES = "finite and right in half precision", "eps, under the root", "values, each token independently"

RMS_NORM = Exercise(
    id="RMSNorm",
    title="Root mean square normalisation",
    reference=reference.RMSNorm,
    cases=(
        Case("parameters", lambda g: layer(g, 2, 3, ask="parameters")),
        Case("start", lambda g: {"arguments": {"dim": 7}, "ask": "start"}),
        Case("values", lambda g: layer(g, 2, 3)),
        Case("values again", lambda g: layer(g, 2, 3), same_as="values"),
        Case("four axes", lambda g: layer(g, 2, 3, 7)),
        Case("one token alone", one_token, same_as="values"),
        Case("another last token", another_token, same_as="values"),
        Case("faint", lambda g: times(1e-3, g)),
        Case("eps = 0.3", lambda g: layer(g, 2, 3, eps=0.3), same_as="values"),
        Case("a sample of zeros", zeros),
        Case("float16", lambda g: times(300.0, g, ask="half"), tolerance=3e-3),
        Case("float16, with a float32 weight", lambda g: times(300.0, g, ask="mixed"), tolerance=3e-3),
        Case("gradients", lambda g: layer(g, 2, 3, ask="gradients")),
    ),
    criteria=(
        Criterion("one weight, ones at the start", 0.25, matches("parameters"), matches("start")),
        Criterion(
            VALUES,
            0.75,
            VALUES_HOLD,
            matches("four axes"),
            unmoved(
                "values",
                "one token alone",
                at=lambda o: o[1, 2],
                at_other=lambda o: o,
                text="a token [dim] on its own gives different numbers than inside a batch [B, T, dim]",
            ),
            unmoved(
                "values", "another last token", at=lambda o: o[:, :2], text="one token changes the outputs of others"
            ),
        ),
        Criterion(
            EPS,
            0.25,
            finite("a sample of zeros", text="a token of zeros gives NaN"),
            unmoved("values", "values again", text="the same inputs give different numbers in each call"),
            moved("values", "eps = 0.3", text="another eps gives the same output"),
            where(VALUES_HOLD, matches("faint"), matches("eps = 0.3"), matches("a sample of zeros")),
        ),
        Criterion(
            HALF,
            0.25,
            is_true(
                "float16",
                ["output"],
                lambda o: 0.1 < abs(o).max() < 100,
                "in float16, tokens of about 300 give 0 or infinity",
            ),
            is_true("float16", ["is_half"], bool, "a float16 token comes back in another dtype"),
            is_true(
                "float16, with a float32 weight",
                ["is_half"],
                bool,
                "a float16 token comes back in another dtype if the weight is float32",
            ),
            where(VALUES_HOLD, matches("float16", "output"), matches("float16, with a float32 weight", "output")),
        ),
        common_criterion(0.25, finite("values", text="there is nothing to look at")),
        gradients(0.25, ("weight",), VALUES_HOLD),
    ),
    mistakes=MISTAKES,
    forbidden=("rms_norm",),
    right_variants=(
        right(
            "other names of the arguments",
            {"dim: int, eps:": "d: int, epsilon:", "= eps": "= epsilon", "ones(dim)": "ones(d)"},
        ),
        right("in float32 whatever comes in", {WIDE: "x.float()"}),
        right("converted back before the weight", {f" * self.weight{BACK}": f"{BACK} * self.weight.to(x.dtype)"}),
        right(
            "by the length of the token",
            {
                MEAN_SQUARE: "wide.norm(dim=-1, keepdim=True) ** 2 / x.shape[-1]",
                OVER_ROOT: " / (mean_square + self.eps) ** 0.5",
            },
        ),
    ),
)
