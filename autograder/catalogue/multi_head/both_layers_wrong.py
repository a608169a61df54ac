"""What goes wrong in both attention layers: the same edits of both references, and the same words."""

from autograder.catalogue.attention.scaled_dot_product_wrong import LOWEST, SHINES_THROUGH
from autograder.catalogue.attention.scaled_dot_product_wrong import MISTAKES as ATTENTION_MISTAKES
from autograder.catalogue.edits import Rewrite, borrowed, wrong
from autograder.catalogue.multi_head.refusals_wrong import refusals
from course_lib.model.attention import scaled_dot_product

EMBED_DIM, NUM_HEADS = 26, 7  # of the case that is to be refused

SCALE = "Which axis does the dot product sum over, and how long is it in one head?"
SUM = "Along which axis of the scores, [B, h, queries, keys], do the weights of one query lie?"
HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"
DETACHED = "Which call in your code cuts the graph: .data, .detach(), torch.tensor?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
PAIR = (
    "scaled_dot_product returns a pair, (values, attention): take it apart.",
    "How many things does scaled_dot_product return?",
)

ATTEND, EXPAND = "(q, k, v, mask)", "expand_mask(mask)"


def of_attention(name, theirs, says="", asks="", **more):
    """A mistake of `scaled_dot_product`, which both layers call."""
    return borrowed(scaled_dot_product, ATTENTION_MISTAKES, theirs, says, asks, called=name, **more)


OF_SCORES = (
    wrong(
        "scaled by the whole width",
        {ATTEND: "(q / self.num_heads**0.5, k, v, mask)"},
        "You divide by √embed_dim; each head only sums over its own d = embed_dim / h features.",
        SCALE,
    ),
    *(
        of_attention(name, theirs, says, asks)
        for name, (theirs, says, asks) in {
            "no scaling": ("no scaling", "The scores are not divided by √d, d being the width of one head.", SCALE),
            "divided by d": (
                "divided by d_k",
                "You divide by the width of a head; the paper divides by its square root.",
                SCALE,
            ),
            "multiplied by √d": ("multiplied by √d_k", "The scores are multiplied by √d instead of divided.", SCALE),
            "softmax over the queries": (
                "softmax over the queries",
                "Your softmax runs over the queries; each query's weights must sum to 1 over the keys.",
                SUM,
            ),
            "softmax over the heads": (
                "softmax over axis 1",
                "Your softmax runs over the heads; each query's weights must sum to 1 over the keys.",
                SUM,
            ),
            "hard choice": ("hard argmax", "", ""),
            "not renormalised": (
                "not renormalised after masking",
                "You mask after the softmax without bringing the rows back to a sum of 1.",
                "What do the weights of a query sum to when half of its keys are hidden?",
            ),
            "mask added to the scores": (
                "mask added as it is",
                "Adding a mask of zeros and ones raises the visible scores by 1; it hides nothing.",
                HIDING,
            ),
            "hidden scores set to zero": (
                "hidden scores set to 0",
                "A hidden score of 0 still has the weight exp(0): fill with a very low number.",
                HIDING,
            ),
        }.items()
    ),
    wrong(
        "hidden scores not low enough",
        {},
        "Your number is not low enough: where all scores are far below it, what is hidden has the highest one.",
        HIDING,
        calling=(scaled_dot_product, Rewrite("filled with −30", {LOWEST: "-30.0"})),
        shown_by=SHINES_THROUGH,
    ),
    wrong(
        "keys taken as values",
        {ATTEND: "(q, k, k, mask)"},
        "You average the keys: the values are never used.",
        "Which of q, k and v does the attention average?",
    ),
    wrong(
        "scores cut from the graph",
        {ATTEND: "(q.detach(), k.detach(), v, mask)"},
        "Queries and keys are cut off from what made them, so their projection cannot learn.",
        DETACHED,
    ),
    wrong("values cut from the graph", {ATTEND: "(q, k, v.detach(), mask)"}),
)

OF_MASKS = (
    wrong(
        "mask transposed",
        {EXPAND: f"{EXPAND}.transpose(-2, -1)"},
        "Your mask lies on its side: rows are queries, columns are keys.",
        "Which axis of the mask belongs to the keys?",
    ),
    wrong(
        "mask not expanded",
        {EXPAND: "mask"},
        "A mask of three axes meets scores of four: without `expand_mask` its batch lines up with the heads.",
        "Which axes does broadcasting line up with which?",
    ),
    wrong(
        "None expanded",
        {f"None if mask is None else {EXPAND}": EXPAND},
        "Without a mask, `mask` is None, and you ask it for its axes all the same.",
        "What is `mask` when the caller gives none?",
    ),
    wrong(
        "mask changed in place",
        {EXPAND: "(mask.unsqueeze_(-3) if mask.dim() < 4 else mask)"},
        "The caller's mask is another one after your call: `&=` and methods that end in _ write into it.",
        "What does the next layer find in the mask?",
        shown_by="the argument mask is another one after the call",
    ),
    wrong("scale lost under a mask", {ATTEND: "(q * (1 if mask is None else q.shape[-1] ** 0.5), k, v, mask)"}),
    wrong("the first mask for all", {EXPAND: f"{EXPAND}[:1, :1]"}),
    wrong("the first head's mask for all", {EXPAND: f"{EXPAND}[:, :1]"}),
    wrong("the first mask kept", {"mask = None if": 'self.kept = mask = getattr(self, "kept", mask); mask = None if'}),
)

OF_BOTH_LAYERS = OF_SCORES + OF_MASKS + refusals("embed_dim", EMBED_DIM, NUM_HEADS)
