"""Other right ways to write `MultiheadAttention`."""

import math

import torch
from torch import nn

from autograder.catalogue.multi_head.attention_parts import SelfAttention


class AsPublished(nn.Module):
    """Reshape to [B, T, h, 3·d], permute, chunk; queries scaled before the product; −9e15 as fill."""

    def __init__(self, input_dim, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError(f"{embed_dim} features cannot be shared out among {num_heads} heads")
        self.heads, self.head_dim = num_heads, embed_dim // num_heads
        self.qkv_proj = nn.Linear(input_dim, 3 * embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.qkv_proj.weight)

    def forward(self, x, mask=None, return_attention=False):
        B, T, _ = x.size()
        if mask is not None:
            mask = mask.unsqueeze(1) if mask.ndim == 3 else mask
            while mask.ndim < 4:
                mask = mask.unsqueeze(0)
        qkv = self.qkv_proj(x).reshape(B, T, self.heads, 3 * self.head_dim).permute(0, 2, 1, 3)
        q, k, v = qkv.chunk(3, dim=-1)
        logits = torch.matmul(q / math.sqrt(self.head_dim), k.transpose(-2, -1))
        if mask is not None:
            logits = logits.masked_fill(mask == 0, -9e15)
        attention = nn.functional.softmax(logits, dim=-1)
        values = torch.matmul(attention, v).permute(0, 2, 1, 3).reshape(B, T, -1)
        output = self.o_proj(values)
        if return_attention:
            return output, attention
        return output


class ByEinsum(SelfAttention):
    """One einsum a product, and an additive bias of −inf for the mask."""

    def forward(self, tokens, attn_mask=None, return_attention=False):
        B, T, _ = tokens.shape
        qkv = self.qkv_proj(tokens).view(B, T, self.num_heads, 3, -1)
        q, k, v = qkv.unbind(dim=3)  # [B, T, h, d]
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / q.size(-1) ** 0.5
        if attn_mask is not None:
            bias = torch.zeros(attn_mask.shape, dtype=scores.dtype).masked_fill(~attn_mask.bool(), -torch.inf)
            scores = scores + self.expand(bias)
        attention = scores.softmax(-1)
        output = self.o_proj(torch.einsum("bhij,bjhd->bihd", attention, v).flatten(2))
        return (output, attention) if return_attention else output


class LoopOverHeads(SelfAttention):
    """One head after the other, its rows of the projection cut out by slices; a list is returned."""

    def forward(self, x, mask=None, return_attention=False, dropout=None):
        d, values, maps = self.embed_dim // self.num_heads, [], []
        mask = None if mask is None else self.expand(mask).expand(len(x), self.num_heads, x.shape[1], x.shape[1])
        for head in range(self.num_heads):
            rows = slice(3 * d * head, 3 * d * (head + 1))
            part = x @ self.qkv_proj.weight[rows].T + self.qkv_proj.bias[rows]
            q, k, v = part[..., :d], part[..., d : 2 * d], part[..., 2 * d :]
            scores = torch.bmm(q, k.mT) / math.sqrt(d)
            if mask is not None:
                scores = torch.where(mask[:, head] != 0, scores, torch.finfo(scores.dtype).min)
            maps.append(torch.softmax(scores, -1))
            values.append(maps[-1] @ v)
        output = self.o_proj(torch.cat(values, -1))
        return [output, torch.stack(maps, 1)] if return_attention else output


class MaskedAfterwards(SelfAttention):
    """The mask after the softmax, and the rows brought back to a sum of 1; float64 inside."""

    def attend(self, q, k, v, mask):
        scores = q.double() @ k.double().transpose(-1, -2) * self.scale(q, k)
        attention = scores.softmax(-1)
        if mask is not None:
            attention = attention * self.expand(mask)
            attention = attention / attention.sum(-1, keepdim=True)
        return (attention @ v.double()).to(v.dtype), attention.to(v.dtype)


class Indivisible(ValueError):
    """An error of the student's own."""


class ByPlace(SelfAttention):
    """Arguments of forward by their places alone, the constructor's under other names, and an error of its own."""

    def __init__(self, d_in, d_model, h):
        super().__init__(d_in, d_model, h)

    def check(self, d_model, h):
        if d_model % h:
            raise Indivisible(f"{d_model} features for {h} heads")

    def forward(self, *arguments):
        x, mask, return_attention = [*arguments, None, False][:3] if len(arguments) < 2 else [*arguments, False][:3]
        return super().forward(x, mask, return_attention)


VARIANTS = (AsPublished, ByPlace, ByEinsum, LoopOverHeads, MaskedAfterwards)
