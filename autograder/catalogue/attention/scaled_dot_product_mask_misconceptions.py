"""What a good assistant would say of the ways to get the mask wrong."""

from autograder.catalogue.attention import scaled_dot_product_mistakes as wrong
from autograder.catalogue.attention.scaled_dot_product_shares import LEADING
from autograder.catalogue.exercise import Misconception

OF_MASKS = (
    Misconception(
        "inverted mask",
        wrong.inverted_mask,
        "Your mask is inverted: here 0 (False) means hidden, and you hide what should be seen.",
        "In `masked_fill(condition, value)`, which entries are filled?",
        ("mask is respected",),
    ),
    Misconception(
        "mask ignored",
        wrong.mask_thrown_away,
        "The mask has no effect. `masked_fill` returns a new tensor and leaves the old one as it was.",
        "Where does the result of `masked_fill` go?",
        ("mask is respected",),
    ),
    Misconception(
        "hidden scores set to 0",
        wrong.filled_with_zero,
        "You set the hidden scores to 0 (or almost: −1e-9 is not −1e9); exp(0) = 1, so a hidden key gets weight.",
        "Which score does exp turn into 0?",
        ("mask is respected",),
    ),
    Misconception(
        "mask added as it is",
        wrong.mask_added,
        "You add the mask itself to the scores: visible keys gain 1 and hidden ones lose nothing.",
        "What should be added to the score of a hidden key?",
        ("mask is respected",),
    ),
    Misconception(
        "not renormalised after masking",
        wrong.not_renormalised,
        "You set weights to 0 after the softmax and leave the rest as they are: they no longer sum to 1.",
        "How much weight is lost when a key is hidden, and who should get it?",
        ("mask is respected",),
    ),
    Misconception(
        "filled after the softmax",
        wrong.hidden_after_softmax,
        "You put −1e9 in the place of weights; a very low number makes a weight of 0 only if a softmax follows.",
        "Is it the scores or the weights that you fill?",
        ("mask is respected",),
    ),
    Misconception(
        "inverted mask, booleans only",
        wrong.inverted_booleans,
        "`masked_fill` fills where its condition is True, and so hides what should be seen; a mask of 0 and 1 fails.",
        "In `masked_fill(condition, value)`, which entries are filled?",
        ("mask is respected", "a mask may be boolean or 0/1"),
    ),
    Misconception(
        "booleans only",
        wrong.booleans_only,
        "`~mask` works for booleans only; a mask may also hold 0 and 1. `mask == 0` serves all.",
        "What is ~1?",
        ("a mask may be boolean or 0/1",),
    ),
    Misconception(
        "hidden scores set to a high number",
        wrong.filled_with_a_high_number,
        "You give the hidden scores a very high number, so that they get all the weight; the sign is wrong.",
        "Which score does exp turn into 0?",
        ("mask is respected",),
    ),
    Misconception(
        "hidden scores set to −1",
        wrong.filled_with_minus_one,
        "A score of −1 still has the weight exp(−1): fill with a very low number.",
        "Which score does exp turn into 0?",
        ("mask is respected",),
    ),
    Misconception(
        "hidden scores not low enough",
        wrong.filled_with_minus_ten,
        "Next to other low scores, −10 still gets weight: fill with a far lower number.",
        "Which score does exp turn into 0?",
        ("mask is respected",),
    ),
    Misconception(
        "one mask for all samples",
        wrong.one_mask_for_all,
        "You use the mask of the first sample for all of them.",
        "What does a mask [B, 1, L, S] say about the second sample?",
        ("mask is respected",),
    ),
    Misconception(
        "mask transposed",
        wrong.transposed_mask,
        "Your mask lies on its side: its rows are queries, its columns are keys.",
        "Which axis of the mask belongs to the keys?",
        ("mask is respected", "a mask may be boolean or 0/1", "a query that sees nothing gives no NaN", LEADING),
    ),
    Misconception(
        "an axis for heads put into the mask",
        wrong.mask_with_an_axis_for_heads,
        "You add an axis to a mask of three; q, k and v need not have heads here, and it fits the scores as it is.",
        "Which shape have the scores of q [B, L, d_k]?",
        (LEADING,),
    ),
    Misconception(
        "scale lost under a mask",
        wrong.scaled_without_mask_only,
        "When a mask is given, your scores are no longer divided by √d_k.",
        "What runs with a mask and what without, and where do you scale?",
        ("mask is respected",),
    ),
    Misconception(
        "values made before the mask",
        wrong.values_before_the_mask,
        "Your attention is masked, but the values were averaged with the weights from before.",
        "Which weights do you multiply with v?",
        ("mask is respected",),
    ),
    Misconception(
        "attention from before the mask",
        wrong.attention_before_the_mask,
        "Your values are masked, but the attention that you return is the one from before.",
        "Which of your variables holds the weights that v was multiplied with?",
        ("mask is respected",),
    ),
)
