"""RMSNorm: layer norm without the mean and without the shift."""

import torch
from torch import nn


class RMSNorm(nn.Module):
    """Divide every token by the root of the mean of its squares, then scale each feature.

        y = x / √(mean(x²) + eps) · weight

    Args:
        dim: width of the tokens.
        eps: keeps the root away from zero.

    Parameters:
        weight: [dim], ones at the start.

    `forward(x)`: x [..., dim]. Returns the same shape and dtype; computed in float32 at least.

    Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", section 3, equation 4.

    >>> RMSNorm(2)(torch.tensor([[3000.0, 4000.0]])).detach()
    tensor([[0.8485, 1.1314]])
    """

    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        # BEGIN SOLUTION
        #: One parameter, `weight`: nn.Parameter makes a tensor something that is trained and saved.
        #: Keep eps for forward.
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        #: The mean of the squares of one token: along the last axis; keep that axis.
        #: eps goes under the root. No mean is subtracted.
        #: In float16 a square overflows at 256: convert to float32 first, and back to x's dtype at the end.
        wide = x.to(torch.promote_types(x.dtype, torch.float32))  # [..., dim]
        mean_square = wide.square().mean(dim=-1, keepdim=True)  # [..., 1]
        return (wide * torch.rsqrt(mean_square + self.eps) * self.weight).to(x.dtype)  # [..., dim]
        # END SOLUTION
