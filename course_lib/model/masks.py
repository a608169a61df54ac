"""Masks: which keys a query may see. True is visible, False is hidden."""

import torch


def causal_mask(size: int) -> torch.Tensor:
    """Let every position see itself and the earlier ones.

    Args:
        size: number of positions T.

    Returns:
        bool [T, T]; row i is True at the columns 0 to i.

    Source: "Attention Is All You Need", section 3.2.3.

    >>> causal_mask(2)
    tensor([[ True, False],
            [ True,  True]])
    """
    # BEGIN SOLUTION
    #: Row i is a query, column j a key: which j may the query i see?
    #: A position sees itself, so the diagonal is True.
    return torch.ones(size, size, dtype=torch.bool).tril()  # [T, T]
    # END SOLUTION


def padding_mask(lengths: torch.Tensor | list[int], max_len: int | None = None) -> torch.Tensor:
    """Tell the real tokens of sequences of different lengths from the padding after them.

    Args:
        lengths: a list, or a tensor [B], of the number of real tokens of each sequence.
        max_len: length T to which the sequences are padded, at least that of the longest; None takes the longest.

    Returns:
        bool [B, T]; True at a real token, False at padding.

    >>> padding_mask([1, 3])
    tensor([[ True, False, False],
            [ True,  True,  True]])
    """
    # BEGIN SOLUTION
    #: torch.as_tensor takes a list as well as a tensor.
    #: Compare the positions 0, 1, ..., T-1 (a row) with the lengths (a column): broadcasting
    #: makes the [B, T] answers at once.
    #: The position that equals the length is already padding.
    lengths = torch.as_tensor(lengths)  # [B]
    max_len = int(lengths.max()) if max_len is None else max_len
    positions = torch.arange(max_len, device=lengths.device)  # [T]
    return positions < lengths[:, None]  # [B, T]
    # END SOLUTION


def expand_mask(mask: torch.Tensor) -> torch.Tensor:
    """Give a mask the axes of the scores of multi-head attention, [B, h, L, S].

    Args:
        mask: [L, S] (the same for every sequence and head), [B, L, S] (the same for every head)
            or [B, h, L, S]; B, h, L may be 1.

    Returns:
        The same entries, with four axes: [1, 1, L, S], [B, 1, L, S] or [B, h, L, S].

    Raises:
        ValueError: the mask has fewer than two or more than four axes; the message gives its shape.

    >>> expand_mask(torch.ones(2, 5, 7)).shape
    torch.Size([2, 1, 5, 7])
    """
    # BEGIN SOLUTION
    #: Count the axes with mask.dim(); `unsqueeze` or indexing with None adds one of size 1.
    #: With three axes the first is the batch, so the new axis, for the heads, comes second.
    #: Raise a ValueError that names the shape for anything else.
    if mask.dim() not in (2, 3, 4):
        raise ValueError(
            f"a mask must be [L, S], [B, L, S] or [B, h, L, S], but its shape is {list(mask.shape)}: "
            "add the missing axes, of size 1"
        )
    if mask.dim() == 2:
        return mask[None, None]  # [1, 1, L, S]
    return mask[:, None] if mask.dim() == 3 else mask  # [B, 1, L, S] or [B, h, L, S]
    # END SOLUTION
