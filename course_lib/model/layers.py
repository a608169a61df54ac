"""The parts of a block that look at one token at a time: layer norm and feed-forward."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Give the features of every token mean 0 and variance 1, then a learned scale and shift.

        y = (x − mean) / √(variance + eps) · weight + bias

    Args:
        dim: width of the tokens.
        eps: keeps the root away from zero.

    Parameters:
        weight: [dim], ones at the start.
        bias: [dim], zeros at the start.

    `forward(x)`: x [..., dim]. Returns the same shape.

    Source: Ba, Kiros, Hinton 2016, "Layer Normalization", section 3, equations 3 and 4.

    >>> LayerNorm(2)(torch.tensor([[1000.0, 3000.0]])).detach()
    tensor([[-1.,  1.]])
    """

    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        # BEGIN SOLUTION
        #: nn.Parameter makes a tensor something that is trained and saved.
        #: At the start the layer only normalises: scale by 1, shift by 0.
        #: Keep eps for forward.
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Mean and variance are those of one token, along the last axis; keep that axis.
        #: The variance is the mean of the squared distances: divided by dim, not by dim − 1
        #: (torch.var divides by dim − 1 unless you say unbiased=False).
        #: eps goes under the root.
        centred = x - x.mean(dim=-1, keepdim=True)  # [..., dim]
        variance = centred.square().mean(dim=-1, keepdim=True)  # [..., 1]
        return centred * torch.rsqrt(variance + self.eps) * self.weight + self.bias  # [..., dim]
        # END SOLUTION


class FeedForward(nn.Sequential):
    """Widen every token, keep what is positive, and narrow it again: Linear, Dropout, ReLU, Linear.

        y = max(0, x W₁ + b₁) W₂ + b₂

    Args:
        dim: width of the tokens that come in and go out.
        hidden_dim: width in between.
        dropout: probability with which a hidden number is dropped while training.

    Parameters:
        0: Linear, dim → hidden_dim.
        3: Linear, hidden_dim → dim.

    `forward(x)`: x [..., dim]. Returns the same shape. nn.Sequential brings it along: it calls
    the modules one after the other.

    Source: "Attention Is All You Need", section 3.3, equation 2.

    >>> FeedForward(dim=5, hidden_dim=11)(torch.zeros(2, 3, 5)).shape
    torch.Size([2, 3, 5])
    """

    def __init__(self, dim: int, hidden_dim: int, dropout: float = 0.0):
        # BEGIN SOLUTION
        #: nn.Sequential takes its modules, in order, in super().__init__(first, second, ...).
        #: Their names are their places, so the order of the four decides the parameters' names.
        super().__init__(
            nn.Linear(dim, hidden_dim),
            nn.Dropout(dropout),
            nn.ReLU(),
            nn.Linear(hidden_dim, dim),
        )
        # END SOLUTION
