"""The encoder: attention and feed-forward, each with a residual and a norm, stacked."""

import torch
from torch import nn

from course_lib.model.layers import FeedForward, LayerNorm
from course_lib.model.multi_head import MultiheadAttention


class EncoderBlock(nn.Module):
    """Tokens look at each other, then each one thinks for itself; norm after each residual (post-norm).

        x = norm1(x + dropout(self_attn(x))),   x = norm2(x + dropout(linear_net(x)))

    Args:
        input_dim: width of the tokens that come in and go out.
        num_heads: heads of the attention.
        dim_feedforward: hidden width of the feed-forward.
        dropout: probability, for the two sub-layers' outputs and inside the feed-forward.

    Parameters:
        self_attn: MultiheadAttention. linear_net: FeedForward. norm1, norm2: LayerNorm.
        dropout: Dropout (no parameters).

    `forward(x, mask=None)`: x [B, T, input_dim], a mask that `expand_mask` takes.
    Returns [B, T, input_dim].

    Source: "Attention Is All You Need", sections 3.1 and 5.4.

    >>> EncoderBlock(input_dim=6, num_heads=2, dim_feedforward=11)(torch.ones(3, 5, 6)).shape
    torch.Size([3, 5, 6])
    """

    def __init__(self, input_dim: int, num_heads: int, dim_feedforward: int, dropout: float = 0.0):
        super().__init__()
        # BEGIN SOLUTION
        #: Two sub-layers, two norms, one dropout that both share.
        #: A residual adds input and output, so everything has the width input_dim.
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads)
        self.linear_net = FeedForward(input_dim, dim_feedforward, dropout)
        self.norm1 = LayerNorm(input_dim)
        self.norm2 = LayerNorm(input_dim)
        self.dropout = nn.Dropout(dropout)
        # END SOLUTION

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        #: The two lines of the formula, one after the other.
        #: The mask is for the attention only: the feed-forward sees one token at a time.
        #: With all sub-layers at zero the block must give norm2(norm1(x)).
        x = self.norm1(x + self.dropout(self.self_attn(x, mask)))  # [B, T, input_dim]
        return self.norm2(x + self.dropout(self.linear_net(x)))  # [B, T, input_dim]
        # END SOLUTION


class PreNormEncoderBlock(EncoderBlock):
    """The same block with the norms before the sub-layers: the residual path is never normalised.

        x = x + dropout(self_attn(norm1(x))),   x = x + dropout(linear_net(norm2(x)))

    Arguments, parameters and shapes are those of `EncoderBlock`, whose `__init__` it inherits.

    Source: Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture", section 3.1,
    figure 1.

    >>> PreNormEncoderBlock(input_dim=6, num_heads=2, dim_feedforward=11)(torch.ones(3, 5, 6)).shape
    torch.Size([3, 5, 6])
    """

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        #: What does the residual add to: x, or the normalised x?
        #: With all sub-layers at zero the block must give x, untouched.
        x = x + self.dropout(self.self_attn(self.norm1(x), mask))  # [B, T, input_dim]
        return x + self.dropout(self.linear_net(self.norm2(x)))  # [B, T, input_dim]
        # END SOLUTION


class TransformerEncoder(nn.Module):
    """Encoder blocks, one after the other, each with parameters of its own.

    Args:
        num_layers: how many blocks.
        block_args: what `EncoderBlock` takes, by name.

    Parameters:
        layers: ModuleList of EncoderBlock.

    `forward(x, mask=None)`: x [B, T, input_dim]; every layer gets the mask.
    Returns [B, T, input_dim].

    `get_attention_maps(x, mask=None)`: returns a list with the attention [B, h, T, T] of every
    layer, as the forward pass computes it.

    Source: "Attention Is All You Need", section 3.1, figure 1 (left).

    >>> encoder = TransformerEncoder(num_layers=2, input_dim=6, num_heads=3, dim_feedforward=11)
    >>> [attention.shape for attention in encoder.get_attention_maps(torch.ones(2, 5, 6))]
    [torch.Size([2, 3, 5, 5]), torch.Size([2, 3, 5, 5])]
    """

    def __init__(self, num_layers: int, **block_args):
        super().__init__()
        # BEGIN SOLUTION
        #: A Python list hides its modules from .parameters(); nn.ModuleList does not.
        #: Make a new block for every layer: one block in several places would share its weights.
        self.layers = nn.ModuleList(EncoderBlock(**block_args) for _ in range(num_layers))
        # END SOLUTION

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        #: What one layer gives is what the next one takes.
        #: The mask goes to every layer, not to the first one alone.
        for layer in self.layers:
            x = layer(x, mask)  # [B, T, input_dim]
        return x
        # END SOLUTION

    def get_attention_maps(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> list[torch.Tensor]:
        # BEGIN SOLUTION
        #: Ask each layer's self_attn for its attention at the x that this layer gets.
        #: Then let the whole layer turn x into what the next one gets, with the mask again.
        attention_maps = []
        for layer in self.layers:
            _, attention = layer.self_attn(x, mask, return_attention=True)  # [B, h, T, T]
            attention_maps.append(attention)
            x = layer(x, mask)  # [B, T, input_dim]
        return attention_maps
        # END SOLUTION
