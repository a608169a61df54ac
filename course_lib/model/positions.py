"""Positional encodings: they tell a token its position, because attention does not."""

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    """Add to every token a vector of sines and cosines that depends on its position alone.

        pe[t, 2i] = sin(t / 10000^(2i / d_model)),   pe[t, 2i + 1] = cos(t / 10000^(2i / d_model))

    Args:
        d_model: width of the tokens; may be odd, then the last column is a sine.
        max_len: the longest sequence that can come.

    Buffer:
        pe: [1, max_len, d_model]; not persistent, so it is not part of the state dict.

    `forward(x)`: x [B, T, d_model]. Returns x plus the encoding of the positions 0 to T − 1.

    Raises:
        ValueError: T is larger than max_len; the message names both.

    Source: "Attention Is All You Need", section 3.5.

    >>> PositionalEncoding(d_model=4, max_len=3)(torch.zeros(1, 1, 4))
    tensor([[[0., 1., 0., 1.]]])
    """

    def __init__(self, d_model: int, max_len: int = 5000):
        super().__init__()
        # BEGIN SOLUTION
        #: The angles are a table: positions down (a column), frequencies across (a row).
        #: Sines go to the columns 0, 2, 4, ..., cosines to 1, 3, 5, ...: a slice with a step of 2.
        #: With an odd d_model there is one cosine fewer than there are sines.
        #: register_buffer(..., persistent=False) moves with the model but is not saved with it.
        positions = torch.arange(max_len)[:, None]  # [max_len, 1]
        frequencies = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)  # [⌈d_model/2⌉]
        angles = positions * frequencies  # [max_len, ⌈d_model/2⌉]
        pe = torch.zeros(1, max_len, d_model)
        pe[0, :, 0::2] = angles.sin()
        pe[0, :, 1::2] = angles[:, : d_model // 2].cos()
        self.register_buffer("pe", pe, persistent=False)
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        #: The first axis of x is the batch, the second the position.
        #: Too long a sequence: a ValueError that names its length and max_len.
        #: Use as many rows of pe as x has tokens.
        length, max_len = x.shape[1], self.pe.shape[1]
        if length > max_len:
            raise ValueError(f"a sequence of {length} tokens is longer than max_len ({max_len}): raise max_len")
        return x + self.pe[:, :length]  # [B, T, d_model]
        # END SOLUTION


class LearnedPositions(nn.Module):
    """Add to every token a vector that is learned for its position.

    Args:
        max_len: how many positions there are to learn.
        d_model: width of the tokens.

    Parameters:
        table: Embedding, one row of d_model numbers for each position.

    `forward(x)`: x [B, T, d_model]. Returns x plus the first T rows of the table.

    Raises:
        ValueError: T is larger than max_len; the message names both.

    Source: "Attention Is All You Need", section 3.5 (the learned embeddings of table 3, row E);
    Gehring et al. 2017, "Convolutional Sequence to Sequence Learning", section 3.1.

    >>> LearnedPositions(max_len=7, d_model=5)(torch.zeros(2, 3, 5)).shape
    torch.Size([2, 3, 5])
    """

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        # BEGIN SOLUTION
        #: nn.Embedding is a table of learned rows: how many rows, and how wide?
        #: Keep it as self.table.
        self.table = nn.Embedding(max_len, d_model)
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Too long a sequence: a ValueError that names its length and max_len.
        #: Look up the positions 0, 1, ..., T − 1, made on the device of x.
        #: All sequences of the batch share the rows: [T, d_model] broadcasts over [B, T, d_model].
        length, max_len = x.shape[1], self.table.num_embeddings
        if length > max_len:
            raise ValueError(f"a sequence of {length} tokens is longer than max_len ({max_len}): raise max_len")
        return x + self.table(torch.arange(length, device=x.device))  # [B, T, d_model]
        # END SOLUTION
