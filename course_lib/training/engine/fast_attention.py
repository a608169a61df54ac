"""Attention for training: torch's fused kernel, or batched products where several threads get in each other's way.

torch's kernel multiplies the matrices of one head after another, and with several threads each of them takes heads of
its own. MKL slows such calls down: with two threads on an AMD EPYC, forwards and backwards through 128 heads of 16
tokens, 32 wide, take 0.9 ms, on one thread 0.6. A batched product is one call for all heads, and the same takes 0.4 ms.
Products of up to 2,000 multiplications don't suffer, and with one thread the fused kernel is as quick or quicker.

torch's softmax is slow along a last dimension that doesn't fill a vector of the processor, so few keys come first.

torch's kernel knows no uniform row, which a query gets that sees no key; with a mask its softmax is used alone.
"""

import torch
from torch.nn import functional as F

from course_lib.model.masks import expand_mask

LARGE = 1 << 11  # multiplications for the scores of one head: 8 × 8 tokens, 32 wide
FEW = 16  # keys: float32 numbers in a vector of 512 bits
LONG = 128  # tokens, above which the weights of all heads take too much memory


def fast_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """What `scaled_dot_product` computes, without the weights.

    Args:
        q: [B, h, L, d].
        k: [B, h, S, d].
        v: [B, h, S, d_v].
        mask: as `scaled_dot_product` takes it.

    Returns:
        [B, h, L, d_v].
    """
    # BEGIN SOLUTION of scaled_dot_product
    if mask is not None:
        scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)  # [B, h, L, S]
        return scores.masked_fill(expand_mask(mask) == 0, torch.finfo(scores.dtype).min).softmax(dim=-1) @ v
    if not batched_products_pay(q, k):
        return F.scaled_dot_product_attention(q, k, v)
    rows, keys, values = (part.flatten(0, 1) for part in (q * q.shape[-1] ** -0.5, k, v))  # [B·h, L or S, d or d_v]
    if keys.shape[1] < FEW:
        weights = keys.bmm(rows.transpose(1, 2)).softmax(dim=1).transpose(1, 2)
    else:
        weights = rows.bmm(keys.transpose(1, 2)).softmax(dim=-1)  # [B·h, L, S]
    return weights.bmm(values).unflatten(0, q.shape[:2])
    # END SOLUTION


def batched_products_pay(q: torch.Tensor, k: torch.Tensor) -> bool:
    """Whether two batched products are quicker than the fused kernel: by size, device and number of threads alone.

    No stopwatch decides: the two round differently, and one seed has one set of weights.
    """
    is_several = q.device.type == "cpu" and torch.get_num_threads() > 1
    return is_several and q.shape[-2] * k.shape[-2] * k.shape[-1] > LARGE and k.shape[-2] <= LONG
