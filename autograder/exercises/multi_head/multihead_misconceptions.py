"""What a good assistant would say of each wrong way to write `MultiheadAttention`."""

from autograder.exercise import Misconception
from autograder.exercises.multi_head import multihead_mistakes as wrong


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract"
    VALUES = "values"
    LAYOUT = "q, k and v of a head lie next to each other"
    WIDTH = "input_dim may differ from embed_dim"
    MASK = "mask is respected"
    MASKS = "masks of any rank and kind"
    RETURNED = "the attention, when asked for"
    SAMPLES = "samples do not see each other"
    GRADIENTS = "gradients reach every parameter"
    REFUSAL = "heads that do not divide embed_dim are refused"


HEADS = "After which operation do the numbers of one head lie together?"
SCALE = "Which axis does the dot product sum over, and how long is it in one head?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"
RETURN = "What does forward return with return_attention=True, and what without?"

MISCONCEPTIONS = (
    Misconception(
        "view in the place of transpose",
        wrong.ViewForTranspose,
        "You reshape the projection straight to [B, h, T, 3·d]: the shape is right, but heads mix tokens.",
        HEADS,
        (Share.VALUES, Share.MASK),
    ),
    Misconception(
        "heads merged without moving the axis back",
        wrong.MergedStraight,
        "You reshape [B, h, T, d] straight to [B, T, h·d]: tokens and heads are mixed up.",
        HEADS,
        (Share.VALUES, Share.MASK),
    ),
    Misconception(
        "neither split nor merge moves an axis",
        wrong.BothStraight,
        "You reshape both on the way in and on the way out without moving an axis: heads mix tokens.",
        HEADS,
        (Share.VALUES, Share.MASK),
    ),
    Misconception(
        "laid out as [3, h, d]",
        wrong.ThreeBlocks,
        "Your layer is consistent, but it reads qkv_proj as all queries, all keys, all values. In this course each "
        "head's q, k and v lie next to each other, so published weights would not fit yours.",
        "Which comes first: cutting the projection into heads, or cutting it into q, k and v?",
        (Share.LAYOUT,),
    ),
    Misconception(
        "laid out feature by feature",
        wrong.FeatureByFeature,
        "Within a head you take every third number as query; the first d numbers are the query, the next d the key.",
        "What does chunk(3, dim=-1) do, and what does a reshape to [..., d, 3] do?",
        (Share.VALUES, Share.LAYOUT),
    ),
    Misconception(
        "q and k exchanged",
        wrong.KeyBeforeQuery,
        "You take the keys for queries and the queries for keys.",
        "In which order does the contract name the three parts of a head?",
        (Share.VALUES,),
    ),
    Misconception(
        "v first",
        wrong.ValueFirst,
        "You unpack v, q, k; the contract's order is q, k, v.",
        "In which order does the contract name the three parts of a head?",
        (Share.VALUES, Share.LAYOUT),
    ),
    Misconception(
        "k and v exchanged",
        wrong.ValueBeforeKey,
        "You take the values for keys and the keys for values.",
        "In which order does the contract name the three parts of a head?",
        (Share.VALUES, Share.LAYOUT),
    ),
    Misconception(
        "keys taken as values",
        wrong.KeysAsValues,
        "You average the keys: the values are never used.",
        "Which of q, k and v does the attention average?",
        (Share.VALUES, Share.LAYOUT),
    ),
    Misconception(
        "queries taken as keys",
        wrong.QueriesAsKeys,
        "You compare the queries with themselves: the keys are never used.",
        "What is each query compared with?",
        (Share.VALUES,),
    ),
    Misconception(
        "one head",
        wrong.OneHead,
        "num_heads has no effect: your layer attends with a single wide head.",
        "How many attention maps does your layer make?",
        (Share.VALUES, Share.LAYOUT, Share.RETURNED, Share.MASKS),
    ),
    Misconception(
        "no output projection",
        wrong.NoOutputProjection,
        "o_proj is made but never called: the heads are merged and not mixed.",
        "What comes after the merge in the formula?",
        (Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "residual inside",
        wrong.WithResidual,
        "You add the input to the output; the residual belongs to the block of stage 4, not to the attention.",
        "What would the layer do when input_dim and embed_dim differ?",
        (Share.VALUES, Share.WIDTH),
    ),
    Misconception(
        "ReLU before the output projection",
        wrong.WithReLU,
        "There is no non-linearity between the merge and o_proj.",
        "What comes after the merge in the formula?",
        (Share.VALUES,),
    ),
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
        "The scores are multiplied by √d instead of divided.",
        SCALE,
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
        "Each query takes its best key alone: no gradient reaches queries and keys.",
        "Is there a gradient through argmax?",
        (Share.VALUES, Share.MASKS),
    ),
    Misconception(
        "causal mask left on",
        wrong.AlwaysCausal,
        "Your layer hides the future even when no mask is given.",
        "What may the first token see when mask is None?",
        (Share.VALUES, Share.MASKS),
    ),
    Misconception(
        "mask forgotten",
        wrong.MaskForgotten,
        "The mask has no effect. `masked_fill` gives a new tensor: is yours kept, and is the mask passed on?",
        HIDING,
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        "You hide what is visible: in this course True means visible.",
        HIDING,
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "mask transposed",
        wrong.MaskTransposed,
        "Your mask lies on its side: rows are queries, columns are keys.",
        "Which axis of the mask belongs to the keys?",
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
        "A hidden score of 0 still has the weight exp(0): fill with a very low number.",
        HIDING,
        (Share.MASK, Share.MASKS),
    ),
    Misconception(
        "not renormalised",
        wrong.NotRenormalised,
        "You mask after the softmax without bringing the rows back to a sum of 1.",
        "What do the weights of a query sum to when half of its keys are hidden?",
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
        "batch and tokens exchanged",
        wrong.BatchSecond,
        "Your layer takes the first axis for the tokens, so samples attend to each other. x is [B, T, input_dim].",
        "Which axis of x counts the samples?",
        (Share.VALUES, Share.WIDTH, Share.MASK, Share.MASKS, Share.RETURNED, Share.SAMPLES),
    ),
    Misconception(
        "the input's width in the merge",
        wrong.InputWidth,
        "You reshape to input_dim after the attention; the merged heads are embed_dim wide.",
        "How wide are all heads together?",
        (Share.WIDTH,),
    ),
    Misconception(
        "back to the input's width",
        wrong.BackToInput,
        "Your o_proj leads back to input_dim; the layer's output is embed_dim wide.",
        NAMES,
        (Share.PARAMETERS, Share.WIDTH),
    ),
    Misconception(
        "no biases",
        wrong.NoBias,
        "Your projections have no bias; those of the contract have.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "three projections",
        wrong.ThreeProjections,
        "You project q, k and v apart, as CrossAttention will; here one Linear, qkv_proj, makes all three.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.LAYOUT, Share.GRADIENTS, Share.WIDTH),
    ),
    Misconception(
        "one projection for q and k",
        wrong.SharedQueryAndKey,
        "Queries and keys come from the same rows of your projection: it has 2·embed_dim outputs, not 3·embed_dim.",
        "How many different projections does a head need?",
        (Share.PARAMETERS, Share.VALUES, Share.LAYOUT, Share.WIDTH),
    ),
    Misconception(
        "another name for o_proj",
        wrong.OutProj,
        "Your output projection is called out_proj; in this layer its name is o_proj.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "attention never returned",
        wrong.AttentionNeverReturned,
        "With return_attention=True the result must be the pair (output, attention).",
        RETURN,
        (Share.RETURNED, Share.LAYOUT, Share.MASKS),
    ),
    Misconception(
        "attention always returned",
        wrong.AttentionAlwaysReturned,
        "Without return_attention the result must be the output alone, not a pair.",
        RETURN,
        (Share.RETURNED,),
    ),
    Misconception(
        "attention averaged over the heads",
        wrong.AttentionAveraged,
        "You return one map for all heads; asked for is one map a head, [B, h, T, T].",
        RETURN,
        (Share.RETURNED, Share.MASKS),
    ),
    Misconception(
        "attention first",
        wrong.AttentionFirst,
        "The pair is (output, attention), in this order.",
        RETURN,
        (Share.RETURNED, Share.LAYOUT, Share.MASKS),
    ),
    Misconception(
        "attention transposed",
        wrong.AttentionTransposed,
        "In the attention that you return rows and columns are exchanged: row i belongs to query i.",
        RETURN,
        (Share.RETURNED, Share.MASKS),
    ),
    Misconception(
        "scores returned",
        wrong.ScoresReturned,
        "You return the scores; the attention is what the softmax makes of them.",
        RETURN,
        (Share.RETURNED, Share.MASKS),
    ),
    Misconception(
        "not checked",
        wrong.Unchecked,
        "26 features cannot be shared out among 7 heads, and your layer does not say so.",
        "What would each head get?",
        (Share.REFUSAL,),
    ),
    Misconception(
        "an assert in the place of a ValueError",
        wrong.Asserted,
        "Asserts vanish under `python -O`, and callers expect a ValueError for a wrong argument.",
        "How does one raise an exception of a chosen kind?",
        (Share.REFUSAL,),
    ),
    Misconception(
        "an error without the numbers",
        wrong.WithoutNumbers,
        "Your ValueError does not say which embed_dim and which num_heads came.",
        "What would you want to read if it happened to you?",
        (Share.REFUSAL,),
        shown_by="the message of ValueError does not mention 26, 7",
    ),
    Misconception(
        "input_dim checked in the place of embed_dim",
        wrong.InputChecked,
        "It is embed_dim that the heads share out; input_dim may be any number.",
        "Which of the two widths is cut into heads?",
        (Share.REFUSAL, Share.WIDTH, Share.PARAMETERS),
    ),
    Misconception(
        "cut from the graph",
        wrong.CutFromTheGraph,
        "Queries, keys and values are cut off from their projection, so it cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
)
