"""The published model in PyTorch's own layers: the same parameters and the same numbers as our predictor.

A strong baseline on purpose: it has torch's fused layer norm and softmax where the course writes them by hand.

Source: P. Lippe, *UvA Deep Learning Tutorials*, tutorial 6 (the model's shape and hyper-parameters).
"""

import math

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, dim: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        for layer in (self.qkv, self.out):  # as published; it needs an epoch more than torch's own start
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, dim = x.shape
        qkv = self.qkv(x).reshape(batch, length, self.num_heads, -1).transpose(1, 2)  # [B, h, T, 3·d]
        q, k, v = qkv.chunk(3, dim=-1)
        attention = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # [B, h, T, T]
        return self.out((attention @ v).transpose(1, 2).reshape(batch, length, dim))


class Block(nn.Module):
    def __init__(self, dim: int, num_heads: int, dropout: float):
        super().__init__()
        self.attention = Attention(dim, num_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(dim, 2 * dim), nn.Dropout(dropout), nn.ReLU(), nn.Linear(2 * dim, dim)
        )
        self.norm1, self.norm2, self.dropout = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x + self.dropout(self.attention(x)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))


class PublishedModel(nn.Module):
    """Tokens [B, T, input_dim] → logits [B, T, num_classes]."""

    def __init__(
        self,
        input_dim: int,
        model_dim: int,
        num_classes: int,
        num_heads: int,
        num_layers: int,
        dropout: float = 0.0,
        input_dropout: float = 0.0,
    ):
        super().__init__()
        self.input = nn.Sequential(nn.Dropout(input_dropout), nn.Linear(input_dim, model_dim))
        self.register_buffer("positions", sines(5000, model_dim), persistent=False)
        self.blocks = nn.Sequential(*(Block(model_dim, num_heads, dropout) for _ in range(num_layers)))
        self.output = nn.Sequential(
            nn.Linear(model_dim, model_dim),
            nn.LayerNorm(model_dim),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(model_dim, num_classes),
        )

    def forward(self, x: torch.Tensor, add_positional_encoding: bool = True) -> torch.Tensor:
        x = self.input(x)
        if add_positional_encoding:
            x = x + self.positions[:, : x.shape[1]]
        return self.output(self.blocks(x))


def sines(length: int, dim: int) -> torch.Tensor:
    """The encoding of "Attention Is All You Need", section 3.5: [1, length, dim]."""
    angle = torch.arange(length)[:, None] * torch.exp(torch.arange(0, dim, 2) * (-math.log(10_000.0) / dim))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[None]


def rate_factor(step: int, warmup: int, max_steps: int) -> float:
    """The published schedule: a cosine, times a linear warm-up."""
    factor = 0.5 * (1 + math.cos(math.pi * step / max_steps))
    return factor * step / warmup if step <= warmup else factor
