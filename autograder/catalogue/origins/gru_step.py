"""gru_step(x, h, weights): one step of a gated recurrent unit, by hand."""

import numpy as np
import torch

import course_lib.model.recurrent as reference
from autograder.catalogue.checks import either, fits, matches, same_alone, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.origins.gru_step_mistakes import MISTAKES, RESULT
from autograder.catalogue.weights import drawn

B, INPUT, HIDDEN = 3, 5, 7
RESET, UPDATE = slice(0, HIDDEN), slice(HIDDEN, 2 * HIDDEN)  # rows
OPEN, CLOSED = 30.0, -30.0  # biases, any of which makes a gate 1 or 0, whatever else there is
SIZES = {
    "weight_ih": (3 * HIDDEN, INPUT),
    "weight_hh": (3 * HIDDEN, HIDDEN),
    "bias_ih": (3 * HIDDEN,),
    "bias_hh": (3 * HIDDEN,),
}


def step(g, reset=None, update=None, sample=None, other_state=False, **settings):
    """x [3, 5], h [3, 7]; with gates that a bias holds open or closed, one sample alone, or another state."""
    weights = drawn(g, SIZES)
    x, h = torch.randn(B, INPUT, generator=g), torch.randn(B, HIDDEN, generator=g)
    other = torch.randn(B, HIDDEN, generator=g)
    for rows, bias in ((RESET, reset), (UPDATE, update)):
        if bias is not None:
            weights["bias_ih"][rows] = weights["bias_hh"][rows] = bias
    if sample is not None:
        x, h = x[sample : sample + 1], h[sample : sample + 1]
    return {"x": x, "h": other if other_state else h, "weights": weights} | settings


def keeps(state, h):
    return state.shape == h.shape and np.abs(state - h).max() < 1e-5


def by_linear(x, h, weights):
    F = torch.nn.functional
    of_x = F.linear(x, weights["weight_ih"], weights["bias_ih"]).split(h.shape[1], 1)
    of_h = F.linear(h, weights["weight_hh"], weights["bias_hh"]).split(h.shape[1], 1)
    r, z = ((a + b).sigmoid() for a, b in zip(of_x[:2], of_h[:2], strict=True))
    n = (of_x[2] + r * of_h[2]).tanh()
    return n + z * (h - n)


def gate_by_gate(inputs, hidden, params):
    H = hidden.size(-1)

    def part(i, name, value):
        return torch.einsum("hk,bk->bh", params[f"weight_{name}"][i * H : (i + 1) * H], value) + params[
            f"bias_{name}"
        ].narrow(0, i * H, H)

    r = 1 / (1 + torch.exp(-part(0, "ih", inputs) - part(0, "hh", hidden)))
    z = 1 / (1 + torch.exp(-part(1, "ih", inputs) - part(1, "hh", hidden)))
    return torch.lerp(torch.tanh(part(2, "ih", inputs) + r * part(2, "hh", hidden)), hidden, z)


NEXT, INSIDE, STAYS = "gates and candidate", "the reset gate stands inside", "an update gate of 1 keeps the state"
REACH = "gradients reach x, h and all weights"

GRU_STEP = Exercise(
    id="gru_step",
    title="One step of a GRU",
    reference=reference.gru_step,
    cases=(
        Case("reset gates open", lambda g: step(g, reset=OPEN)),
        Case("any gates", step),
        Case("one sample of it", lambda g: step(g, sample=1), same_as="any gates"),
        Case("reset gates closed", lambda g: step(g, reset=CLOSED, update=CLOSED)),
        Case(
            "reset gates closed, another state",
            lambda g: step(g, reset=CLOSED, update=CLOSED, other_state=True),
            same_as="reset gates closed",
        ),
        Case("update gates open", lambda g: step(g, reset=OPEN, update=OPEN)),
        Case("gradients", lambda g: step(g, gradients=True)),
    ),
    criteria=(
        Criterion(NEXT, 1, matches("reset gates open"), same_alone("any gates", "one sample of it", 1)),
        Criterion(
            INSIDE,
            0.75,
            either(  # an update gate that isn't inverted loses other criteria
                unmoved(
                    "reset gates closed",
                    "reset gates closed, another state",
                    text="with reset and update gates of 0 another state gives another result",
                ),
                fits("reset gates closed", ["state"], ["h"], keeps, "the update gate isn't inverted"),
            ),
            where(matches("reset gates open"), matches("reset gates closed"), matches("any gates")),
        ),
        Criterion(
            STAYS, 0.5, fits("update gates open", ["state"], ["h"], keeps, "with update gates of 1 the state changes")
        ),
        Criterion(
            REACH,
            0.25,
            gradients_reach("gradients", (*SIZES, "x", "h")),
            where(matches("any gates"), gradients_whole("gradients", (*SIZES, "x", "h"))),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("gru",),
    right_variants=(
        by_linear,
        gate_by_gate,
        right("old state plus a step", {RESULT: "h + (1 - update) * (candidate - h)"}),
        right(
            "the gates together",
            {
                "reset = torch.sigmoid(reset_x + reset_h)": "reset, update, _ = (of_x + of_h).sigmoid().chunk(3, 1)",
                "    update = torch.sigmoid(update_x + update_h)\n": "",
            },
        ),
    ),
)
