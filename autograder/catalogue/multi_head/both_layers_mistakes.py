"""What goes wrong in both attention layers: the same edits of both references, and the same words."""

from autograder.catalogue.attention.scaled_dot_product_mask_mistakes import OF_MASK
from autograder.catalogue.attention.scaled_dot_product_mistakes import LOWEST, MISTAKES, SHINES_THROUGH
from autograder.catalogue.common_mistakes import overwrites, takes_the_weight
from autograder.catalogue.edits import KnownMistake, Rewrite, inherited, mistake, same_as
from autograder.catalogue.multi_head.merge_heads_mistakes import MISTAKES as OF_MERGE
from autograder.catalogue.multi_head.refusals_mistakes import refusals
from autograder.catalogue.multi_head.split_heads_mistakes import MISTAKES as OF_SPLIT
from course_lib.model.attention import scaled_dot_product
from course_lib.model.heads import merge_heads, split_heads

EMBED_DIM, NUM_HEADS = 26, 7  # of the case that is to be refused

SCALE = "Which axis does the dot product sum over, and how long is it in one head?"
HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"
DETACHED = "Which call in your code cuts the graph: .data, .detach(), torch.tensor?"
PAIR = (
    "You use the pair (values, attention) that scaled_dot_product returns as one tensor; unpack it.",
    "How many things does scaled_dot_product return?",
)

ATTEND, EXPAND = "(q, k, v, mask)", "expand_mask(mask)"


def of_parts(*names: str) -> tuple[KnownMistake, ...]:
    """Mistakes of the functions that a layer calls, in the words that they have there."""
    parts = ((scaled_dot_product, MISTAKES + OF_MASK), (split_heads, OF_SPLIT), (merge_heads, OF_MERGE))
    known = {mistake.name: (part, rows, mistake) for part, rows in reversed(parts) for mistake in rows}
    actual = (known[name] for name in names)
    return tuple(
        inherited(part, rows, theirs.name, shown_by=theirs.shown_by).because(theirs.says, theirs.asks)
        for part, rows, theirs in actual
    )


OF_PARTS = of_parts(
    "view instead of transpose",
    "every h-th feature",
    "merged without moving the axis back",
    "scale lost under a mask",
    "softmax over the queries",
    "hard argmax",
    "inverted mask",
    "mask added as it is",
    "hidden scores set to 0",
)

UNMASKED = f"scaled_dot_product{ATTEND.replace('mask', 'None')}[1]"
OF_PARTS_AS_EDITS = tuple(  # two such mistakes can be named at once, which takes edits of the layer itself
    same_as(MISTAKES + OF_MASK, name, {find: instead})
    for name, find, instead in (
        ("no scaling", ATTEND, "(q * q.shape[-1] ** 0.5, k, v, mask)"),
        ("multiplied by √d_k", ATTEND, "(q * q.shape[-1], k, v, mask)"),
        ("scaled by the number of keys", ATTEND, "(q * (q.shape[-1] / k.shape[-2]) ** 0.5, k, v, mask)"),
        ("values cut from the graph", ATTEND, "(q, k, v.detach(), mask)"),
        (
            "not renormalised after masking",
            f"scaled_dot_product{ATTEND}",
            f"(lambda a: (a @ v, a))({UNMASKED} * (1 if mask is None else mask))",
        ),
    )
)

OF_SCORES = (
    mistake("divided twice", {ATTEND: "(q / q.shape[-1] ** 0.5, k, v, mask)"}).because(
        "Your scores are divided by d, the width of a head, and not by √d. scaled_dot_product divides them by √d "
        "already, so pass it q and k unchanged.",
        SCALE,
    ),
    mistake("scaled by the whole width", {ATTEND: "(q / self.num_heads**0.5, k, v, mask)"}).because(
        "You divide by √embed_dim; divide by √d, because each head sums only over its own d = embed_dim / h features.",
        SCALE,
    ),
    inherited(scaled_dot_product, MISTAKES + OF_MASK, "softmax over axis 1", called="softmax over the heads").because(
        "Your softmax runs over the heads; it must run over the keys.",
        "Along which axis of the scores, [B, h, queries, keys], are the weights of one query?",
    ),
    mistake(
        "hidden scores not low enough",
        {},
        calling=(scaled_dot_product, Rewrite("filled with −60", {LOWEST: "-60.0"})),
        shown_by=SHINES_THROUGH,
    ).because(
        takes_the_weight("a hidden key"),
        HIDING,
    ),
    mistake("keys taken as values", {ATTEND: "(q, k, k, mask)"}).because(
        "You average the keys; average the values instead.", "Which of q, k and v does the attention average?"
    ),
    mistake("scores cut from the graph", {ATTEND: "(q.detach(), k.detach(), v, mask)"}).because(
        "Your queries and keys are detached from their projection, so it cannot learn.", DETACHED
    ),
)

OF_MASKS = (
    mistake("mask transposed", {EXPAND: f"{EXPAND}.transpose(-2, -1)"}).because(
        "You transpose the mask; its rows are queries and its columns keys.",
        "Which axis of the mask belongs to the keys?",
    ),
    mistake("mask not expanded", {EXPAND: "mask"}).because(
        "You use a mask of three axes on scores of four, so its batch lines up with the heads; expand it with "
        "`expand_mask`.",
        "Which axes does broadcasting line up with which?",
    ),
    mistake("None expanded", {f"None if mask is None else {EXPAND}": EXPAND}).because(
        "You use the axes of `mask` even if it is None; test for None first.",
        "What is `mask` when the caller gives none?",
    ),
    overwrites(
        "mask",
        {EXPAND: "(mask.unsqueeze_(-3) if mask.dim() < 4 else mask)"},
        "`&=` and methods that end in _ do that, and the next layer gets a different mask.",
        "mask changed in place",
    ),
    mistake("the first mask for all", {EXPAND: f"{EXPAND}[:1, :1]"}).because(
        "You use the mask of the first sample and head for all of them. Give each sample and each head its own.",
        "A mask of [B, h, L, S] differs from head to head. Which of it reaches head 1?",
    ),
    mistake("the first head's mask for all", {EXPAND: f"{EXPAND}[:, :1]"}).because(
        "You use the first head's mask for all heads. Give each head its own.",
        "A mask of [B, h, L, S] differs from head to head. Which of it reaches head 1?",
    ),
    mistake("the first query's mask for all", {EXPAND: f"{EXPAND}[..., :1, :]"}).because(
        "You use the first row of the mask for all queries. Give each query its own row.",
        "What does row i of a mask [L, S] say?",
    ),
    mistake(
        "the last mask kept",
        {"mask = None if": 'self.kept = mask = getattr(self, "kept", None) if mask is None else mask; mask = None if'},
    ).because(
        "Without a mask you use that of an earlier call; hide nothing then.",
        "What does your module store in forward?",
    ),
    mistake(
        "the first mask kept", {"mask = None if": 'self.kept = mask = getattr(self, "kept", mask); mask = None if'}
    ).because(
        "You keep the mask of the first call and use it in later calls. Use the mask of the call.",
        "What does your module store in forward?",
    ),
)

OF_BOTH_LAYERS = OF_PARTS + OF_PARTS_AS_EDITS + OF_SCORES + OF_MASKS + refusals("embed_dim", EMBED_DIM, NUM_HEADS)
