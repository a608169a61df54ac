"""What a good assistant would say of each wrong way to write `CrossAttention`."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import cross_mistakes as wrong
from autograder.catalogue.multi_head.cross_mask_misconceptions import OF_MASKS
from autograder.catalogue.multi_head.cross_shares import WHENCE, Share
from autograder.catalogue.multi_head.said_of_both import HEADS, NAMES, SAID

OTHERS = (
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
        "softmax over the queries",
        wrong.OverQueries,
        "Your softmax runs over the queries; each query's weights must sum to 1 over the keys.",
        "Along which axis of [B, h, L, S] do the weights of one query lie?",
        (Share.VALUES, Share.MASK, Share.COMBINED, Share.GRADIENTS),
    ),
    Misconception(
        "view in the place of transpose",
        wrong.ViewForTranspose,
        "You reshape the projections straight to [B, h, T, d]: the shape is right, but heads mix tokens.",
        HEADS,
        (Share.VALUES, Share.MASK, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "heads merged without moving the axis back",
        wrong.MergedStraight,
        "You reshape [B, h, L, d] straight to [B, L, h·d]: tokens and heads are mixed up.",
        HEADS,
        (Share.VALUES, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "every h-th feature",
        wrong.EveryHthFeature,
        "Your head 0 gets the features 0, h, 2h, …; its piece is to be the first d features.",
        HEADS,
        (Share.VALUES,),
    ),
    Misconception(
        "one head",
        wrong.OneHead,
        *SAID["one head"],
        (Share.VALUES,),
    ),
    Misconception(
        "no output projection",
        wrong.NoOutputProjection,
        "out_proj is made but never called.",
        "How does the result get back to the width of the queries?",
        (Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "residual inside",
        wrong.WithResidual,
        "You add the queries to the output; the residual belongs to the block, not to the attention.",
        "What does the layer give when all values are 0?",
        (Share.VALUES,),
    ),
    Misconception(
        "keys taken as values",
        wrong.KeysAsValues,
        "You average the projected keys: values and v_proj are never used.",
        WHENCE,
        (Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "attends to itself",
        wrong.OnlyQueries,
        "Queries, keys and values all come from the first argument: what is in the other sequence makes no difference.",
        WHENCE,
        (Share.PARAMETERS, Share.VALUES, Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "keys for both",
        wrong.KeysForBoth,
        "You project the keys twice; the values are an argument of their own, of another width.",
        WHENCE,
        (Share.PARAMETERS, Share.VALUES),
    ),
    Misconception(
        "output as wide as the heads",
        wrong.ToEmbedDim,
        "Your out_proj leads to embed_dim; the output must have the width of the queries, to be added to them later.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES),
    ),
    Misconception(
        "output as wide as the values",
        wrong.ToValueDim,
        "Your out_proj leads to value_dim; the output must have the width of the queries, to be added to them later.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES),
    ),
    Misconception(
        "another name for out_proj",
        wrong.NamedOProj,
        "Your output projection is called o_proj; in this layer its name is out_proj.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "no biases",
        wrong.NoBias,
        *SAID["no biases"],
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "always causal",
        wrong.AlwaysCausal,
        "Your layer hides the future even when is_causal is False.",
        "May the first target token look at the last source token?",
        (Share.VALUES,),
    ),
    Misconception(
        "cut from the graph",
        wrong.CutFromTheGraph,
        "Queries and keys are cut off from their projections, so these cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "hard choice",
        wrong.HardArgmax,
        *SAID["hard choice"],
        (Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "values cut from the graph",
        wrong.ValuesCutOff,
        "The values are cut off from their projection, so it cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "softmax over the heads",
        wrong.OverHeads,
        "Your softmax runs over the heads; each query's weights must sum to 1 over the keys.",
        "Along which axis of [B, h, L, S] do the weights of one query lie?",
        (Share.VALUES, Share.MASK, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "multiplied by √d",
        wrong.MultipliedByRoot,
        *SAID["multiplied by √d"],
        (Share.VALUES,),
    ),
    Misconception(
        "q and k exchanged",
        wrong.KeysAsQueries,
        "You take the keys for queries: the output has a row for each key, not for each query.",
        WHENCE,
        (
            Share.VALUES,
            Share.MASK,
            Share.MASKS,
            Share.RECTANGLE,
            Share.GRADIENTS,
        ),
    ),
    Misconception(
        "the first mask kept",
        wrong.KeepsTheMask,
        *SAID["the first mask kept"],
        (Share.VALUES, Share.CAUSAL),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        *SAID["dropout by default"],
        (Share.VALUES,),
        shown_by="in training the same inputs give other numbers",
    ),
)

MISCONCEPTIONS = OTHERS + OF_MASKS
