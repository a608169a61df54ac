"""What a good assistant would say of the ways to get the mask of `MultiheadAttention` wrong."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import multihead_mask_mistakes as wrong
from autograder.catalogue.multi_head.multihead_shares import Share
from autograder.catalogue.multi_head.said_of_both import HIDING, SAID

OF_MASKS = (
    Misconception(
        "mask forgotten",
        wrong.MaskForgotten,
        *SAID["mask forgotten"],
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        *SAID["mask inverted"],
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "mask inverted, by ~",
        wrong.MaskInvertedByTilde,
        "You hide what is visible: in this course True means visible; and `~mask` is no opposite of 0 and 1.",
        HIDING,
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "mask inverted, booleans only",
        wrong.MaskAsCondition,
        *SAID["mask inverted, booleans only"],
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "scale lost under a mask",
        wrong.ScaledWithoutMaskOnly,
        "When a mask is given, your scores are no longer divided by √d.",
        "What runs with a mask and what without, and where do you scale?",
        (Share.MASK,),
    ),
    Misconception(
        "mask transposed",
        wrong.MaskTransposed,
        *SAID["mask transposed"],
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "mask added to the scores",
        wrong.MaskAdded,
        "Adding a mask of zeros and ones raises the visible scores by 1; it hides nothing.",
        HIDING,
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "hidden scores set to zero",
        wrong.FilledWithZero,
        *SAID["hidden scores set to zero"],
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "not renormalised",
        wrong.NotRenormalised,
        *SAID["not renormalised"],
        (Share.MASK,),
    ),
    Misconception(
        "mask not expanded",
        wrong.MaskNotExpanded,
        "A mask [B, T, T] meets scores [B, h, T, T]: without `expand_mask` its batch lines up with the heads.",
        "Which axes does broadcasting line up with which?",
        (Share.MASKS,),
    ),
    Misconception(
        "booleans only",
        wrong.BooleansOnly,
        "`~mask` works for booleans only; a mask may also hold 0 and 1. `mask == 0` serves all.",
        "What is ~1?",
        (Share.MASKS,),
    ),
    Misconception(
        "the first mask for all",
        wrong.OneMaskForAll,
        "You use the mask of the first sample and head for all of them.",
        "What does a mask [B, T, T] say about the second sample?",
        (Share.MASKS,),
    ),
    Misconception(
        "the first head's mask for all",
        wrong.OneHeadsMask,
        "Of a mask [B, h, T, T] you use the first head for all of them.",
        "What does a mask [B, h, T, T] say about the second head?",
        (Share.MASKS,),
    ),
)
