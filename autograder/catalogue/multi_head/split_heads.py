"""split_heads(x, num_heads): [B, T, h·d] → [B, h, T, d]."""

import torch

import course_lib.model.heads as reference
from autograder.catalogue.checks import matches
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.multi_head.shapes import gradients_flow, sizes_of_one_stay
from autograder.catalogue.multi_head.split_heads_wrong import MISTAKES, SPLIT


def tokens(g, *shape, num_heads, **settings):
    return {"x": torch.randn(*shape, generator=g), "num_heads": num_heads} | settings


def counted(g):
    """Two samples of two tokens of six features, numbered."""
    return {"x": torch.arange(24.0).reshape(2, 2, 6), "num_heads": 3}


def by_stacking_chunks(x, h):
    return torch.stack(x.chunk(h, dim=-1), dim=1)


def by_a_loop(x, num_heads, dim=None):
    d = (dim or x.shape[-1]) // num_heads
    heads = [x[..., head * d : (head + 1) * d] for head in range(num_heads)]
    return torch.cat([head.unsqueeze(1) for head in heads], dim=1).contiguous()


def by_einsum(x, num_heads):
    return torch.einsum("bthd->bhtd", x.unflatten(2, (num_heads, x.size(2) // num_heads)))


SPLIT_HEADS = Exercise(
    id="split_heads",
    title="One wide vector, several heads",
    reference=reference.split_heads,
    cases=(
        Case("counted", counted),
        Case("three heads", lambda g: tokens(g, 2, 5, 21, num_heads=3)),
        Case("two heads", lambda g: tokens(g, 3, 7, 10, num_heads=2)),
        Case("one head", lambda g: tokens(g, 2, 5, 3, num_heads=1)),
        Case("one token of one sample", lambda g: tokens(g, 1, 1, 6, num_heads=2)),
        Case("heads of width one", lambda g: tokens(g, 2, 3, 5, num_heads=5)),
        Case("gradient", lambda g: tokens(g, 2, 3, 10, num_heads=2, gradient=True)),
    ),
    properties=(
        Property(
            "each head gets its piece of every token",
            1,
            *(matches(case) for case in ("counted", "three heads", "two heads")),
        ),
        sizes_of_one_stay(
            "heads",
            {"one head": (2, 1, 5, 3), "one token of one sample": (1, 2, 1, 3), "heads of width one": (2, 5, 3, 1)},
        ),
        gradients_flow("heads", ndim=4),
    ),
    mistakes=MISTAKES,
    hints=(
        "Two steps: first the last axis becomes two axes, (h, d); then two axes change places.",
        "`x.reshape(B, T, h, d)` leaves every number where it is; `transpose(1, 2)` moves the heads forward.",
    ),
    right_variants=(
        right("by view and permute", {SPLIT: "view(len(x), -1, num_heads, width // num_heads).permute(0, 2, 1, 3)"}),
        by_stacking_chunks,
        by_a_loop,
        by_einsum,
    ),
)
