"""Attention layers in small steps, each of which a wrong or another right way replaces."""

import torch
from torch import nn

from course_lib.model.heads import merge_heads, split_heads
from course_lib.model.masks import expand_mask


class Steps(nn.Module):
    """What self- and cross-attention share: from q, k, v [B, h, ·, d] and a mask to values and attention."""

    def scale(self, q, k):
        return q.shape[-1] ** -0.5

    def expand(self, mask):
        return expand_mask(mask)

    def hide(self, scores, mask):
        return scores.masked_fill(mask == 0, -1e9)

    def weigh(self, scores):
        return scores.softmax(dim=-1)

    def merge(self, values):
        return merge_heads(values)

    def attend(self, q, k, v, mask):
        scores = q @ k.transpose(-2, -1) * self.scale(q, k)  # [B, h, L, S]
        if mask is not None:
            scores = self.hide(scores, self.expand(mask))
        attention = self.weigh(scores)
        return attention @ v, attention


class SelfAttention(Steps):
    """`MultiheadAttention`, right unless a step is replaced."""

    def __init__(self, input_dim, embed_dim, num_heads):
        super().__init__()
        self.check(embed_dim, num_heads)
        self.input_dim, self.embed_dim, self.num_heads = input_dim, embed_dim, num_heads
        self.make(input_dim, embed_dim)

    def check(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} is not a multiple of num_heads {num_heads}")

    def make(self, input_dim, embed_dim):
        self.qkv_proj = nn.Linear(input_dim, 3 * embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def project(self, x):
        """x [B, T, input_dim] → q, k, v [B, h, T, d]."""
        return split_heads(self.qkv_proj(x), self.num_heads).chunk(3, dim=-1)

    def forward(self, x, mask=None, return_attention=False):
        values, attention = self.attend(*self.project(x), mask)
        return self.result(self.o_proj(self.merge(values)), attention, return_attention)

    def result(self, output, attention, return_attention):
        return (output, attention) if return_attention else output


class OtherAttention(Steps):
    """`CrossAttention`, right unless a step is replaced."""

    def __init__(self, query_dim, key_dim, value_dim, embed_dim, num_heads):
        super().__init__()
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.make(query_dim, key_dim, value_dim, embed_dim)

    def make(self, query_dim, key_dim, value_dim, embed_dim):
        self.q_proj = nn.Linear(query_dim, embed_dim)
        self.k_proj = nn.Linear(key_dim, embed_dim)
        self.v_proj = nn.Linear(value_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, query_dim)

    def project(self, queries, keys, values):
        return self.q_proj(queries), self.k_proj(keys), self.v_proj(values)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def triangle(self, L, S):
        return torch.ones(L, S, dtype=torch.bool).tril()

    def combine(self, mask, triangle):
        return triangle if mask is None else self.expand(mask).bool() & triangle

    def forward(self, queries, keys, values, mask=None, is_causal=False):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        if is_causal:
            mask = self.combine(mask, self.triangle(q.shape[-2], k.shape[-2]))
        merged, _ = self.attend(q, k, v, mask)
        return self.out_proj(self.merge(merged))
