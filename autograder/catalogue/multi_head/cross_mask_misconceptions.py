"""What a good assistant would say of the ways to get the masks of `CrossAttention` wrong."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import cross_mask_mistakes as wrong
from autograder.catalogue.multi_head.cross_shares import AND, TRIANGLE, Share
from autograder.catalogue.multi_head.said_of_both import HIDING, SAID

OF_MASKS = (
    Misconception(
        "mask forgotten",
        wrong.MaskForgotten,
        *SAID["mask forgotten"],
        (Share.MASK, Share.MASKS, Share.COMBINED),
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        *SAID["mask inverted"],
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "mask transposed",
        wrong.MaskTransposed,
        *SAID["mask transposed"],
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "mask not expanded",
        wrong.MaskNotExpanded,
        "A mask [B, L, S] meets scores [B, h, L, S]: without `expand_mask` its batch lines up with the heads.",
        "Which axes does broadcasting line up with which?",
        (Share.MASKS, Share.COMBINED),
    ),
    Misconception(
        "booleans only",
        wrong.BooleansOnly,
        "`~mask` and `&` work for booleans; a mask may also hold 0 and 1.",
        "What is ~1?",
        (Share.MASKS, Share.COMBINED),
    ),
    Misconception(
        "the first mask for all",
        wrong.OneMaskForAll,
        "You use the mask of the first sample and head for all of them.",
        "What does a mask [B, L, S] say about the second sample?",
        (Share.MASKS,),
    ),
    Misconception(
        "not renormalised",
        wrong.NotRenormalised,
        *SAID["not renormalised"],
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "hidden scores set to zero",
        wrong.FilledWithZero,
        *SAID["hidden scores set to zero"],
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "is_causal without effect",
        wrong.NeverCausal,
        "With is_causal=True the queries still see the future.",
        TRIANGLE,
        (Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "triangle one too high",
        wrong.SeesTheNext,
        "Each query sees the key after its own place: the diagonal is one too high.",
        TRIANGLE,
        (Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "triangle one too low",
        wrong.BlindToItself,
        "No query sees the key at its own place: the diagonal is one too low.",
        TRIANGLE,
        (Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "triangle on the wrong side",
        wrong.SeesTheFuture,
        "Your triangle lies on the wrong side: each query sees what comes after it and not what came before.",
        TRIANGLE,
        (Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "triangle aligned at the end",
        wrong.AlignedAtTheEnd,
        "Your triangle starts from the last row and column; here query i sees the keys 0 to i, whatever L and S are.",
        TRIANGLE,
        (Share.RECTANGLE,),
    ),
    Misconception(
        "a square of L",
        wrong.SquareOfQueries,
        "Your triangle is [L, L]: with another number of keys it does not fit the scores [L, S].",
        "Which shape have the scores?",
        (Share.RECTANGLE,),
    ),
    Misconception(
        "a square of S",
        wrong.SquareOfKeys,
        "Your triangle is [S, S]: with another number of queries it does not fit the scores [L, S].",
        "Which shape have the scores?",
        (Share.RECTANGLE,),
    ),
    Misconception(
        "mask lost when causal",
        wrong.MaskLostWhenCausal,
        "With is_causal=True you forget the mask that was given.",
        AND,
        (Share.COMBINED,),
    ),
    Misconception(
        "causality lost when masked",
        wrong.CausalLostWhenMasked,
        "With a mask given you forget is_causal.",
        AND,
        (Share.COMBINED,),
    ),
    Misconception(
        "one or the other",
        wrong.OneOrTheOther,
        "You combine the two masks with or: a key that only one of them hides is seen.",
        AND,
        (Share.COMBINED,),
    ),
    Misconception(
        "scale lost under a mask",
        wrong.ScaledWithoutMaskOnly,
        "When a mask is given or made, your scores are no longer divided by √d.",
        "What runs with a mask and what without, and where do you scale?",
        (Share.MASK, Share.MASKS, Share.CAUSAL),
    ),
    Misconception(
        "mask inverted, booleans only",
        wrong.MaskAsCondition,
        *SAID["mask inverted, booleans only"],
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "given mask inverted",
        wrong.GivenMaskInverted,
        "You turn the given mask round before you combine it with the triangle: in both, True means visible.",
        HIDING,
        (Share.MASK, Share.MASKS, Share.COMBINED),
    ),
    Misconception(
        "booleans only when causal",
        wrong.BooleansOnlyWhenCausal,
        "`&` combines booleans; a mask of floats has to become one first: `.bool()`.",
        "Which type has a mask of 0.0 and 1.0?",
        (Share.COMBINED,),
    ),
    Misconception(
        "the first triangle kept",
        wrong.KeepsTheTriangle,
        "Your layer keeps the triangle of its first call, and a later sequence may be longer.",
        "Which of your attributes outlive a call of forward?",
        (Share.CAUSAL,),
    ),
)
