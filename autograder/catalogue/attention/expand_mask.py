"""expand_mask(mask): 2-D [L, S], 3-D [B, L, S] or 4-D → 4-D [B or 1, h or 1, L, S]."""

import torch

import course_lib.model.masks as reference
from autograder.catalogue.attention.expand_mask_mistakes import MISTAKES, OF_THREE, OF_TWO
from autograder.catalogue.attention.shared import common_criterion
from autograder.catalogue.checks import matches, raises
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise


def mask_of(*shape, kind=torch.bool):
    """A case with a random mask of this shape."""
    return lambda g: {"mask": (torch.rand(shape, generator=g) < 0.5).to(kind)}


ERROR = "a mask of other than two, three or four axes is a ValueError"

EXPAND_MASK = Exercise(
    id="expand_mask",
    title="Masks of any rank",
    reference=reference.expand_mask,
    cases=(
        Case("two dimensions", mask_of(5, 7)),
        Case("two dimensions, of numbers", mask_of(7, 5, kind=torch.float32)),
        Case("three dimensions", mask_of(2, 5, 7)),
        Case("three, one query", mask_of(3, 1, 5)),
        Case("three dimensions, of numbers", mask_of(2, 7, 5, kind=torch.float32)),
        Case("four dimensions", mask_of(2, 3, 5, 7)),
        Case("four dimensions, of numbers", mask_of(2, 3, 7, 5, kind=torch.float32)),
        Case("four, one for all heads", mask_of(2, 1, 5, 7)),
        Case("one dimension", mask_of(19)),
        Case("five dimensions", mask_of(11, 1, 13, 1, 17)),
        Case("no dimension", mask_of()),
    ),
    criteria=(
        Criterion(
            "[L, S] serves every sample and head",
            0.75,
            matches("two dimensions"),
            matches("two dimensions, of numbers"),
        ),
        Criterion(
            "[B, L, S] serves every head",
            0.75,
            matches("three dimensions"),
            matches("three, one query"),
            matches("three dimensions, of numbers"),
        ),
        Criterion(
            "four dimensions stay as they are",
            0.5,
            matches("four dimensions"),
            matches("four, one for all heads"),
            matches("four dimensions, of numbers"),
        ),
        Criterion(
            ERROR,
            0.5,
            raises("five dimensions", "ValueError", "11", "13", "17"),
            raises("one dimension", "ValueError", "19"),
            raises("no dimension", "ValueError"),
        ),
        common_criterion("four dimensions"),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "by reshape", {OF_TWO: "mask.reshape(1, 1, *mask.shape)", OF_THREE: "mask.reshape(-1, 1, *mask.shape[1:])"}
        ),
        right("step by step", {f"return {OF_TWO}": "mask = mask.unsqueeze(0)"}),
    ),
)
