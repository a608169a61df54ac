"""padding_mask(lengths, max_len=None) → bool [B, max_len]; True = real token."""

import torch

import course_lib.model.masks as reference
from autograder.catalogue.attention.padding_mask_mistakes import MISTAKES, NO_LIST
from autograder.catalogue.attention.shared import boolean_and_kept
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.exercise import Case, Criterion, Exercise


def lengths(g, low=1, high=7, count=6):
    """So many lengths, the longest of them neither the first nor the last."""
    drawn = torch.randint(low, 6, (count,), generator=g)
    drawn[3] = torch.randint(high, high + 5, (), generator=g)
    drawn[0], drawn[1], drawn[-1] = 2, low, 4
    return drawn


def by_a_loop(lengths, max_len=None):
    width = max_len or int(max(lengths))
    mask = torch.zeros(len(lengths), width, dtype=torch.bool)
    for row, length in enumerate(lengths):
        mask[row, :length] = True
    return mask


PADDING_MASK = Exercise(
    id="padding_mask",
    title="The padding mask",
    reference=reference.padding_mask,
    cases=(
        Case("lengths", lambda g: {"lengths": lengths(g, count=17)}),  # more than the longest of them
        Case("longer ones", lambda g: {"lengths": lengths(g, high=13)}),
        Case("a longer max_len", lambda g: {"lengths": lengths(g), "max_len": 13}),
        Case("an empty sequence", lambda g: {"lengths": lengths(g, low=0), "max_len": 12}),
        Case("a list", lambda g: {"lengths": lengths(g).tolist()}),
    ),
    criteria=(
        Criterion("real tokens", 1, matches("lengths", "mask"), matches("longer ones", "mask")),
        Criterion("max_len", 0.5, matches("a longer max_len", "mask")),
        Criterion("a list of lengths", 0.5, is_true("a list", ["taken"], bool, NO_LIST)),
        Criterion("an empty sequence", 0.5, matches("an empty sequence", "mask")),
        boolean_and_kept("lengths"),
    ),
    mistakes=MISTAKES,
    right_variants=(by_a_loop,),
)
