"""SwiGLU(dim, hidden_dim): a feed-forward network with a gate."""

import torch
from torch import nn

import course_lib.model.swiglu as reference
from autograder.catalogue.checks import finite, matches, same_in_training, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.shared import bare, gradients
from autograder.catalogue.language_model.swiglu_mistakes import MISTAKES, SILU
from autograder.catalogue.weights import drawn

DIM, HIDDEN = 5, 11
SIZES = bare("gate_proj", DIM, HIDDEN) | bare("up_proj", DIM, HIDDEN) | bare("down_proj", HIDDEN, DIM)


def layer(g, *shape, **settings):
    """A layer with known weights, and x of this shape; settings replace what they name."""
    return {
        "arguments": {"dim": DIM, "hidden_dim": HIDDEN},
        "weights": drawn(g, SIZES),
        "x": torch.randn(*shape, DIM, generator=g),
    } | settings


def loud(g):
    inputs = layer(g, 2, 3)
    return inputs | {"x": 5 * inputs["x"]}


def one_token(g):
    inputs = layer(g, 2, 3)
    return inputs | {"x": inputs["x"][1, 2]}


class InOneLine(nn.Module):
    """nn.SiLU as a module, the layers made in a loop."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        sizes = {"up_proj": (d_model, d_ff), "gate_proj": (d_model, d_ff), "down_proj": (d_ff, d_model)}
        for name, (width_in, width_out) in sizes.items():
            self.add_module(name, nn.Linear(width_in, width_out, bias=False))
        self.act = nn.SiLU()

    def forward(self, hidden):
        return self.down_proj(self.up_proj(hidden) * self.act(self.gate_proj(hidden)))


PARAMETERS, VALUES = "three matrices, no bias", "values: down(silu(gate(x)) · up(x))"

SWIGLU = Exercise(
    id="SwiGLU",
    title="The gated feed-forward network",
    reference=reference.SwiGLU,
    cases=(
        Case("parameters", lambda g: layer(g, 2, 3, ask="parameters")),
        Case("values", lambda g: layer(g, 2, 3)),
        Case("in training", lambda g: layer(g, 2, 3, ask="training"), same_as="values"),
        Case("loud", loud),
        Case("one token alone", one_token, same_as="values"),
        Case("gradients", lambda g: layer(g, 2, 3, ask="gradients")),
    ),
    criteria=(
        Criterion(PARAMETERS, 0.5, matches("parameters")),
        Criterion(
            VALUES,
            1,
            matches("values"),
            matches("loud"),
            unmoved(
                "values",
                "one token alone",
                at=lambda o: o[1, 2],
                at_other=lambda o: o,
                text="a token on its own gives different numbers than inside a batch",
            ),
            same_in_training("values"),
        ),
        common_criterion(0.25, finite("values", text="there is nothing to look at")),
        gradients(0.25, tuple(SIZES), matches("values")),
    ),
    mistakes=MISTAKES,
    forbidden=("swiglu",),
    right_variants=(InOneLine, right("by F.silu", {SILU: "nn.functional.silu(gate)"})),
)
