"""Heads: one wide vector seen as several narrow ones, and back."""

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Cut the features of every token into equal pieces, one for each head.

    Args:
        x: [B, T, h·d].
        num_heads: h; head 0 gets the first d features, head 1 the next d, and so on.

    Returns:
        [B, h, T, d].

    Raises:
        ValueError: the width is not divisible by num_heads; the message names both.

    Source: "Attention Is All You Need", section 3.2.2.

    >>> split_heads(torch.arange(6).reshape(1, 1, 6), num_heads=2)
    tensor([[[[0, 1, 2]],
    <BLANKLINE>
             [[3, 4, 5]]]])
    """
    # BEGIN SOLUTION
    #: First the check: a remainder means that the width cannot be split evenly.
    #: The h·d features lie head by head, so the last axis becomes two axes, (h, d).
    #: Only then swap axes. To reshape straight to [B, h, T, d] would mix tokens with heads.
    width = x.shape[-1]
    if width % num_heads != 0:
        raise ValueError(f"the width ({width}) must be divisible by num_heads ({num_heads})")
    return x.unflatten(-1, (num_heads, width // num_heads)).transpose(1, 2)  # [B, h, T, d]
    # END SOLUTION


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Put the pieces of all heads side by side again: undo `split_heads`.

    Args:
        x: [B, h, T, d].

    Returns:
        [B, T, h·d].

    Source: "Attention Is All You Need", section 3.2.2 (Concat).

    >>> merge_heads(torch.tensor([[[[0, 1, 2]], [[3, 4, 5]]]]))
    tensor([[[0, 1, 2, 3, 4, 5]]])
    """
    # BEGIN SOLUTION
    #: The two steps of split_heads, backwards: exchange the axes first, then join the last two.
    #: After a transpose `view` refuses, because the memory has another order; `reshape` and
    #: `flatten` copy when they must.
    return x.transpose(1, 2).flatten(2)  # [B, T, h·d]
    # END SOLUTION
