"""Multi-head attention: several softmaxes side by side, on projections of the input."""

import torch
from torch import nn

from course_lib.model.attention import scaled_dot_product
from course_lib.model.heads import merge_heads, split_heads
from course_lib.model.masks import causal_mask, expand_mask


class MultiheadAttention(nn.Module):
    """Self-attention with several heads: queries, keys and values all come from the same tokens.

    Args:
        input_dim: width of the tokens that come in.
        embed_dim: width of all heads together, and of the tokens that go out.
        num_heads: h; each head is d = embed_dim / h wide.

    Parameters:
        qkv_proj: Linear, input_dim → 3·embed_dim. Its outputs lie head by head, and within a head
            the query, the key and the value lie one after the other: [h, 3, d].
        o_proj: Linear, embed_dim → embed_dim.

    `forward(x, mask=None, return_attention=False)`: x [B, T, input_dim], a mask that `expand_mask`
    takes, with L = S = T. Returns output [B, T, embed_dim], or, when asked, the pair
    (output, attention [B, h, T, T]).

    Raises:
        ValueError: embed_dim is not divisible by num_heads; the message names both.

    Source: "Attention Is All You Need", section 3.2.2.

    >>> MultiheadAttention(input_dim=5, embed_dim=6, num_heads=2)(torch.ones(3, 7, 5)).shape
    torch.Size([3, 7, 6])
    """

    def __init__(self, input_dim: int, embed_dim: int, num_heads: int):
        super().__init__()
        # BEGIN SOLUTION
        #: Refuse an embed_dim that the heads do not divide: a ValueError that names both numbers.
        #: Keep num_heads: forward needs it.
        #: One Linear makes queries, keys and values at once; a second one, o_proj, mixes the heads.
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.num_heads = num_heads
        self.qkv_proj = nn.Linear(input_dim, 3 * embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)
        # END SOLUTION

    def forward(
        self, x: torch.Tensor, mask: torch.Tensor | None = None, return_attention: bool = False
    ) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION
        #: Split the projection into heads first: every head then holds its q, k and v, 3·d numbers,
        #: and `chunk` along the last axis tells them apart.
        #: The mask needs the four axes of the scores [B, h, T, T].
        #: Merge the heads before the output projection.
        qkv = split_heads(self.qkv_proj(x), self.num_heads)  # [B, h, T, 3·d]
        q, k, v = qkv.chunk(3, dim=-1)  # [B, h, T, d] each
        mask = None if mask is None else expand_mask(mask)  # [B or 1, h or 1, T, T]
        values, attention = scaled_dot_product(q, k, v, mask)  # [B, h, T, d], [B, h, T, T]
        output = self.o_proj(merge_heads(values))  # [B, T, embed_dim]
        return (output, attention) if return_attention else output
        # END SOLUTION


class CrossAttention(nn.Module):
    """Attention from one sequence to another: queries from here, keys and values from there.

    Args:
        query_dim, key_dim, value_dim: widths of the queries, keys and values that come in.
        embed_dim: width of all heads together.
        num_heads: h; each head is d = embed_dim / h wide.

    Parameters:
        q_proj, k_proj, v_proj: Linear, from query_dim, key_dim and value_dim to embed_dim.
        out_proj: Linear, embed_dim → query_dim.

    `forward(queries, keys, values, mask=None, is_causal=False)`: queries [B, L, query_dim],
    keys [B, S, key_dim], values [B, S, value_dim], a mask that `expand_mask` takes. Causal means
    that query i sees the keys 0 to i, even if L ≠ S; the mask may hide some of these.
    Returns [B, L, query_dim].

    Raises:
        ValueError: embed_dim is not divisible by num_heads; the message names both.

    Source: "Attention Is All You Need", sections 3.2.2 and 3.2.3 (encoder-decoder attention).

    >>> attend = CrossAttention(query_dim=5, key_dim=7, value_dim=11, embed_dim=6, num_heads=3)
    >>> attend(torch.ones(1, 2, 5), torch.ones(1, 13, 7), torch.ones(1, 13, 11)).shape
    torch.Size([1, 2, 5])
    """

    def __init__(self, query_dim: int, key_dim: int, value_dim: int, embed_dim: int, num_heads: int):
        super().__init__()
        # BEGIN SOLUTION
        #: The same check as before; then four Linear layers.
        #: Queries and keys must meet at the same width, embed_dim, whatever width they come with.
        #: The output goes back to where the queries came from, so it has their width.
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(query_dim, embed_dim)
        self.k_proj = nn.Linear(key_dim, embed_dim)
        self.v_proj = nn.Linear(value_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, query_dim)
        # END SOLUTION

    def forward(
        self,
        queries: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        mask: torch.Tensor | None = None,
        is_causal: bool = False,
    ) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Project, split into heads, attend, merge, project.
        #: With L ≠ S the causal mask is not square: cut [L, S] out of a larger one.
        #: A key is seen when the causal mask AND the given mask allow it; a mask may hold numbers,
        #: and `.bool()` turns those into True and False.
        q = split_heads(self.q_proj(queries), self.num_heads)  # [B, h, L, d]
        k = split_heads(self.k_proj(keys), self.num_heads)  # [B, h, S, d]
        v = split_heads(self.v_proj(values), self.num_heads)  # [B, h, S, d]
        mask = None if mask is None else expand_mask(mask).bool()  # [B or 1, h or 1, L, S]
        if is_causal:
            L, S = q.shape[-2], k.shape[-2]
            causal = causal_mask(max(L, S))[:L, :S].to(q.device)  # [L, S]
            mask = causal if mask is None else mask & causal  # [.., L, S]
        output, _ = scaled_dot_product(q, k, v, mask)  # [B, h, L, d]
        return self.out_proj(merge_heads(output))  # [B, L, query_dim]
        # END SOLUTION
