"""split_heads(x, num_heads): [B, T, h·d] → [B, h, T, d]."""

import torch

import course_lib.model.heads as reference
from autograder.catalogue.checks import matches, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.multi_head.shapes import gradients_flow, sizes_of_one_stay
from autograder.catalogue.multi_head.split_heads_mistakes import MISTAKES, SPLIT


def tokens(g, *shape, num_heads, **settings):
    return {"x": torch.randn(*shape, generator=g), "num_heads": num_heads} | settings


def counted(g):
    """Two samples of two tokens of six features, numbered."""
    return {"x": torch.arange(24.0).reshape(2, 2, 6), "num_heads": 3}


REFUSED = "heads that do not divide the width are refused"

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
        Case("whole numbers", lambda g: {"x": torch.arange(12).reshape(1, 3, 4), "num_heads": 2}),
        Case("gradient", lambda g: tokens(g, 2, 3, 10, num_heads=2, gradient=True)),
        Case("17 features for 3 heads", lambda g: tokens(g, 2, 5, 17, num_heads=3)),
    ),
    criteria=(
        Criterion(
            "each head gets its piece of every token",
            1,
            *(matches(case) for case in ("counted", "three heads", "two heads")),
        ),
        sizes_of_one_stay(
            "heads",
            {"one head": (2, 1, 5, 3), "one token of one sample": (1, 2, 1, 3), "heads of width one": (2, 5, 3, 1)},
        ),
        gradients_flow("heads", ndim=4),
        Criterion(REFUSED, 0.25, raises("17 features for 3 heads", "ValueError", "17", "3")),
        common_criterion(0.25, where(matches("counted"), matches("whole numbers"))),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("by view and permute", {SPLIT: "view(len(x), -1, num_heads, width // num_heads).permute(0, 2, 1, 3)"}),
        right("by einsum", {f"x.{SPLIT}": 'torch.einsum("bthd->bhtd", x.unflatten(2, (num_heads, -1)))'}),
        right(
            "head by head",
            {
                f"x.{SPLIT}": "torch.cat([x[:, None, :, h * d : (h + 1) * d] for h in range(num_heads)], dim=1)",
                "    return": "    d = width // num_heads\n    return",
            },
        ),
    ),
)
