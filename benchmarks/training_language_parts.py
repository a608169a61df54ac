"""Which part of stage 13's gain over nanoGPT's recipe comes from what: one change after another, the same CPU seconds.

The first rung is a plain GPT with nanoGPT's sizes and rate, the last is stage 13's recipe; each differs from the one
above it in one thing. All train on one thread with one loop, one on each core, and the rate is warmed up and brought
down within the CPU seconds; how many steps these are is found with a few that are thrown away. Page 13 shows the losses
as a picture.
"""

import math
from dataclasses import replace
from statistics import mean
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

from benchmarks.language_seconds import seconds_and_model, steps_within
from benchmarks.measure import entry, side_by_side
from course_lib.model.grouped_query import Cache, GroupedQueryAttention
from course_lib.model.language_model import LanguageModel
from course_lib.tasks.language import SHAKESPEARE, SIZES, TextTask, shakespeare_task
from course_lib.training.language import LanguageRecipe

PARTS = ("positions", "norm", "gate", "groups")


class Rung(NamedTuple):
    """A model and its training. `parts`: which of `PARTS` are stage 13's; the others are a plain GPT's."""

    name: str
    sizes: dict
    recipe: LanguageRecipe
    parts: tuple[str, ...]


class Size(NamedTuple):
    """CPU seconds of a training, steps that one is timed by, seeds, characters of the validation text (None: all)."""

    seconds: float
    tried: int
    seeds: int
    characters: int | None


FULL, TINY = Size(45.0, 30, 2, None), Size(0.1, 2, 1, 700)


def ladder() -> list[Rung]:
    """From nanoGPT's recipe to stage 13's, one change at a time."""
    plain = LanguageRecipe(learning_rate=1e-3, batch_size=12, block=64, max_steps=2_000)
    quick = replace(plain, learning_rate=SHAKESPEARE.learning_rate)
    long = replace(quick, batch_size=SHAKESPEARE.batch_size, block=SHAKESPEARE.block)
    rungs = [
        Rung("a plain GPT, 128 × 4", dict(model_dim=128, num_heads=4, num_layers=4, hidden_dim=341), plain, ()),
        Rung("size: 96 × 3", SIZES, plain, ()),
        Rung("rate: 5e-3 for 1e-3", SIZES, quick, ()),
        Rung("positions: rotated", SIZES, quick, PARTS[:1]),
        Rung("norm: RMSNorm", SIZES, quick, PARTS[:2]),
        Rung("gate: SwiGLU", SIZES, quick, PARTS[:3]),
        Rung("groups: 2 of 4 heads", SIZES, quick, PARTS),
        Rung("batch: 8 × 128 for 12 × 64", SIZES, long, PARTS),
        Rung("optimizer: Muon", SIZES, SHAKESPEARE, PARTS),
    ]
    return [rung._replace(recipe=replace(rung.recipe, warmup=SHAKESPEARE.warmup)) for rung in rungs]


def run(size: Size = FULL) -> list[dict]:
    """Of each rung the mean loss on the validation text, in nats per character, against the rung above it."""
    task, rungs = shakespeare_task(), ladder()
    task = replace(task, validation_ids=task.validation_ids[: size.characters])
    jobs = [(task, rung, size, seed) for rung in rungs for seed in range(size.seeds)]
    losses = side_by_side(loss_after, jobs, size.seeds)
    means = [mean(losses[n : n + size.seeds]) for n in range(0, len(losses), size.seeds)]
    print(*(f"{rung.name}: {loss:.3f}" for rung, loss in zip(rungs, means, strict=True)), sep="\n", flush=True)
    return [
        entry(f"Shakespeare, {rung.name}", loss, above, "nats", None)
        for rung, loss, above in zip(rungs[1:], means[1:], means, strict=False)
    ]


def loss_after(task: TextTask, rung: Rung, size: Size, seed: int) -> float:
    """The loss on the validation text, in blocks of the training length, after so many CPU seconds."""
    task = replace(task, recipe=rung.recipe, model={"vocab_size": len(task.tokens), "rung": rung})
    steps = steps_within(task, size.seconds, size.tried, seed, model_of)
    seconds, model = seconds_and_model(task, steps, seed, model_of)
    loss = task.loss(model)
    print(f"  {rung.name}, seed {seed}: {steps} steps in {seconds:.1f} CPU s, {loss:.3f}", flush=True)
    return loss


def model_of(vocab_size: int, rung: Rung) -> LanguageModel:
    """Stage 13's model, with a plain GPT's parts in place of those that the rung does not have."""
    sizes = rung.sizes if "groups" in rung.parts else rung.sizes | {"num_kv_heads": rung.sizes["num_heads"]}
    model, dim = LanguageModel(vocab_size, **sizes), sizes["model_dim"]
    for block in model.blocks:
        if "norm" not in rung.parts:
            block.attention_norm, block.feed_forward_norm = (nn.LayerNorm(dim, bias=False) for _ in range(2))
        if "gate" not in rung.parts:
            block.feed_forward = Wide(dim, sizes["num_layers"])
        if "positions" not in rung.parts:
            block.attention = Unrotated(block.attention)
    if "norm" not in rung.parts:
        model.norm = nn.LayerNorm(dim, bias=False)
    if "positions" not in rung.parts:
        model.embedding = Placed(model.embedding, rung.recipe.block + 1)  # a batch has one token more
    return model


class Wide(nn.Module):
    """Two matrices, four times wider inside, with GELU: the parameters of SwiGLU at 8/3."""

    def __init__(self, dim: int, num_layers: int):
        super().__init__()
        self.wider, self.narrower = nn.Linear(dim, 4 * dim, bias=False), nn.Linear(4 * dim, dim, bias=False)
        nn.init.normal_(self.wider.weight, std=0.02)
        nn.init.normal_(self.narrower.weight, std=0.02 / math.sqrt(2 * num_layers))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.narrower(F.gelu(self.wider(x)))


class Placed(nn.Module):
    """A learned vector for each position, added to the token's."""

    def __init__(self, embedding: nn.Embedding, length: int):
        super().__init__()
        self.tokens, self.positions = embedding, nn.Embedding(length, embedding.embedding_dim)
        nn.init.normal_(self.positions.weight, std=0.02)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.tokens(tokens) + self.positions.weight[: tokens.shape[1]]  # [B, T, D]


class Unrotated(nn.Module):
    """The same projections, and queries and keys as they come; torch's fused attention."""

    def __init__(self, layer: GroupedQueryAttention):
        super().__init__()
        self.num_heads = layer.num_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = layer.q_proj, layer.k_proj, layer.v_proj, layer.o_proj

    def forward(self, x: torch.Tensor, cache: None = None) -> tuple[torch.Tensor, Cache]:
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )  # [B, h, T, d]
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # [B, h, T, d]
        return self.o_proj(mixed.transpose(1, 2).flatten(2)), (k, v)
