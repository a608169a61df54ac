"""Other right ways to write `CrossAttention`."""

import math

import torch
from torch import nn

from autograder.catalogue.multi_head.attention_parts import OtherAttention


class ByViews(nn.Module):
    """view and transpose; the triangle from positions; masks multiplied; −inf as fill."""

    def __init__(self, query_dim: int, key_dim: int, value_dim: int, embed_dim: int, num_heads: int):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h, self.d = num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj = nn.Linear(query_dim, embed_dim), nn.Linear(key_dim, embed_dim)
        self.v_proj, self.out_proj = nn.Linear(value_dim, embed_dim), nn.Linear(embed_dim, query_dim)

    def forward(self, query, key, value, attn_mask=None, is_causal=False):
        B, L, S = query.size(0), query.size(1), key.size(1)
        q = self.q_proj(query).view(B, L, self.h, self.d).transpose(1, 2) / math.sqrt(self.d)
        k = self.k_proj(key).view(B, S, self.h, self.d).transpose(1, 2)
        v = self.v_proj(value).view(B, S, self.h, self.d).transpose(1, 2)
        visible = torch.ones(1, 1, L, S)
        if attn_mask is not None:
            attn_mask = attn_mask.float()
            visible = visible * (attn_mask.unsqueeze(1) if attn_mask.dim() == 3 else attn_mask)
        if is_causal:
            visible = visible * (torch.arange(S)[None, :] <= torch.arange(L)[:, None])
        scores = (q @ k.transpose(2, 3)).masked_fill(visible == 0, float("-inf"))
        values = torch.softmax(scores, dim=3) @ v
        return self.out_proj(values.transpose(1, 2).contiguous().view(B, L, -1))


class ByEinsum(OtherAttention):
    """einsum throughout, and an additive bias for each of the two masks."""

    def forward(self, queries, keys, values, mask=None, is_causal=False, return_attention=False):
        q, k, v = (x.unflatten(-1, (self.num_heads, -1)) for x in self.project(queries, keys, values))
        scores = torch.einsum("blhd,bshd->bhls", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores + (self.expand(mask).to(scores.dtype) - 1) * 1e9
        if is_causal:
            scores = scores + torch.full(scores.shape[-2:], -1e9, dtype=scores.dtype).triu(diagonal=1)
        attention = scores.softmax(-1)
        output = self.out_proj(torch.einsum("bhls,bshd->blhd", attention, v).flatten(2))
        return (output, attention) if return_attention else output


class TwoFills(OtherAttention):
    """Each mask hides on its own, one after the other."""

    def forward(self, queries, keys, values, mask=None, is_causal=False):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        scores = torch.matmul(q, k.mT).div(q.size(-1) ** 0.5)
        lowest = torch.finfo(scores.dtype).min
        if is_causal:
            scores = torch.where(self.triangle(*scores.shape[-2:]), scores, lowest)
        if mask is not None:
            scores = torch.where(self.expand(mask) != 0, scores, lowest)
        weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return self.out_proj(self.merge(weights / weights.sum(-1, keepdim=True) @ v))


class GrowingTriangle(OtherAttention):
    """A triangle that is kept, and made anew when it is too small; the mask only by its name."""

    kept = None

    def triangle(self, L, S):
        size = max(L, S)
        if self.kept is None or len(self.kept) < size:
            self.kept = torch.ones(size, size, dtype=torch.bool).tril()
        return self.kept[:L, :S]

    def forward(self, *inputs, mask=None, is_causal=False):
        return super().forward(*inputs, mask, is_causal)


VARIANTS = (ByViews, GrowingTriangle, ByEinsum, TwoFills)
