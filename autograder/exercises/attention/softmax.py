"""softmax(logits, dim=-1): from exp, max and sum; stable at ±1e4."""

import torch

import course_lib.attention as reference
from autograder.exercise import Case, Exercise, Misconception, Property
from autograder.properties import is_true, matches


def large_logits(g):
    """Rows far above zero, far below, spread wide, and one with a hidden entry."""
    logits = torch.randn(4, 7, generator=g)
    logits[0] += 1e4
    logits[1] -= 1e4
    logits[2] *= 1e4
    logits[3, 2] = -torch.inf
    return {"logits": logits}


def no_shift(logits, dim=-1):
    weights = torch.exp(logits)
    return weights / weights.sum(dim=dim, keepdim=True)


def one_shift_for_all(logits, dim=-1):
    weights = torch.exp(logits - logits.max())
    return weights / weights.sum(dim=dim, keepdim=True)


def sums_over_everything(logits, dim=-1):
    weights = torch.exp(logits - logits.max(dim=dim, keepdim=True).values)
    return weights / weights.sum()


def always_the_last_axis(logits, dim=-1):
    return in_double(logits)


def axis_lost(logits, dim=-1):
    weights = torch.exp(logits - logits.max(dim=dim, keepdim=True).values)
    return weights / weights.sum(dim=dim)


def not_normalised(logits, dim=-1):
    return torch.exp(logits - logits.max(dim=dim, keepdim=True).values)


def no_exponential(logits, dim=-1):
    return logits / logits.sum(dim=dim, keepdim=True)


def shifted_the_other_way(logits, dim=-1):
    weights = torch.exp(logits.max(dim=dim, keepdim=True).values - logits)
    return weights / weights.sum(dim=dim, keepdim=True)


def cut_from_the_graph(logits, dim=-1):
    return in_double(logits.detach(), dim)


def in_place(logits, dim=-1):
    weights = logits.clone().sub_(logits.amax(dim, keepdim=True)).exp_()
    return weights.div_(weights.sum(dim, keepdim=True))


def in_double(x, dim=-1):
    wide = x.double()
    wide = torch.exp(wide - wide.max(dim, keepdim=True)[0])
    return (wide / torch.sum(wide, dim, True)).to(x.dtype)


def by_einsum(logits, dim=-1):
    rows = logits.movedim(dim, -1)
    weights = torch.exp(rows - rows.amax(-1, keepdim=True).detach())
    return torch.einsum("...k,...->...k", weights, 1 / weights.sum(-1)).movedim(-1, dim)


SOFTMAX = Exercise(
    id="softmax",
    title="Softmax",
    reference=reference.softmax,
    cases=(
        Case("a matrix", lambda g: {"logits": torch.randn(5, 7, generator=g)}),
        Case("batch and heads", lambda g: {"logits": torch.randn(2, 3, 5, 7, generator=g)}),
        Case("a middle axis", lambda g: {"logits": torch.randn(3, 5, 7, generator=g), "dim": 1}),
        Case("the first axis", lambda g: {"logits": torch.randn(5, 7, generator=g), "dim": 0}),
        Case("large logits", large_logits),
        Case("gradient", lambda g: {"logits": torch.randn(3, 7, generator=g), "gradient": True}),
    ),
    properties=(
        Property("values", 1, matches("a matrix"), matches("batch and heads")),
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
        ),
        Property("stable for large logits", 1, matches("large logits")),
        Property(
            "stays in the graph",
            1,
            is_true("gradient", ["connected"], bool, "the weights do not know the logits they came from"),
        ),
    ),
    misconceptions=(
        Misconception(
            "no shift by the maximum",
            no_shift,
            "The formula is right on paper, but exp(10000) is infinite in floating point, and inf / inf is NaN.",
            "What can you subtract from every logit without changing the result?",
            ("stable for large logits",),
        ),
        Misconception(
            "one maximum for the whole tensor",
            one_shift_for_all,
            "You shift every row by the same maximum; a row far below it underflows to 0 / 0.",
            "Along which axis should the maximum be taken?",
            ("stable for large logits",),
        ),
        Misconception(
            "normalised over everything",
            sums_over_everything,
            "You divide by the sum of the whole tensor, so only all weights together sum to 1.",
            "What should sum to 1: the tensor, or each row of it?",
            ("values", "along any axis", "stable for large logits"),
        ),
        Misconception(
            "dim ignored",
            always_the_last_axis,
            "Your softmax runs along the last axis whatever `dim` says.",
            "Where does your code use its argument `dim`?",
            ("along any axis",),
        ),
        Misconception(
            "keepdim forgotten",
            axis_lost,
            "The sum has lost the axis that it ran over, so the division lines up with another axis or fails.",
            "What is the shape of your sum, and how does it broadcast against the logits?",
            ("values", "along any axis", "stable for large logits", "stays in the graph"),
        ),
        Misconception(
            "not normalised",
            not_normalised,
            "These are the exponentials; nothing has divided them by their sum yet.",
            "What do your weights add up to?",
            ("values", "along any axis", "stable for large logits"),
        ),
        Misconception(
            "no exponential",
            no_exponential,
            "You divide the logits by their sum; without exp, weights can be negative or explode.",
            "Which function makes any number positive and keeps the order?",
            ("values", "along any axis", "stable for large logits"),
        ),
        Misconception(
            "sign of the shift",
            shifted_the_other_way,
            "You compute exp(max − logits): the smallest logit gets the largest weight.",
            "Which logit should win?",
            ("values", "stable for large logits"),
        ),
        Misconception(
            "cut from the graph",
            cut_from_the_graph,
            "The numbers are right, but detach (or .data, or NumPy) has cut them off: nothing can learn through them.",
            "Which call takes your tensor out of autograd?",
            ("stays in the graph",),
        ),
    ),
    forbidden=("softmax", "Softmax", "log_softmax", "LogSoftmax", "softmin", "Softmin", "gumbel_softmax"),
    hints=(
        "Three steps: shift, exponentiate, normalise. Each is one line.",
        "softmax(x) = softmax(x − c) for any number c, one for each row. Which c keeps exp from overflowing?",
        "`keepdim=True` keeps the axis that max and sum run over, so that the results broadcast back.",
    ),
    right_variants=(in_place, in_double, by_einsum),
)
