"""A decoder-only language model: an embedding, blocks, a norm, and the embedding table again as output layer."""

import math

import torch
from torch import nn

from course_lib.model.grouped_query import Cache, GroupedQueryAttention
from course_lib.model.rms_norm import RMSNorm
from course_lib.model.swiglu import SwiGLU


class DecoderOnlyBlock(nn.Module):
    """Attention and a gated feed-forward, each behind a norm and beside a residual (pre-norm).

        x = x + attention(attention_norm(x)),   x = x + feed_forward(feed_forward_norm(x))

    Args:
        model_dim, num_heads, num_kv_heads, base: those of `GroupedQueryAttention`.
        hidden_dim: inner width of the feed-forward.
        eps: of both norms.

    `forward(x, cache=None)`: x [B, T, D]. Returns [B, T, D] and the cache of the attention.

    >>> block = DecoderOnlyBlock(model_dim=12, num_heads=6, num_kv_heads=2, hidden_dim=7)
    >>> block(torch.ones(3, 5, 12))[0].shape
    torch.Size([3, 5, 12])
    """

    def __init__(
        self,
        model_dim: int,
        num_heads: int,
        num_kv_heads: int,
        hidden_dim: int,
        base: float = 10000.0,
        eps: float = 1e-5,
    ):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.base = num_heads, num_kv_heads, base  # for a look inside (stage 14)
        self.attention_norm = RMSNorm(model_dim, eps)
        self.attention = GroupedQueryAttention(model_dim, num_heads, num_kv_heads, base)
        self.feed_forward_norm = RMSNorm(model_dim, eps)
        self.feed_forward = SwiGLU(model_dim, hidden_dim)

    def forward(self, x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        attended, cache = self.attention(self.attention_norm(x), cache)  # [B, T, D]
        x = x + attended  # [B, T, D]
        return x + self.feed_forward(self.feed_forward_norm(x)), cache  # [B, T, D]


class LanguageModel(nn.Module):
    """For every token of a text, logits for the token that comes next.

    Args:
        vocab_size: V. model_dim: D. num_layers: how many blocks.
        num_heads, num_kv_heads, hidden_dim, base, eps: those of `DecoderOnlyBlock`; base may be a tensor, and eps is
            also that of the last norm.
        tied: the output layer uses the embedding's weight, one parameter for both.

    Parameters:
        embedding: Embedding. blocks: ModuleList of DecoderOnlyBlock. norm: RMSNorm. output: Linear without bias.
        All matrices start as N(0, 0.02²), but o_proj and down_proj as N(0, 0.02² / (2 · num_layers)).

    `step(tokens, caches=None)`: tokens int64 [B, T], caches a list with one cache per block, or None. Returns logits
    [B, T, V] and the list of the new caches. `forward(tokens)`: the logits of `step` without caches.

    Source: Touvron et al. 2023, "LLaMA", section 2.2; Press and Wolf 2017, "Using the Output Embedding to Improve
    Language Models", section 3 (tied weights); Radford et al. 2019, "Language Models are Unsupervised Multitask
    Learners", section 2.3 (the smaller start of what is added to the residual path).

    >>> model = LanguageModel(13, model_dim=12, num_heads=6, num_kv_heads=2, num_layers=3, hidden_dim=7)
    >>> model(torch.tensor([[5, 4, 0], [7, 8, 9]])).shape
    torch.Size([2, 3, 13])
    """

    def __init__(
        self,
        vocab_size: int,
        model_dim: int,
        num_heads: int,
        num_kv_heads: int,
        num_layers: int,
        hidden_dim: int,
        base: float = 10000.0,
        eps: float = 1e-5,
        tied: bool = True,
    ):
        super().__init__()
        # BEGIN SOLUTION
        #: Embedding, ModuleList of new blocks, norm, and a Linear without bias (D → V).
        #: Tied means one parameter under two names: `self.output.weight = self.embedding.weight`.
        #: nn.Embedding starts as N(0, 1), far too large for an output layer: `nn.init.normal_(weight, std=0.02)` for
        #: every matrix; 0.02 / √(2 · num_layers) for those whose name ends in o_proj.weight or down_proj.weight.
        self.embedding = nn.Embedding(vocab_size, model_dim)
        self.blocks = nn.ModuleList(
            DecoderOnlyBlock(model_dim, num_heads, num_kv_heads, hidden_dim, base, eps) for _ in range(num_layers)
        )
        self.norm = RMSNorm(model_dim, eps)
        self.output = nn.Linear(model_dim, vocab_size, bias=False)
        if tied:
            self.output.weight = self.embedding.weight
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                added = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * num_layers) if added else 0.02)
        # END SOLUTION

    def step(self, tokens: torch.Tensor, caches: list[Cache | None] | None = None) -> tuple[torch.Tensor, list[Cache]]:
        # BEGIN SOLUTION
        #: Block number i gets cache number i, and gives a new one back: collect them in a new list.
        #: The last norm comes after the last block and before the output.
        x = self.embedding(tokens)  # [B, T, D]
        caches = [None] * len(self.blocks) if caches is None else caches
        new_caches = []
        for block, cache in zip(self.blocks, caches, strict=True):
            x, cache = block(x, cache)  # [B, T, D]
            new_caches.append(cache)
        return self.output(self.norm(x)), new_caches  # [B, T, V]
        # END SOLUTION

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        return self.step(tokens)[0]  # [B, T, V]
        # END SOLUTION
