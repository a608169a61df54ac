"""Language models whose intermediate values you can read, and change while they run."""

from collections.abc import Callable

import torch
from torch import nn

from course_lib.model.attention import scaled_dot_product
from course_lib.model.grouped_query import GroupedQueryAttention
from course_lib.model.rms_norm import RMSNorm
from course_lib.model.rotary import rotate

Edit = Callable[[int, torch.Tensor], torch.Tensor]
Looked = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def heads_of(block: nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """What each head says about x [B, T, D] before o_proj, values [B, h, T, d], and its attention [B, h, T, T]."""
    attention, d, group = block.attention, x.shape[-1] // block.num_heads, block.num_heads // block.num_kv_heads
    positions = torch.arange(x.shape[1], device=x.device)  # [T]
    projections = attention.q_proj, attention.k_proj, attention.v_proj
    q, k, v = (projection(x).unflatten(-1, (-1, d)).transpose(1, 2) for projection in projections)
    q, k = rotate(q, positions, block.base), rotate(k, positions, block.base)
    k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)  # [B, h, T, d]
    return scaled_dot_product(q, k, v, positions <= positions.unsqueeze(-1))


def look_into(model: nn.Module, tokens: torch.Tensor, edit: Edit | None = None) -> Looked:
    """Run a model block by block, and keep what is computed on the way.

    Args:
        model: with `embedding`, `blocks`, `norm` and `output`; a block has `attention_norm` and `attention`, num_heads,
            num_kv_heads and base, and perhaps `feed_forward_norm` and `feed_forward`.
        tokens: int64 [B, T].
        edit: `edit(layer, values [B, h, T, d]) → values` is called once per layer; what it returns goes through o_proj.

    Returns:
        Logits [B, T, V]; attention [L, B, h, T, T]; states [L + 1, B, T, D], the embedding and each block's output.
    """
    x = model.embedding(tokens)  # [B, T, D]
    attention, states = [], [x]
    for layer, block in enumerate(model.blocks):
        values, weights = heads_of(block, block.attention_norm(x))  # [B, h, T, d], [B, h, T, T]
        if edit is not None:
            values = edit(layer, values)
        x = x + block.attention.o_proj(values.transpose(1, 2).flatten(2))  # [B, T, D]
        if hasattr(block, "feed_forward"):
            x = x + block.feed_forward(block.feed_forward_norm(x))
        attention.append(weights), states.append(x)
    return model.output(model.norm(x)), torch.stack(attention), torch.stack(states)


class AttentionBlock(nn.Module):
    """The parts of x + attention(attention_norm(x)): a block without a feed-forward."""

    def __init__(self, model_dim: int, num_heads: int):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.base = num_heads, num_heads, 10000.0
        self.attention_norm = RMSNorm(model_dim)
        self.attention = GroupedQueryAttention(model_dim, num_heads, num_heads, self.base)


class AttentionOnly(nn.Module):
    """A language model of attention alone: an embedding, layers of attention, a norm, and an output layer.

    Args:
        vocab_size: V. model_dim: D. num_heads: h. num_layers: L.

    `forward(tokens [B, T], edit=None)` returns the logits [B, T, V]; `look(tokens, edit=None)` what `look_into` does.

    Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section 2.

    >>> model = AttentionOnly(13, model_dim=12, num_heads=3, num_layers=2)
    >>> [tuple(found.shape) for found in model.look(torch.tensor([[5, 4, 0, 7, 8]]))]
    [(1, 5, 13), (2, 1, 3, 5, 5), (3, 1, 5, 12)]
    """

    def __init__(self, vocab_size: int, model_dim: int, num_heads: int, num_layers: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, model_dim)
        self.blocks = nn.ModuleList(AttentionBlock(model_dim, num_heads) for _ in range(num_layers))
        self.norm = RMSNorm(model_dim)
        self.output = nn.Linear(model_dim, vocab_size, bias=False)

    def look(self, tokens: torch.Tensor, edit: Edit | None = None) -> Looked:
        return look_into(self, tokens, edit)

    def forward(self, tokens: torch.Tensor, edit: Edit | None = None) -> torch.Tensor:
        return self.look(tokens, edit)[0]  # [B, T, V]


class Hooked(nn.Module):
    """A `LanguageModel` of stage 13 that can be looked into: the same logits, and the methods of `AttentionOnly`.

    >>> from course_lib.model.language_model import LanguageModel
    >>> model = LanguageModel(13, model_dim=12, num_heads=6, num_kv_heads=2, num_layers=3, hidden_dim=7).eval()
    >>> tokens = torch.tensor([[5, 4, 0], [7, 8, 9]])
    >>> torch.allclose(Hooked(model)(tokens), model(tokens), atol=1e-6)
    True
    """

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def look(self, tokens: torch.Tensor, edit: Edit | None = None) -> Looked:
        return look_into(self.model, tokens, edit)

    def forward(self, tokens: torch.Tensor, edit: Edit | None = None) -> torch.Tensor:
        return self.look(tokens, edit)[0]  # [B, T, V]
