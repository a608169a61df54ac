"""What a good assistant would say of heads of `MultiheadAttention` that are cut or merged wrong."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import multihead_heads_mistakes as wrong
from autograder.catalogue.multi_head.multihead_shares import Share
from autograder.catalogue.multi_head.said_of_both import HEADS, SAID

OF_HEADS = (
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
        "backwards: v, k, q",
        wrong.Backwards,
        "You unpack v, k, q; the contract's order is q, k, v.",
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
        *SAID["one head"],
        (Share.VALUES, Share.LAYOUT, Share.RETURNED, Share.MASKS),
    ),
)
