"""A plain GPT, trained as nanoGPT's README trains one on a cpu, written from that README and from the GPT-2 paper.

    block_size 64, batch_size 12, n_layer 4, n_head 4, n_embd 128, max_iters 2000, dropout 0

with what its configuration for Shakespeare's characters sets: a rate of 1e-3 that falls to 1e-4 in a cosine after
100 steps of warm-up, betas (0.9, 0.99), weight decay 0.1 on matrices, gradients clipped to length 1.
"""

import math
from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F

SIZES = dict(model_dim=128, num_heads=4, num_layers=4, block=64)
BATCH, STEPS, WARMUP, RATE, LEAST = 12, 2_000, 100, 1e-3, 1e-4


class Block(nn.Module):
    """Pre-norm, GELU, four times wider inside; torch's fused attention."""

    def __init__(self, model_dim: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.norm1, self.norm2 = (nn.LayerNorm(model_dim, bias=False) for _ in range(2))
        self.qkv, self.out = (nn.Linear(model_dim, n * model_dim, bias=False) for n in (3, 1))
        self.wider = nn.Linear(model_dim, 4 * model_dim, bias=False)
        self.narrower = nn.Linear(4 * model_dim, model_dim, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.norm1(x)).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # [B, h, T, d]
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.narrower(F.gelu(self.wider(self.norm2(x))))


class GPT(nn.Module):
    """Learned positions, the output tied to the embedding."""

    def __init__(self, vocab_size: int, model_dim: int, num_heads: int, num_layers: int, block: int):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocab_size, model_dim), nn.Embedding(block, model_dim)
        self.blocks = nn.ModuleList(Block(model_dim, num_heads) for _ in range(num_layers))
        self.norm = nn.LayerNorm(model_dim, bias=False)
        for name, parameter in self.named_parameters():
            if parameter.ndim == 2:
                added = name.endswith(("out.weight", "narrower.weight"))
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * num_layers) if added else 0.02)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens) + self.positions.weight[: tokens.shape[1]]  # [B, T, D]
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.weight.T  # [B, T, V]


def train(
    ids: torch.Tensor,
    vocab_size: int,
    seed: int = 0,
    steps: int = STEPS,
    look: Callable[[int, nn.Module], None] | None = None,
) -> nn.Module:
    """The model after its steps, on random stretches of these ids; `look(steps made, model)` is called after each."""
    torch.manual_seed(seed)
    model, block = GPT(vocab_size, **SIZES), SIZES["block"]
    groups = [
        {"params": [p for p in model.parameters() if p.ndim == 2], "weight_decay": 0.1},
        {"params": [p for p in model.parameters() if p.ndim != 2], "weight_decay": 0.0},
    ]
    adam = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.99))
    within = torch.arange(block + 1)
    for step in range(steps):
        done = (step - WARMUP) / (steps - WARMUP)
        rate = (
            RATE * (step + 1) / WARMUP if step < WARMUP else LEAST + (RATE - LEAST) * (1 + math.cos(math.pi * done)) / 2
        )
        for group in adam.param_groups:
            group["lr"] = rate
        tokens = ids[torch.randint(len(ids) - block, (BATCH, 1)) + within]  # [B, block + 1]
        loss = F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        if look is not None:
            look(step + 1, model)
    return model.eval()


@torch.no_grad()
def loss_on(model: nn.Module, ids: torch.Tensor) -> float:
    """The mean loss on a whole text, in blocks of the training length."""
    block = SIZES["block"]
    rows = ids.unfold(0, block + 1, block)  # [N, block + 1]
    return F.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten()).item()
