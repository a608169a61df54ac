"""Tokens to vectors: a table with one row per token."""

import torch
from torch import nn
from torch.nn import functional as F


class TokenEmbedding(nn.Module):
    """The row of a table for each token, times √dim.

    Args:
        vocab_size: number of tokens.
        dim: width of a row.
        pad: the token whose row is zero at the start, and stays as it is: the look-up gives it no gradient.

    Parameters:
        table: [vocab_size, dim].

    `forward(tokens)`: ids [...] of any shape, int64. Returns [..., dim].

    Source: "Attention Is All You Need", section 3.4.

    >>> embed = TokenEmbedding(vocab_size=7, dim=3)
    >>> embed(torch.tensor([[2, 0]])).shape
    torch.Size([1, 2, 3])
    """

    def __init__(self, vocab_size: int, dim: int, pad: int = 0):
        super().__init__()
        # BEGIN SOLUTION
        #: One nn.Parameter, drawn by randn and divided by √dim: times √dim, its entries are of order 1.
        #: Its row `pad` is zero before it becomes a parameter.
        #: F.embedding looks rows up and knows how to leave a row without gradient.
        table = torch.randn(vocab_size, dim) / dim**0.5  # [V, D]
        table[pad] = 0
        self.table, self.pad = nn.Parameter(table), pad
        # END SOLUTION

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        return F.embedding(tokens, self.table, padding_idx=self.pad) * self.table.shape[1] ** 0.5  # [..., D]
        # END SOLUTION
