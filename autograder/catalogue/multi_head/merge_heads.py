"""merge_heads(x): [B, h, T, d] → [B, T, h·d]."""

import torch

import course_lib.model.heads as reference
from autograder.catalogue.checks import matches, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.multi_head.merge_heads_mistakes import JOIN, MISTAKES, MOVE
from autograder.catalogue.multi_head.shapes import gradients_flow, sizes_of_one_stay


def heads(g, *shape, **settings):
    return {"x": torch.randn(*shape, generator=g)} | settings


def counted(g):
    """Two samples, three heads, two tokens, numbered."""
    return {"x": torch.arange(24.0).reshape(2, 3, 2, 2)}


def by_einsum(heads):
    return torch.einsum("bhtd->bthd", heads).flatten(start_dim=2)


MERGE_HEADS = Exercise(
    id="merge_heads",
    title="Several heads, one wide vector",
    reference=reference.merge_heads,
    cases=(
        Case("counted", counted),
        Case("three heads", lambda g: heads(g, 2, 3, 5, 7)),
        Case("two heads", lambda g: heads(g, 3, 2, 7, 5)),
        Case("one head", lambda g: heads(g, 2, 1, 5, 3)),
        Case("one token of one sample", lambda g: heads(g, 1, 2, 1, 3)),
        Case("heads of width one", lambda g: heads(g, 2, 5, 3, 1)),
        Case("whole numbers", lambda g: {"x": torch.arange(12).reshape(1, 2, 3, 2)}),
        Case("gradient", lambda g: heads(g, 2, 3, 5, 2, gradient=True)),
    ),
    criteria=(
        Criterion("the pieces side by side", 1, *(matches(case) for case in ("counted", "three heads", "two heads"))),
        sizes_of_one_stay(
            "merged", {"one head": (2, 5, 3), "one token of one sample": (1, 1, 6), "heads of width one": (2, 3, 5)}
        ),
        gradients_flow("merged", ndim=3),
        common_criterion(0.5, where(matches("counted"), matches("whole numbers"))),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("by permute and view", {MOVE + JOIN: ".permute(0, 2, 1, 3).contiguous().view(len(x), x.shape[2], -1)"}),
        right("by concatenation", {f"x{MOVE}{JOIN}": "torch.cat(list(x.unbind(1)), dim=-1)"}),
        by_einsum,
    ),
)
