"""expand_mask(mask): 2-D [L, S], 3-D [B, L, S] or 4-D → 4-D [B or 1, h or 1, L, S]."""

import torch

import course_lib.model.masks as reference
from autograder.catalogue.checks import matches
from autograder.catalogue.exercise import Case, Exercise, Misconception, Property


def mask_of(*shape, kind=torch.bool):
    """A case with a random mask of this shape."""
    return lambda g: {"mask": (torch.rand(*shape, generator=g) < 0.5).to(kind)}


def batch_taken_for_heads(mask):
    while mask.ndim < 4:
        mask = mask.unsqueeze(0)
    return mask


def axes_at_the_end(mask):
    while mask.ndim < 4:
        mask = mask.unsqueeze(-1)
    return mask


def always_one_more(mask):
    return mask[None, None] if mask.ndim == 2 else mask.unsqueeze(1)


def two_dimensions_as_batch(mask):
    if mask.ndim == 2:
        return mask[:, None, None, :]
    return mask.unsqueeze(1) if mask.ndim == 3 else mask


def only_two_dimensions(mask):
    return mask[None, None] if mask.ndim == 2 else mask


def transposed(mask):
    mask = mask.transpose(-2, -1)
    if mask.ndim == 2:
        return mask[None, None]
    return mask.unsqueeze(1) if mask.ndim == 3 else mask


def inverted(mask):
    return step_by_step(mask) == 0


def inverted_booleans(mask):
    return step_by_step(~mask)


def booleans_only(mask):
    return step_by_step(mask) & True


def one_more_in_front(mask):
    return mask[None] if mask.ndim < 4 else mask


def a_bias(mask):
    mask = step_by_step(mask)
    return torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)


def left_alone(mask):
    return mask


def first_head_only(mask):
    return step_by_step(mask)[:, :1]


def first_sample_only(mask):
    return step_by_step(mask)[:1]


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
        Property(
            "four dimensions stay as they are",
            1,
            matches("four dimensions"),
            matches("four, one for all heads"),
        ),
    ),
    mistakes=(
        Misconception(
            "batch taken for heads",
            batch_taken_for_heads,
            "A mask [B, L, S] becomes [1, B, L, S]: every sample gets the mask of another, one a head.",
            "Where does the axis of the heads belong: before the batch, or after it?",
            ("[B, L, S] serves every head",),
        ),
        Misconception(
            "new axes at the end",
            axes_at_the_end,
            "The new axes stand at the end; L and S must stay the last two.",
            "Which axes of the scores [B, h, L, S] does the mask line up with?",
            ("[L, S] serves every sample and head", "[B, L, S] serves every head"),
        ),
        Misconception(
            "four dimensions become five",
            always_one_more,
            "A mask that has four dimensions already gets a fifth.",
            "What is there to do for a mask [B, h, L, S]?",
            ("four dimensions stay as they are",),
        ),
        Misconception(
            "[L, S] read as [B, S]",
            two_dimensions_as_batch,
            "You read a mask [L, S] as one row for each sample; in this course two dimensions are query and key.",
            "What do the rows of a causal mask stand for?",
            ("[L, S] serves every sample and head",),
        ),
        Misconception(
            "three dimensions left alone",
            only_two_dimensions,
            "A mask [B, L, S] comes back with three dimensions: it would broadcast its batch against the heads.",
            "How many axes must the result have?",
            ("[B, L, S] serves every head",),
        ),
        Misconception(
            "queries and keys exchanged",
            transposed,
            "Your result is […, S, L]: queries and keys have changed places.",
            "Which axis belongs to the queries?",
            (
                "[L, S] serves every sample and head",
                "[B, L, S] serves every head",
                "four dimensions stay as they are",
            ),
        ),
        Misconception(
            "inverted mask",
            inverted,
            "The mask comes back inverted; only its shape is to change.",
            "Is anything asked here of the mask's entries?",
            (
                "[L, S] serves every sample and head",
                "[B, L, S] serves every head",
                "four dimensions stay as they are",
            ),
        ),
        Misconception(
            "inverted mask, by ~",
            inverted_booleans,
            "The mask comes back inverted; only its shape is to change.",
            "Is anything asked here of the mask's entries?",
            (
                "[L, S] serves every sample and head",
                "[B, L, S] serves every head",
                "four dimensions stay as they are",
            ),
        ),
        Misconception(
            "booleans only",
            booleans_only,
            "Your code works for booleans only; a mask may also hold the numbers 0 and 1.",
            "Which of your operations does a mask of floats not know?",
            ("[L, S] serves every sample and head",),
        ),
        Misconception(
            "one axis more, and no further",
            one_more_in_front,
            "You add one axis in front, whatever the mask has; four are to come out.",
            "How many axes must the result have?",
            ("[L, S] serves every sample and head", "[B, L, S] serves every head"),
        ),
        Misconception(
            "left alone",
            left_alone,
            "The mask comes back as it was: two or three axes do not line up with [B, h, L, S].",
            "How many axes must the result have?",
            ("[L, S] serves every sample and head", "[B, L, S] serves every head"),
        ),
        Misconception(
            "a bias instead of a mask",
            a_bias,
            "These are numbers to add to the scores (0 and −inf); only the mask's shape is to change.",
            "Is anything asked here of the mask's entries?",
            (
                "[L, S] serves every sample and head",
                "[B, L, S] serves every head",
                "four dimensions stay as they are",
            ),
        ),
        Misconception(
            "the first head for all",
            first_head_only,
            "Of a mask [B, h, L, S] you keep the first head alone.",
            "What is there to do for a mask [B, h, L, S]?",
            ("four dimensions stay as they are",),
        ),
        Misconception(
            "the first sample for all",
            first_sample_only,
            "You keep the mask of the first sample alone.",
            "What does a mask [B, L, S] say about the second sample?",
            ("[B, L, S] serves every head", "four dimensions stay as they are"),
        ),
    ),
    hints=(
        "Ask for `mask.ndim` and add what is missing.",
        "`mask.unsqueeze(1)` puts an axis of size 1 behind the batch.",
    ),
    right_variants=(by_view, step_by_step),
)
