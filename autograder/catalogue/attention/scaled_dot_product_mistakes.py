"""Wrong ways to write scaled dot-product attention."""

import math

import torch


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


def hidden_after_softmax(q, k, v, mask=None):
    _, attention = attend(q, k, v)
    attention = attention if mask is None else attention.masked_fill(mask == 0, -1e9)
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


def divided_by_root_of_queries(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=q.shape[-2] ** -0.5)


def divided_by_square(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=q.shape[-1] ** -2)


def values_compared(q, k, v, mask=None):
    _, attention = attend(q, k, v, mask)
    return attention @ k, attention


def by_sigmoid(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    attention = torch.sigmoid(scores if mask is None else scores.masked_fill(mask == 0, -1e9))
    return attention @ v, attention


def causal_by_default(q, k, v, mask=None):
    return attend(q, k, v, torch.ones(q.shape[-2], k.shape[-2]).tril() if mask is None else mask)


def inverted_booleans(q, k, v, mask=None):
    return attend(q, k, v, mask, hide=lambda scores, mask: scores.masked_fill(mask, -1e9))


def booleans_only(q, k, v, mask=None):
    return attend(q, k, v, mask, hide=lambda scores, mask: scores.masked_fill(~mask, -1e9))


def filled_with_a_high_number(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=1e9)


def filled_with_minus_one(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=-1.0)


def filled_with_minus_ten(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=-10.0)


def one_mask_for_all(q, k, v, mask=None):
    return attend(q, k, v, None if mask is None else mask.reshape(-1, *mask.shape[-2:])[0])


def transposed_mask(q, k, v, mask=None):
    return attend(q, k, v, None if mask is None else mask.transpose(-2, -1))


def mask_with_an_axis_for_heads(q, k, v, mask=None):
    return attend(q, k, v, mask.unsqueeze(1) if mask is not None and mask.ndim == 3 else mask)


def scaled_without_mask_only(q, k, v, mask=None):
    return attend(q, k, v, mask, scale=None if mask is None else 1.0)


def values_before_the_mask(q, k, v, mask=None):
    return attend(q, k, v)[0], attend(q, k, v, mask)[1]


def attention_before_the_mask(q, k, v, mask=None):
    return attend(q, k, v, mask)[0], attend(q, k, v)[1]


def scores_returned(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return attend(q, k, v, mask)[0], scores if mask is None else scores.masked_fill(mask == 0, -1e9)


def values_alone(q, k, v, mask=None):
    return attend(q, k, v, mask)[0]


def keys_before_queries(k, q, v, mask=None):
    return attend(q, k, v, mask)


def values_before_keys(q, v, k, mask=None):
    return attend(q, k, v, mask)


def without_gradients(q, k, v, mask=None):
    with torch.no_grad():
        return attend(q, k, v, mask)


def queries_cut_off(q, k, v, mask=None):
    return attend(q.detach(), k, v, mask)


def keys_cut_off(q, k, v, mask=None):
    return attend(q, k.detach(), v, mask)


def values_cut_off(q, k, v, mask=None):
    return attend(q, k, v.detach(), mask)


def sum_cut_off(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    attention = weights / weights.sum(-1, keepdim=True).detach()
    return attention @ v, attention


def queries_overwritten(q, k, v, mask=None):
    q /= math.sqrt(q.shape[-1])
    return attend(q, k, v, mask, scale=1.0)


def returned_in_the_other_order(q, k, v, mask=None):
    return attend(q, k, v, mask)[::-1]


def cut_from_the_graph(q, k, v, mask=None):
    return attend(q.detach(), k.detach(), v, mask)
