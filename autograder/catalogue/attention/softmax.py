"""softmax(logits, dim=-1): from exp, max and sum; stable at ±1e4."""

import torch

import course_lib.model.attention as reference
from autograder.catalogue.attention.shared import common_criterion
from autograder.catalogue.attention.softmax_mistakes import MISTAKES
from autograder.catalogue.checks import either, is_true, matches, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise


def logits(*shape, **settings):
    return lambda g: {"logits": torch.randn(*shape, generator=g)} | settings


SHIFTS = torch.tensor([[1e4], [-1e4], [0.0]])


def large_logits(g):
    """Rows far above zero, far below, and spread wide."""
    return {"logits": torch.randn(3, 7, generator=g) * torch.tensor([[1.0], [1.0], [1e4]]) + SHIFTS}


def a_hidden_entry(g):
    return {"logits": torch.randn(5, 7, generator=g).index_fill(1, torch.tensor(2), -torch.inf)}


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


STABLE = "stable for large logits"
VALUES_HOLD = matches("a matrix")

SOFTMAX = Exercise(
    id="softmax",
    title="Softmax",
    reference=reference.softmax,
    cases=(
        Case("a matrix", logits(5, 7)),
        Case("a square", logits(7, 7)),  # here what has lost its axis gives numbers, and not an error
        Case("batch and heads", logits(2, 3, 5, 7)),
        Case("a vector", logits(11)),
        Case("a middle axis", logits(3, 5, 7, dim=1)),
        Case("counted from the end", logits(3, 5, 7, dim=-3)),
        Case("the first axis", logits(5, 7, dim=0)),
        Case("large logits", large_logits, tolerance=1e-3),  # half of what float32 can tell apart at 1e4
        Case("a hidden entry", a_hidden_entry),
        Case("in double precision", lambda g: {"logits": torch.randn(3, 7, generator=g).double()}),
        Case("gradient", logits(3, 7, gradient=True)),
    ),
    criteria=(
        Criterion("values", 1, VALUES_HOLD, matches("a square"), matches("batch and heads"), matches("a vector")),
        Criterion(
            "along any axis",
            1,
            *(
                is_true(
                    case, ["weights"], lambda w, axis=axis: (abs(w.sum(axis) - 1) < 1e-4).all() and w.min() >= 0, text
                )
                for case, axis, text in (
                    ("a middle axis", 1, "the weights along dim=1 do not sum to 1"),
                    ("the first axis", 0, "the weights along dim=0 do not sum to 1"),
                    ("counted from the end", 0, "the weights of three axes along dim=-3 do not sum to 1"),
                )
            ),
            where(
                VALUES_HOLD, *(matches(case) for case in ("a middle axis", "the first axis", "counted from the end"))
            ),
        ),
        Criterion(STABLE, 1, matches("large logits"), matches("a hidden entry")),
        Criterion(
            "stays in the graph",
            0.5,
            is_true("gradient", ["connected"], bool, "no gradient flows from the weights to the logits"),
            where(
                matches("gradient", "weights"),
                either(matches("gradient", "gradient"), is_true("gradient", ["overwritten"], bool, "not overwritten")),
            ),
        ),
        common_criterion("a matrix"),
    ),
    mistakes=MISTAKES,
    forbidden=("softmax", "softmin"),
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
