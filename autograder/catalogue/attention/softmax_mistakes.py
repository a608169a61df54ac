"""Wrong ways to write softmax, each with what a good assistant would say."""

import torch

from autograder.catalogue.exercise import Misconception


def in_double(x, dim=-1):
    """Softmax, right."""
    wide = x.double()
    wide = torch.exp(wide - wide.max(dim, keepdim=True)[0])
    return (wide / torch.sum(wide, dim, True)).to(x.dtype)


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


def other_axis(axis):
    """A softmax along this axis, whatever is asked for."""
    return lambda logits, dim=-1: in_double(logits, axis)


def first_axis_by_default(logits, dim=0):
    return in_double(logits, dim)


def one_shift_and_one_sum(logits, dim=-1):
    weights = torch.exp(logits - logits.max())
    return weights / weights.sum()


def shifted_along_the_last_axis(logits, dim=-1):
    weights = torch.exp(logits - logits.amax(-1, keepdim=True))
    return weights / weights.sum(dim, keepdim=True)


def summed_along_the_last_axis(logits, dim=-1):
    weights = torch.exp(logits - logits.amax(dim, keepdim=True))
    return weights / weights.sum(-1, keepdim=True)


def shifted_by_the_mean(logits, dim=-1):
    weights = torch.exp(logits - logits.mean(dim, keepdim=True))
    return weights / weights.sum(dim, keepdim=True)


def the_smallest_wins(logits, dim=-1):
    return in_double(-logits, dim)


def logarithm(logits, dim=-1):
    return torch.log(in_double(logits, dim))


def sum_cut_from_the_graph(logits, dim=-1):
    weights = torch.exp(logits - logits.amax(dim, keepdim=True))
    return weights / weights.sum(dim, keepdim=True).detach()


def cut_from_the_graph(logits, dim=-1):
    return in_double(logits.detach(), dim)


MISCONCEPTIONS = (
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
        "axis 0, whatever dim says",
        other_axis(0),
        "Your softmax runs along the first axis whatever `dim` says.",
        "Where does your code use its argument `dim`?",
        ("values", "along any axis", "stable for large logits"),
    ),
    Misconception(
        "axis 1, whatever dim says",
        other_axis(1),
        "Your softmax runs along axis 1 whatever `dim` says: that is the last one of a matrix only.",
        "Where does your code use its argument `dim`?",
        ("values", "along any axis"),
    ),
    Misconception(
        "dim=0 by default",
        first_axis_by_default,
        "Without `dim` your softmax runs along the first axis; the contract says dim=-1.",
        "What does the signature in the contract say?",
        ("values", "stable for large logits"),
    ),
    Misconception(
        "one maximum and one sum for the whole tensor",
        one_shift_and_one_sum,
        "You take the maximum and the sum of the whole tensor, so only all weights together sum to 1.",
        "What should sum to 1: the tensor, or each row of it?",
        ("values", "along any axis", "stable for large logits"),
    ),
    Misconception(
        "maximum along the last axis",
        shifted_along_the_last_axis,
        "Your maximum runs along the last axis and your sum along `dim`: what shares a sum must share a shift.",
        "Along which axis may the shift differ without changing the result?",
        ("along any axis",),
    ),
    Misconception(
        "sum along the last axis",
        summed_along_the_last_axis,
        "Your sum runs along the last axis whatever `dim` says.",
        "Where does your code use its argument `dim`?",
        ("along any axis",),
    ),
    Misconception(
        "shifted by the mean",
        shifted_by_the_mean,
        "You subtract the mean: the largest logit may still be far above it, and exp overflows.",
        "Which number must be subtracted so that no exponent is above 0?",
        ("stable for large logits",),
    ),
    Misconception(
        "softmin",
        the_smallest_wins,
        "Your weights are those of −logits: the smallest logit gets the largest weight.",
        "Which logit should win?",
        ("values", "stable for large logits"),
    ),
    Misconception(
        "the logarithm",
        logarithm,
        "These are the logarithms of the weights; asked for are the weights.",
        "What should your numbers add up to?",
        ("values", "along any axis", "stable for large logits"),
    ),
    Misconception(
        "sum cut from the graph",
        sum_cut_from_the_graph,
        "Your sum is cut out of autograd: the gradient misses that more weight here is less weight there.",
        "If one logit grows, what happens to the weights of the others?",
        ("stays in the graph",),
    ),
    Misconception(
        "cut from the graph",
        cut_from_the_graph,
        "The numbers are right, but detach (or .data, or NumPy) has cut them off: nothing can learn through them.",
        "Which call takes your tensor out of autograd?",
        ("stays in the graph",),
    ),
)
