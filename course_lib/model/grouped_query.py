"""Attention as in current language models: causal, with rotary positions, grouped heads and a cache."""

import torch
from torch import nn

from course_lib.model.attention import scaled_dot_product
from course_lib.model.rotary import rotate

Cache = tuple[torch.Tensor, torch.Tensor]


class GroupedQueryAttention(nn.Module):
    """Causal self-attention in which several query heads share one head of keys and values.

    Head i of the queries attends to keys and values i // (num_heads / num_kv_heads). Queries and keys are rotated by
    their positions; values are not.

    Args:
        model_dim: D, width of the tokens that come in and go out.
        num_heads: h, heads of the queries; each is d = D / h wide.
        num_kv_heads: g, heads of keys and values.
        base: the base of the rotary positions, a number or a tensor [d/2], as `rotate` takes it.

    Parameters:
        q_proj: Linear without bias, D → h·d. k_proj, v_proj: D → g·d. o_proj: h·d → D.

    `forward(x, cache=None)`: x [B, T, D] at the positions P … P + T − 1; the cache holds the P earlier tokens: (keys,
    values), each [B, g, P, d], the keys already rotated. Returns the output [B, T, D] and the cache of all P + T
    tokens; the cache that was passed is not changed.

    Raises:
        ValueError: model_dim is not divisible by num_heads; the message names both.
        ValueError: num_heads is not divisible by num_kv_heads; the message names both.
        ValueError: the head width is odd; the message names it.

    Source: Ainslie et al. 2023, "GQA: Training Generalized Multi-Query Transformer Models", section 2.2; Shazeer
    2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4 (the cache).

    >>> attention = GroupedQueryAttention(model_dim=12, num_heads=6, num_kv_heads=2)
    >>> output, (keys, values) = attention(torch.ones(3, 5, 12))
    >>> output.shape, keys.shape
    (torch.Size([3, 5, 12]), torch.Size([3, 2, 5, 2]))
    """

    def __init__(self, model_dim: int, num_heads: int, num_kv_heads: int, base: float = 10000.0):
        super().__init__()
        # BEGIN SOLUTION
        #: Check the three rules first. Then four Linear layers with bias=False: queries have h heads, the others g.
        if model_dim % num_heads:
            raise ValueError(f"model_dim ({model_dim}) must be divisible by num_heads ({num_heads})")
        if num_heads % num_kv_heads:
            raise ValueError(f"num_heads ({num_heads}) must be divisible by num_kv_heads ({num_kv_heads})")
        head_dim = model_dim // num_heads
        if head_dim % 2:
            raise ValueError(f"the head width must be even, because features are turned in pairs, but it is {head_dim}")
        self.num_heads, self.num_kv_heads, self.base = num_heads, num_kv_heads, base
        self.q_proj = nn.Linear(model_dim, num_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(model_dim, num_kv_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(model_dim, num_kv_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * head_dim, model_dim, bias=False)
        # END SOLUTION

    def forward(self, x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        # BEGIN SOLUTION
        #: Split the three projections into heads: `unflatten(-1, (heads, -1)).transpose(1, 2)`.
        #: P is the length of the cache: x stands at P … P + T − 1. Rotate queries and new keys there.
        #: Append the new keys and values to the cached ones (`torch.cat` leaves the old tensors alone).
        #: Only now repeat each key-value head for its group, `repeat_interleave(h // g, dim=1)`.
        #: The mask [T, P + T]: the query at P + i sees the first P + i + 1 keys.
        past = 0 if cache is None else cache[0].shape[2]  # P
        positions = torch.arange(past, past + x.shape[1], device=x.device)  # [T]
        q = self.q_proj(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # [B, h, T, d]
        keys = self.k_proj(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)  # [B, g, T, d]
        values = self.v_proj(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)  # [B, g, T, d]
        q, keys = rotate(q, positions, self.base), rotate(keys, positions, self.base)
        if cache is not None:
            keys = torch.cat([cache[0], keys], dim=2)  # [B, g, P + T, d]
            values = torch.cat([cache[1], values], dim=2)  # [B, g, P + T, d]
        group = self.num_heads // self.num_kv_heads
        k, v = keys.repeat_interleave(group, dim=1), values.repeat_interleave(group, dim=1)  # [B, h, P + T, d]
        mask = torch.arange(past + x.shape[1], device=x.device) <= positions.unsqueeze(-1)  # [T, P + T]
        mixed, _ = scaled_dot_product(q, k, v, mask)  # [B, h, T, d]
        return self.o_proj(mixed.transpose(1, 2).flatten(2)), (keys, values)
        # END SOLUTION
