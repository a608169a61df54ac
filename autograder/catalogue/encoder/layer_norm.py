"""LayerNorm(dim, eps=1e-5), by hand."""

import torch

import course_lib.model.layers as reference
from autograder.catalogue.checks import finite, is_true, matches, moved, same_again, same_in_training, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.encoder.layer_norm_mistakes import MEAN, MISTAKES, OVER_ROOT, VARIANCE
from autograder.catalogue.exercise import Case, Criterion, Exercise, asked_again, common_criterion
from autograder.catalogue.gradients import gradients_reach
from autograder.catalogue.weights import drawn, norm

NORMS = ("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm")
DIM = 4  # a biased and an unbiased variance differ by a third


def layer(g, *shape, eps=None, **settings):
    """A layer with known weights, and x of this shape, whose variances are far larger than eps."""
    features = torch.tensor([3.0, -5.0, 4.0, -1.0])
    return {
        "arguments": {"dim": DIM} | ({} if eps is None else {"eps": eps}),
        "weights": {name.removeprefix("norm."): value for name, value in drawn(g, norm("norm", DIM)).items()},
        "x": features + torch.randn(*shape, DIM, generator=g),
    } | settings


def faint(g):
    """Variances as small as eps."""
    inputs = layer(g, 2, 3)
    return inputs | {"x": 1e-3 * inputs["x"]}


def far_from_0(g):
    """A mean of 1000, where float32 tells 6e-5 apart."""
    inputs = layer(g, 2, 3)
    return inputs | {"x": 1000 + inputs["x"]}


def constant(g):
    inputs = layer(g, 2, 3)
    inputs["x"][1] = 3.0  # exactly, so that every variance is 0
    return inputs


def one_token(g):
    inputs = layer(g, 2, 3)
    return inputs | {"x": inputs["x"][1, 2]}


def another_token(g):
    inputs = layer(g, 2, 3)
    inputs["x"][1, 2] = torch.randn(DIM, generator=g)
    return inputs


def printed(g):
    return {
        "arguments": {"dim": 3},
        "weights": {"weight": torch.ones(3), "bias": torch.zeros(3)},
        "x": torch.tensor([[[0.2, 0.1, 0.3]], [[0.5, 0.1, 0.1]]]),
    }


VALUES_HOLD = matches("values")
SCALE = "(self.weight / torch.sqrt(variance + self.eps))"

LAYER_NORM = Exercise(
    id="LayerNorm",
    title="Layer normalisation",
    reference=reference.LayerNorm,
    cases=(
        Case("parameters", lambda g: layer(g, 2, 3, ask="parameters")),
        Case("start", lambda g: {"arguments": {"dim": 7}, "ask": "start"}),
        Case(
            "published example (CodeEmporium)",
            printed,
            printed={"output": [[[0.0, -1.2238, 1.2238]], [[1.4140, -0.7070, -0.7070]]]},
            source="CodeEmporium (A. Halthor), Transformer-Neural-Network, Layer_Normalization notebook",
            tolerance=1e-4,
        ),
        *asked_again("values", lambda g: layer(g, 2, 3)),
        Case("in training", lambda g: layer(g, 2, 3, training=True), same_as="values"),
        Case("four axes", lambda g: layer(g, 2, 3, 5)),
        Case("one token alone", one_token, same_as="values"),
        Case("another last token", another_token, same_as="values"),
        Case("faint", faint),
        Case("far from 0", far_from_0, tolerance=2e-4),
        Case("eps = 7", lambda g: layer(g, 2, 3, eps=7.0), same_as="values"),
        Case("a constant sample", constant, tolerance=1e-4),  # scaled by 1/√eps = 316: float32 tells 6e-5 apart there
        Case("gradients", lambda g: layer(g, 2, 3, ask="gradients")),
    ),
    criteria=(
        Criterion("weight and bias", 0.5, matches("parameters")),
        Criterion(
            "starts as plain normalisation",
            0.5,
            is_true("start", ["weight"], lambda weight: (weight == 1).all(), "weight does not start at 1"),
            is_true("start", ["bias"], lambda bias: (bias == 0).all(), "bias does not start at 0"),
            matches("start"),
        ),
        Criterion("values", 1, VALUES_HOLD, same_in_training("values"), where(VALUES_HOLD, matches("far from 0"))),
        Criterion(
            "eps, inside the root",
            0.5,
            finite("a constant sample", text="a token whose features are all equal gives NaN"),
            moved("values", "eps = 7", text="another eps gives the same output"),
            where(
                VALUES_HOLD,
                matches("published example (CodeEmporium)"),
                matches("faint"),
                matches("eps = 7"),
                matches("a constant sample"),
            ),
        ),
        Criterion(
            "each token by itself",
            0.5,
            where(VALUES_HOLD, matches("four axes")),
            unmoved(
                "values",
                "one token alone",
                at=lambda o: o[1, 2],
                at_other=lambda o: o,
                text="a token [dim], alone, gives different numbers than inside a batch [B, T, dim]",
            ),
            unmoved(
                "values", "another last token", at=lambda o: o[:, :2], text="one token changes the outputs of others"
            ),
            moved("values", "another last token", at=lambda o: o[1, 2], text="the output does not follow the token"),
        ),
        common_criterion(0.5, same_again("values", "output"), finite("values", text="there is nothing to look at")),
        Criterion(
            "gradients, also through mean and variance",
            0.5,
            gradients_reach("gradients", ("weight", "bias")),
            where(VALUES_HOLD, matches("gradients", "of_x")),
        ),
    ),
    mistakes=MISTAKES,
    forbidden=NORMS,
    right_variants=(
        right(
            "other names of the arguments",
            {
                "dim: int, eps:": "features: int, epsilon:",
                "= eps": "= epsilon",
                "ones(dim)": "ones(features)",
                "zeros(dim)": "zeros(features)",
            },
        ),
        right(
            "by var_mean",
            {
                f"centred = x - {MEAN}": "variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)",
                f"variance = {VARIANCE}": "centred = x - mean",
            },
        ),
        right(
            "scaled first, as in torch's kernel",
            {
                f"centred = x - {MEAN}": "mean = x.mean(dim=-1, keepdim=True)",
                VARIANCE: "x.var(dim=-1, correction=0, keepdim=True)",
                f"centred{OVER_ROOT} * self.weight + self.bias": f"x * {SCALE} + (self.bias - mean * {SCALE})",
            },
        ),
        right(
            "by the mean of the squares, in double",
            {
                f"x - {MEAN}": "x.double() - x.double().mean(dim=-1, keepdim=True)",
                VARIANCE: "x.double().square().mean(-1, True) - x.double().mean(-1, True).square()",
                f"centred{OVER_ROOT}": f"(centred{OVER_ROOT}).to(x.dtype)",
            },
        ),
    ),
)
