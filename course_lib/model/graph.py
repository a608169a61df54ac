"""Attention along the edges of a graph: every node asks its neighbours."""

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.attention import softmax


class GraphAttention(nn.Module):
    """A graph attention layer: score(i, j) = LeakyReLU(target · W x_i + source · W x_j), over the j that i hears.

    Args:
        in_dim: width of the nodes that come in.
        out_dim: width of one head; the heads are joined.
        num_heads: h.
        negative_slope: of the LeakyReLU.

    Parameters:
        proj: Linear, in_dim → h · out_dim, no bias, its rows head by head. source, target: [h, out_dim].

    `forward(x, adjacency)`: x [N, in_dim]; adjacency [N, N], bool or 0/1, where (i, j) says that i hears j; every
    node hears itself, regardless of the diagonal. Returns [N, h · out_dim] and attention [h, N, N].

    Source: Veličković et al. 2018, "Graph Attention Networks", section 2.1, equations 1 to 5, without the outer ELU.

    >>> layer = GraphAttention(in_dim=3, out_dim=5, num_heads=2)
    >>> out, attention = layer(torch.ones(7, 3), torch.zeros(7, 7))
    >>> out.shape, torch.equal(attention[0], torch.eye(7))
    (torch.Size([7, 10]), True)
    """

    def __init__(self, in_dim: int, out_dim: int, num_heads: int, negative_slope: float = 0.2):
        super().__init__()
        # BEGIN SOLUTION
        #: One Linear without bias for all heads; two parameters, the two halves of the paper's vector a,
        #: drawn by randn and divided by the root of out_dim.
        self.num_heads, self.negative_slope = num_heads, negative_slope
        self.proj = nn.Linear(in_dim, num_heads * out_dim, bias=False)
        self.source = nn.Parameter(torch.randn(num_heads, out_dim) / out_dim**0.5)
        self.target = nn.Parameter(torch.randn(num_heads, out_dim) / out_dim**0.5)
        # END SOLUTION

    def forward(self, x: torch.Tensor, adjacency: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION
        #: The score is a sum of something about i and something about j: two numbers per node and head are enough,
        #: and broadcasting makes the table of all pairs.
        #: A node hears itself: put the diagonal into the mask. Then the softmax of stage 01, over the last axis.
        #: Each head averages its own part of the projected nodes; join the heads node by node.
        nodes = self.proj(x).unflatten(-1, (self.num_heads, -1)).transpose(0, 1)  # [h, N, out_dim]
        of_target = (nodes * self.target.unsqueeze(1)).sum(dim=-1)  # [h, N]
        of_source = (nodes * self.source.unsqueeze(1)).sum(dim=-1)  # [h, N]
        scores = F.leaky_relu(of_target.unsqueeze(-1) + of_source.unsqueeze(-2), self.negative_slope)  # [h, N, N]
        heard = (adjacency != 0) | torch.eye(len(x), dtype=torch.bool, device=x.device)  # [N, N]
        attention = softmax(scores.masked_fill(~heard, torch.finfo(scores.dtype).min), dim=-1)  # [h, N, N]
        out = (attention @ nodes).transpose(0, 1).flatten(start_dim=1)  # [N, h · out_dim]
        return out, attention
        # END SOLUTION
