"""Wrong ways to write scaled dot-product attention, each with what a good assistant would say."""

import math

import torch

from autograder.exercise import Misconception


def attend(q, k, v, mask=None, scale=None, dim=-1, fill=-1e9, hide=None):
    """Attention with one thing exchanged: the scale, the axis of the softmax, the fill, or what `hide` does."""
    scores = q @ k.transpose(-2, -1)
    scores = scores * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, fill) if hide is None else hide(scores, mask)
    attention = torch.softmax(scores, dim=dim)
    return attention @ v, attention


def no_scaling(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=1.0)


def divided_by_d_k(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=1 / q.shape[-1])


def multiplied_by_root(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=q.shape[-1] ** 0.5)


def divided_by_root_of_keys(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=k.shape[-2] ** -0.5)


def divided_by_root_of_d_v(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=v.shape[-1] ** -0.5)


def over_the_queries(q, k, v, mask=None):
    return attend(q, k, v, mask, dim=-2)


def over_axis_one(q, k, v, mask=None):
    return attend(q, k, v, mask, dim=1)


def over_axis_zero(q, k, v, mask=None):
    return attend(q, k, v, mask, dim=0)


def hard_argmax(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = torch.nn.functional.one_hot(scores.argmax(-1), k.shape[-2]).to(v.dtype)
    return attention @ v, attention


def raw_scores(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, 0)
    return scores @ v, scores


def inverted_mask(q, k, v, mask=None):
    return attend(q, k, v, None if mask is None else mask == 0)


def mask_thrown_away(q, k, v, mask=None):
    return attend(q, k, v)


def infinite_fill(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=-torch.inf)


def filled_with_zero(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=0.0)


def mask_added(q, k, v, mask=None):
    return attend(q, k, v, mask, hide=lambda scores, mask: scores + mask.to(scores.dtype))


def not_renormalised(q, k, v, mask=None):
    _, attention = attend(q, k, v)
    attention = attention if mask is None else attention * mask
    return attention @ v, attention


def scaled_after_softmax(q, k, v, mask=None):
    _, attention = attend(q, k, v, mask, scale=1.0)
    attention = attention / math.sqrt(q.shape[-1])
    return attention @ v, attention


def all_axes_reversed(q, k, v, mask=None):
    scores = q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = torch.softmax(scores, dim=-1)
    return attention @ v, attention


def returned_in_the_other_order(q, k, v, mask=None):
    return attend(q, k, v, mask)[::-1]


def cut_from_the_graph(q, k, v, mask=None):
    return attend(q.detach(), k.detach(), v, mask)


EVERYTHING_BUT_THE_MASK = ("values", "each query shares out a weight of 1")

MISCONCEPTIONS = (
    Misconception(
        "no scaling",
        no_scaling,
        "The scores are not divided by √d_k, so they grow with the width and the softmax saturates.",
        "What is the variance of a dot product of two random vectors with d_k components?",
        ("values",),
    ),
    Misconception(
        "divided by d_k",
        divided_by_d_k,
        "You divide by d_k itself; the paper divides by its square root.",
        "The variance of the scores is d_k. What is their standard deviation?",
        ("values",),
    ),
    Misconception(
        "multiplied by √d_k",
        multiplied_by_root,
        "The scores are multiplied by √d_k instead of divided: dividing by d_k ** -0.5 multiplies.",
        "Do your scores get larger or smaller when you scale them?",
        ("values",),
    ),
    Misconception(
        "scaled by the number of keys",
        divided_by_root_of_keys,
        "You scale by the length of the sequence; what makes the scores grow is the width of q and k.",
        "Which axis does the dot product sum over?",
        ("values",),
    ),
    Misconception(
        "scaled by d_v",
        divided_by_root_of_d_v,
        "You scale by the width of the values; the scores come from queries and keys, of width d_k.",
        "Do the values take part in the scores?",
        ("values",),
    ),
    Misconception(
        "softmax over the queries",
        over_the_queries,
        "Your softmax runs over the queries: each key shares itself out, instead of each query sharing out its weight.",
        "The attention is [..., L, S]. Along which axis must it sum to 1?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "softmax over axis 1",
        over_axis_one,
        "Your softmax runs over axis 1, which is the keys only when there is no batch.",
        "Which number names the last axis, however many there are?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "any leading dimensions"),
    ),
    Misconception(
        "softmax over axis 0",
        over_axis_zero,
        "Your softmax runs over axis 0, which mixes the samples of a batch.",
        "Which number names the last axis, however many there are?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "any leading dimensions"),
    ),
    Misconception(
        "hard argmax",
        hard_argmax,
        "You pick the best key outright; attention is a soft choice, and through a hard one no gradient reaches q.",
        "How would q learn if a small change of it changes nothing?",
        ("values", "gradients reach q, k and v"),
    ),
    Misconception(
        "no softmax",
        raw_scores,
        "You weigh the values with the raw scores; they are neither positive nor do they sum to 1.",
        "What turns scores into weights?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "inverted mask",
        inverted_mask,
        "Your mask is inverted: here 0 (False) means hidden, and you hide what should be seen.",
        "In `masked_fill(condition, value)`, which entries are filled?",
        ("mask is respected",),
    ),
    Misconception(
        "mask ignored",
        mask_thrown_away,
        "The mask has no effect. `masked_fill` returns a new tensor and leaves the old one as it was.",
        "Where does the result of `masked_fill` go?",
        ("mask is respected",),
    ),
    Misconception(
        "−inf on a fully hidden row",
        infinite_fill,
        "With −inf a query that sees no key gets 0 / 0 = NaN, and one NaN spoils a whole training run.",
        "What is softmax of a row that is −inf everywhere?",
        ("a query that sees nothing gives no NaN",),
    ),
    Misconception(
        "hidden scores set to 0",
        filled_with_zero,
        "You set the hidden scores to 0 (or almost: −1e-9 is not −1e9); exp(0) = 1, so a hidden key gets weight.",
        "Which score does exp turn into 0?",
        ("mask is respected",),
    ),
    Misconception(
        "mask added as it is",
        mask_added,
        "You add the mask itself to the scores: visible keys gain 1 and hidden ones lose nothing.",
        "What should be added to the score of a hidden key?",
        ("mask is respected",),
    ),
    Misconception(
        "not renormalised after masking",
        not_renormalised,
        "You set weights to 0 after the softmax and leave the rest as they are: they no longer sum to 1.",
        "How much weight is lost when a key is hidden, and who should get it?",
        ("mask is respected",),
    ),
    Misconception(
        "scaled after the softmax",
        scaled_after_softmax,
        "You divide the weights, not the scores: they now sum to 1/√d_k.",
        "Is the scale inside the softmax in the formula, or outside?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "all axes reversed",
        all_axes_reversed,
        "`k.T` reverses every axis of k, batch and heads too. Only the last two are to be swapped.",
        "What does `k.transpose(-2, -1)` do that `k.T` does not?",
        EVERYTHING_BUT_THE_MASK
        + (
            "mask is respected",
            "a mask may be boolean or 0/1",
            "a query that sees nothing gives no NaN",
            "any leading dimensions",
            "gradients reach q, k and v",
        ),
    ),
    Misconception(
        "returned in the other order",
        returned_in_the_other_order,
        "You return (attention, values); the contract is (values, attention).",
        "Which of the two has the shape [..., L, S]?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "gradients reach q, k and v"),
    ),
    Misconception(
        "cut from the graph",
        cut_from_the_graph,
        "The numbers are right, but q and k are cut out of autograd: they can never learn.",
        "Which call takes your tensor out of autograd?",
        ("gradients reach q, k and v",),
    ),
)
