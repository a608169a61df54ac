"""What a good assistant would say of the ways to return the attention of `MultiheadAttention` wrong."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import multihead_result_mistakes as wrong
from autograder.catalogue.multi_head.multihead_shares import RETURN, Share

OF_THE_RESULT = (
    Misconception(
        "attention never returned",
        wrong.AttentionNeverReturned,
        "With return_attention=True the result must be the pair (output, attention).",
        RETURN,
        (Share.RETURNED, Share.LAYOUT, Share.MASKS),
    ),
    Misconception(
        "attention alone",
        wrong.AttentionAlone,
        "With return_attention=True the result must be the pair (output, attention), not the attention alone.",
        RETURN,
        (Share.RETURNED, Share.LAYOUT, Share.MASKS),
    ),
    Misconception(
        "the flag turned round",
        wrong.FlagTurned,
        "You return the attention when nobody asks for it, and leave it out when somebody does.",
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
)
