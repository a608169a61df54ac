"""SwiGLU: a feed-forward network with a gate."""

import torch
from torch import nn


class SwiGLU(nn.Module):
    """Widen every token twice, let one copy gate the other, and narrow the product again.

        y = down(silu(gate(x)) · up(x)),   silu(z) = z · σ(z)

    Args:
        dim: width of the tokens that come in and go out.
        hidden_dim: width in between.

    Parameters:
        gate_proj, up_proj: Linear without bias, dim → hidden_dim.
        down_proj: Linear without bias, hidden_dim → dim.

    `forward(x)`: x [..., dim]. Returns the same shape.

    Source: Shazeer 2020, "GLU Variants Improve Transformer", section 2, equation 6.

    >>> SwiGLU(dim=5, hidden_dim=11)(torch.zeros(2, 3, 5)).shape
    torch.Size([2, 3, 5])
    """

    def __init__(self, dim: int, hidden_dim: int):
        super().__init__()
        # BEGIN SOLUTION
        #: Three Linear layers, with bias=False; their names are those of published checkpoints.
        self.gate_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.up_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        #: silu goes around the gate; `up` stays linear. The product is feature by feature.
        gate = self.gate_proj(x)  # [..., hidden_dim]
        return self.down_proj(gate * torch.sigmoid(gate) * self.up_proj(x))  # [..., dim]
        # END SOLUTION
