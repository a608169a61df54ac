"""The decoder: causal self-attention, attention to the memory, feed-forward, stacked."""

import torch
from torch import nn

from course_lib.model.layers import FeedForward, LayerNorm
from course_lib.model.masks import causal_mask, expand_mask
from course_lib.model.multi_head import CrossAttention, MultiheadAttention


class DecoderBlock(nn.Module):
    """Tokens look at the tokens before them, then at the memory, then each thinks for itself (post-norm).

        x = norm1(x + dropout(self_attn(x))),   causal
        x = norm2(x + dropout(cross_attn(x, memory, memory)))
        x = norm3(x + dropout(linear_net(x)))

    Args:
        input_dim: width of the tokens and of the memory.
        num_heads: heads of both attentions.
        dim_feedforward: hidden width of the feed-forward.
        dropout: probability, for the three sub-layers' outputs and inside the feed-forward.

    Parameters:
        self_attn: MultiheadAttention. cross_attn: CrossAttention. linear_net: FeedForward.
        norm1, norm2, norm3: LayerNorm. dropout: Dropout (no parameters).

    `forward(x, memory, mask=None, memory_mask=None)`: x [B, T, input_dim], memory [B, S, input_dim];
    mask, over [T, T], hides tokens in addition to the causal mask; memory_mask, over [T, S], hides
    memory. Both as `expand_mask` takes them: to hide padding in the memory give [B, 1, S].
    Returns [B, T, input_dim].

    Source: "Attention Is All You Need", sections 3.1 and 3.2.3, figure 1 (right).

    >>> block = DecoderBlock(input_dim=6, num_heads=2, dim_feedforward=11)
    >>> block(torch.ones(3, 5, 6), memory=torch.ones(3, 7, 6)).shape
    torch.Size([3, 5, 6])
    """

    def __init__(self, input_dim: int, num_heads: int, dim_feedforward: int, dropout: float = 0.0):
        super().__init__()
        # BEGIN SOLUTION
        #: Three sub-layers, three norms, one dropout that all share.
        #: Tokens and memory have the same width, so all widths of the cross-attention are equal.
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads)
        self.cross_attn = CrossAttention(input_dim, input_dim, input_dim, input_dim, num_heads)
        self.linear_net = FeedForward(input_dim, dim_feedforward, dropout)
        self.norm1 = LayerNorm(input_dim)
        self.norm2 = LayerNorm(input_dim)
        self.norm3 = LayerNorm(input_dim)
        self.dropout = nn.Dropout(dropout)
        # END SOLUTION

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        # BEGIN SOLUTION
        #: The self-attention is always causal; a token is seen when the given mask allows it too.
        #: In the cross-attention the tokens ask: queries from x, keys and values from the memory.
        #: The memory has its own length and its own mask.
        visible = causal_mask(x.shape[1]).to(x.device)  # [T, T]
        if mask is not None:
            visible = expand_mask(mask).bool() & visible  # [B or 1, h or 1, T, T]
        x = self.norm1(x + self.dropout(self.self_attn(x, visible)))  # [B, T, input_dim]
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory, memory_mask)))
        return self.norm3(x + self.dropout(self.linear_net(x)))  # [B, T, input_dim]
        # END SOLUTION


class TransformerDecoder(nn.Module):
    """Decoder blocks, one after the other; every one of them sees the same memory.

    Args:
        num_layers: how many blocks.
        block_args: what `DecoderBlock` takes, by name.

    Parameters:
        layers: ModuleList of DecoderBlock.

    `forward(x, memory, mask=None, memory_mask=None)`: as `DecoderBlock`; every layer gets both
    masks. Returns [B, T, input_dim].

    Source: "Attention Is All You Need", section 3.1, figure 1 (right).

    >>> decoder = TransformerDecoder(num_layers=2, input_dim=6, num_heads=3, dim_feedforward=11)
    >>> decoder(torch.ones(2, 5, 6), memory=torch.ones(2, 7, 6)).shape
    torch.Size([2, 5, 6])
    """

    def __init__(self, num_layers: int, **block_args):
        super().__init__()
        # BEGIN SOLUTION
        #: As in the encoder: nn.ModuleList, and a new block for every layer.
        #: Pass block_args to each block unchanged.
        self.layers = nn.ModuleList(DecoderBlock(**block_args) for _ in range(num_layers))
        # END SOLUTION

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        # BEGIN SOLUTION
        #: x changes from layer to layer, the memory does not.
        #: Every layer gets both masks.
        for layer in self.layers:
            x = layer(x, memory, mask, memory_mask)  # [B, T, input_dim]
        return x
        # END SOLUTION
