"""Other right ways to write the decoder block: all of them get full marks."""

import torch
from torch import nn

from course_lib.model.layers import FeedForward, LayerNorm
from course_lib.model.masks import expand_mask
from course_lib.model.multi_head import CrossAttention, MultiheadAttention


class TorchNorms(nn.Module):
    """torch's own layer norm, a Sequential written out, a dropout for each sub-layer, a mask built by index."""

    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__()
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads)
        self.cross_attn = CrossAttention(input_dim, input_dim, input_dim, input_dim, num_heads)
        self.linear_net = nn.Sequential(
            nn.Linear(input_dim, dim_feedforward),
            nn.Dropout(dropout),
            nn.ReLU(inplace=True),
            nn.Linear(dim_feedforward, input_dim),
        )
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(input_dim) for _ in range(3))
        self.dropout1, self.dropout2, self.dropout3 = (nn.Dropout(dropout) for _ in range(3))

    def forward(self, tgt, memory, mask=None, memory_mask=None):
        place = torch.arange(tgt.size(1), device=tgt.device)
        visible = (place[None, :] <= place[:, None])[None, None]
        if mask is not None:
            visible = torch.logical_and(visible, expand_mask(mask))
        attended = self.self_attn(tgt, mask=visible)
        tgt = self.norm1(tgt + self.dropout1(attended))
        attended = self.cross_attn(tgt, memory, memory, mask=memory_mask)
        tgt = self.norm2(self.dropout2(attended) + tgt)
        return self.norm3(tgt + self.dropout3(self.linear_net(tgt)))


class CausalCrossAttention(nn.Module):
    """Self-attention as a cross-attention to oneself, with its own causal switch."""

    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0, eps=1e-5):
        super().__init__()
        self.self_attn = CrossAttention(input_dim, input_dim, input_dim, input_dim, num_heads)
        self.cross_attn = CrossAttention(input_dim, input_dim, input_dim, input_dim, num_heads)
        self.linear_net = FeedForward(input_dim, dim_feedforward, dropout)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(input_dim, eps=eps) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None, memory_mask=None):
        def add_and_norm(norm, x, change):
            return norm(x + self.dropout(change))

        x = add_and_norm(self.norm1, x, self.self_attn(x, x, x, mask=mask, is_causal=True))
        x = add_and_norm(self.norm2, x, self.cross_attn(queries=x, keys=memory, values=memory, mask=memory_mask))
        return add_and_norm(self.norm3, x, self.linear_net(x))


class MultipliedMasks(nn.Module):
    """Masks as numbers: causality times the mask; modules in a dict of their own making."""

    def __init__(self, input_dim: int, num_heads: int, dim_feedforward: int, dropout: float = 0.0):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = LayerNorm(input_dim), LayerNorm(input_dim), LayerNorm(input_dim)
        self.linear_net = FeedForward(input_dim, dim_feedforward, dropout)
        self.cross_attn = CrossAttention(input_dim, input_dim, input_dim, input_dim, num_heads)
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads)
        self.p = dropout

    def drop(self, x):
        return nn.functional.dropout(x, self.p, self.training)

    def forward(self, x, memory, mask=None, memory_mask=None):
        size = x.shape[1]
        causal = torch.tril(torch.ones(size, size, device=x.device))
        combined = causal if mask is None else causal * (mask != 0)
        x = self.norm1(x + self.drop(self.self_attn(x, combined)))
        x = self.norm2(x + self.drop(self.cross_attn(x, memory, memory, memory_mask, False)))
        return self.norm3(x + self.drop(self.linear_net(x)))


class WithABuffer(TorchNorms):
    """The causal mask in a buffer that is saved; torch's names of the arguments, by place alone."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.register_buffer("bias", torch.ones(32, 32).tril().bool())

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, /):
        visible = self.bias[: tgt.shape[1], : tgt.shape[1]]
        if tgt_mask is not None:
            visible = torch.minimum(visible.int(), expand_mask(tgt_mask).int())
        tgt = self.norm1(tgt + self.dropout1(self.self_attn(tgt, visible)))
        tgt = self.norm2(tgt + self.dropout2(self.cross_attn(tgt, memory, memory, memory_mask)))
        return self.norm3(tgt + self.dropout3(self.linear_net(tgt)))


VARIANTS = (WithABuffer, TorchNorms, CausalCrossAttention, MultipliedMasks)
