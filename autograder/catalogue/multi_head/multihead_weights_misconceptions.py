"""What a good assistant would say of the ways to get the attention weights of `MultiheadAttention` wrong."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import multihead_weights_mistakes as wrong
from autograder.catalogue.multi_head.multihead_shares import Share
from autograder.catalogue.multi_head.said_of_both import SAID, SCALE

OF_WEIGHTS = (
    Misconception(
        "no scaling",
        wrong.NoScaling,
        *SAID["no scaling"],
        (Share.VALUES,),
    ),
    Misconception(
        "divided by d",
        wrong.DividedByWidth,
        *SAID["divided by d"],
        (Share.VALUES,),
    ),
    Misconception(
        "scaled by the whole width",
        wrong.ScaledByModel,
        *SAID["scaled by the whole width"],
        (Share.VALUES,),
    ),
    Misconception(
        "scaled by the input's width",
        wrong.ScaledByInput,
        "You take the width of a head from input_dim; it is embed_dim that the heads share out.",
        SCALE,
        (Share.WIDTH,),
    ),
    Misconception(
        "scaled by the length",
        wrong.ScaledByLength,
        "You divide by the root of the number of tokens; what makes the scores grow is the width of a head.",
        SCALE,
        (Share.VALUES,),
    ),
    Misconception(
        "multiplied by √d",
        wrong.MultipliedByRoot,
        *SAID["multiplied by √d"],
        (Share.VALUES,),
    ),
    Misconception(
        "scaled after the softmax",
        wrong.ScaledAfterSoftmax,
        "You divide the attention weights by √d, and they no longer sum to 1; it is the scores that are scaled.",
        "Before or after the softmax: where does the size of the scores matter?",
        (Share.VALUES,),
    ),
    Misconception(
        "softmax over the queries",
        wrong.OverQueries,
        "Your softmax runs over the queries; each query's weights must sum to 1 over the keys.",
        "Along which axis of [B, h, T, T] do the weights of one query lie?",
        (Share.VALUES, Share.MASK, Share.MASKS),
    ),
    Misconception(
        "softmax over the samples",
        wrong.OverSamples,
        "Your softmax runs over the samples of the batch; each query's weights must sum to 1 over the keys.",
        "Along which axis of [B, h, T, T] do the weights of one query lie?",
        (Share.VALUES, Share.MASK, Share.MASKS, Share.SAMPLES),
    ),
    Misconception(
        "softmax over the heads",
        wrong.OverHeads,
        "Your softmax runs over the heads; each query's weights must sum to 1 over the keys.",
        "Along which axis of [B, h, T, T] do the weights of one query lie?",
        (Share.VALUES, Share.MASK, Share.MASKS),
    ),
    Misconception(
        "no softmax",
        wrong.NoSoftmax,
        "The raw scores are used as weights: they are neither positive nor sum to 1.",
        "What turns scores into weights?",
        (Share.VALUES, Share.MASK, Share.MASKS, Share.RETURNED),
    ),
    Misconception(
        "hard choice",
        wrong.HardArgmax,
        *SAID["hard choice"],
        (Share.VALUES, Share.MASKS),
    ),
    Misconception(
        "causal mask left on",
        wrong.AlwaysCausal,
        "Your layer hides the future even when no mask is given.",
        "What may the first token see when mask is None?",
        (Share.VALUES, Share.MASKS),
    ),
)
