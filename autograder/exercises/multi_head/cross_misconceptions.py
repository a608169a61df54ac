"""What a good assistant would say of each wrong way to write `CrossAttention`."""

from autograder.exercise import Misconception
from autograder.exercises.multi_head import cross_mistakes as wrong


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract"
    VALUES = "values"
    MASK = "mask is respected"
    MASKS = "masks of any rank and kind"
    CAUSAL = "query i sees the keys 0 to i"
    RECTANGLE = "causal also when L ≠ S"
    COMBINED = "causality and mask combine"
    GRADIENTS = "gradients reach every parameter"


SCALE = "Which axis does the dot product sum over, and how long is it in one head?"
HEADS = "After which operation do the numbers of one head lie together?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
WHENCE = "Where do the queries come from, where the keys, where the values?"
HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"
TRIANGLE = "Which is the last key that query 0 may see? And query 1?"
AND = "A key is hidden by one of the two masks and visible in the other. Is it seen?"

MISCONCEPTIONS = (
    Misconception(
        "no scaling",
        wrong.NoScaling,
        "The scores are not divided by √d, d being the width of one head.",
        SCALE,
        (Share.VALUES,),
    ),
    Misconception(
        "divided by d",
        wrong.DividedByWidth,
        "You divide by the width of a head; the paper divides by its square root.",
        SCALE,
        (Share.VALUES,),
    ),
    Misconception(
        "scaled by the whole width",
        wrong.ScaledByModel,
        "You divide by √embed_dim; each head only sums over its own d = embed_dim / h features.",
        SCALE,
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
        "num_heads has no effect: your layer attends with a single wide head.",
        "How many attention maps does your layer make?",
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
        "Your projections have no bias; those of the contract have.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "mask forgotten",
        wrong.MaskForgotten,
        "The mask has no effect. `masked_fill` gives a new tensor: is yours kept, and is the mask passed on?",
        HIDING,
        (Share.MASK, Share.MASKS, Share.COMBINED),
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        "You hide what is visible: in this course True means visible.",
        HIDING,
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "mask transposed",
        wrong.MaskTransposed,
        "Your mask lies on its side: rows are queries, columns are keys.",
        "Which axis of the mask belongs to the keys?",
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
        "You mask after the softmax without bringing the rows back to a sum of 1.",
        "What do the weights of a query sum to when half of its keys are hidden?",
        (Share.MASK, Share.MASKS, Share.CAUSAL, Share.RECTANGLE, Share.COMBINED),
    ),
    Misconception(
        "hidden scores set to zero",
        wrong.FilledWithZero,
        "A hidden score of 0 still has the weight exp(0): fill with a very low number.",
        HIDING,
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
        "always causal",
        wrong.AlwaysCausal,
        "Your layer hides the future even when is_causal is False.",
        "May the first target token look at the last source token?",
        (Share.VALUES,),
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
        "cut from the graph",
        wrong.CutFromTheGraph,
        "Queries and keys are cut off from their projections, so these cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "hard choice",
        wrong.HardArgmax,
        "Each query takes its best key alone: no gradient reaches queries and keys.",
        "Is there a gradient through argmax?",
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
        "The scores are multiplied by √d instead of divided.",
        SCALE,
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
        "scale lost under a mask",
        wrong.ScaledWithoutMaskOnly,
        "When a mask is given or made, your scores are no longer divided by √d.",
        "What runs with a mask and what without, and where do you scale?",
        (Share.MASK, Share.MASKS, Share.CAUSAL),
    ),
    Misconception(
        "mask inverted, booleans only",
        wrong.MaskAsCondition,
        "`masked_fill` fills where its condition is True, and so hides what is visible; a mask of 0 and 1 fails.",
        "In `masked_fill(condition, value)`, which entries are filled?",
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
    Misconception(
        "the first mask kept",
        wrong.KeepsTheMask,
        "Your layer keeps the first mask that it gets and uses it for every later call.",
        "Which of your attributes outlive a call of forward?",
        (Share.VALUES, Share.CAUSAL),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        "In training your layer drops something though nobody asked for it; this layer has no dropout.",
        "Which of your calls differs between train and eval?",
        (Share.VALUES,),
        shown_by="in training the same inputs give other numbers",
    ),
)
