"""softmax(logits, dim=-1): from exp, max and sum; stable at ±1e4."""

import torch

import course_lib.model.attention as reference
from autograder.catalogue.attention.softmax_wrong import MISTAKES
from autograder.catalogue.checks import either, is_true, matches, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property


def large_logits(g):
    """Rows far above zero, far below, spread wide, and one with a hidden entry."""
    logits = torch.randn(4, 7, generator=g)
    logits[0] += 1e4
    logits[1] -= 1e4
    logits[2] *= 1e4
    logits[3, 2] = -torch.inf
    return {"logits": logits}


def in_double(x, dim=-1):
    wide = x.double()
    wide = torch.exp(wide - wide.max(dim, keepdim=True)[0])
    return (wide / torch.sum(wide, dim, True)).to(x.dtype)


def by_einsum(logits, dim=-1):
    rows = logits.movedim(dim, -1)
    weights = torch.exp(rows - rows.amax(-1, keepdim=True).detach())
    return torch.einsum("...k,...->...k", weights, 1 / weights.sum(-1)).movedim(-1, dim)


def through_a_wrapper(*arguments, **named):
    return by_einsum(*arguments, **named)


VALUES_HOLD = matches("a matrix")

SOFTMAX = Exercise(
    id="softmax",
    title="Softmax",
    reference=reference.softmax,
    cases=(
        Case("a matrix", lambda g: {"logits": torch.randn(5, 7, generator=g)}),
        Case("batch and heads", lambda g: {"logits": torch.randn(2, 3, 5, 7, generator=g)}),
        Case("a middle axis", lambda g: {"logits": torch.randn(3, 5, 7, generator=g), "dim": 1}),
        Case("the first axis", lambda g: {"logits": torch.randn(5, 7, generator=g), "dim": 0}),
        Case("large logits", large_logits, tolerance=1e-3),  # half of what float32 can tell apart at 1e4
        Case("gradient", lambda g: {"logits": torch.randn(3, 7, generator=g), "gradient": True}),
    ),
    properties=(
        Property("values", 1, VALUES_HOLD, matches("batch and heads")),
        Property(
            "along any axis",
            1,
            *(
                is_true(
                    case,
                    ["weights"],
                    lambda w, axis=axis: (abs(w.sum(axis) - 1) < 1e-4).all() and w.min() >= 0,
                    text,
                )
                for case, axis, text in (
                    ("a middle axis", 1, "the weights along dim=1 do not sum to 1"),
                    ("the first axis", 0, "the weights along dim=0 do not sum to 1"),
                )
            ),
            where(VALUES_HOLD, matches("a middle axis"), matches("the first axis")),
        ),
        Property("stable for large logits", 1, matches("large logits")),
        Property(
            "stays in the graph",
            1,
            is_true("gradient", ["connected"], bool, "the weights do not know the logits they came from"),
            where(
                matches("gradient", "weights"),
                either(matches("gradient", "gradient"), is_true("gradient", ["overwritten"], bool, "not overwritten")),
            ),
        ),
    ),
    mistakes=MISTAKES,
    forbidden=("softmax", "Softmax", "log_softmax", "LogSoftmax", "softmin", "Softmin", "gumbel_softmax"),
    hints=(
        "Three steps: shift, exponentiate, normalise. Each is one line.",
        "softmax(x) = softmax(x − c) for any number c, one for each row. Which c keeps exp from overflowing?",
        "`keepdim=True` keeps the axis that max and sum run over, so that the results broadcast back.",
    ),
    right_variants=(
        right(
            "in place", {"exponents / exponents.sum(dim=dim, keepdim=True)": "exponents.div_(exponents.sum(dim, True))"}
        ),
        in_double,
        by_einsum,
        right("by logsumexp", {"amax": "logsumexp", "exponents / exponents.sum(dim=dim, keepdim=True)": "exponents"}),
        through_a_wrapper,
    ),
)
