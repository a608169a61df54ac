"""expand_mask(mask): 2-D [L, S], 3-D [B, L, S] or 4-D → 4-D [B or 1, h or 1, L, S]."""

import torch

import course_lib.model.masks as reference
from autograder.catalogue.attention.expand_mask_wrong import MISTAKES
from autograder.catalogue.checks import matches
from autograder.catalogue.exercise import Case, Exercise, Property


def mask_of(*shape, kind=torch.bool):
    """A case with a random mask of this shape."""
    return lambda g: {"mask": (torch.rand(*shape, generator=g) < 0.5).to(kind)}


def by_view(mask):
    *leading, queries, keys = mask.shape
    if len(leading) == 2:
        return mask
    return mask.reshape(leading[0] if leading else 1, 1, queries, keys)


def step_by_step(m):
    if m.dim() == 2:
        m = m.unsqueeze(0)
    if m.dim() == 3:
        m = m.unsqueeze(1)
    return m


EXPAND_MASK = Exercise(
    id="expand_mask",
    title="Masks of any rank",
    reference=reference.expand_mask,
    cases=(
        Case("two dimensions", mask_of(5, 7)),
        Case("two dimensions, of numbers", mask_of(7, 5, kind=torch.float32)),
        Case("three dimensions", mask_of(2, 5, 7)),
        Case("three, one query", mask_of(3, 1, 5)),
        Case("four dimensions", mask_of(2, 3, 5, 7)),
        Case("four, one for all heads", mask_of(2, 1, 5, 7)),
    ),
    properties=(
        Property(
            "[L, S] serves every sample and head", 1, matches("two dimensions"), matches("two dimensions, of numbers")
        ),
        Property("[B, L, S] serves every head", 1, matches("three dimensions"), matches("three, one query")),
        Property("four dimensions stay as they are", 1, matches("four dimensions"), matches("four, one for all heads")),
    ),
    mistakes=MISTAKES,
    hints=(
        "Ask for `mask.ndim` and add what is missing.",
        "`mask.unsqueeze(1)` puts an axis of size 1 behind the batch.",
    ),
    right_variants=(by_view, step_by_step),
)
