"""What goes wrong in the scores of `GroupedQueryAttention`, and in the softmax of them."""

from autograder.catalogue.common_mistakes import cut_off_scores, takes_the_weight
from autograder.catalogue.edits import mistake
from autograder.catalogue.language_model.grouped_query_cache_mistakes import ROTATED

MIXED = "mixed, _ = scaled_dot_product(q, k, v, mask)"
SCORED = "scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5"
SHINES_THROUGH = "where all scores are far below 0, a later token shines through"
OVERFLOWS = "large scores give NaN or infinity"

SCORE_MISTAKES = (
    mistake("not scaled", {MIXED: "mixed, _ = scaled_dot_product(q * q.shape[-1] ** 0.5, k, v, mask)"}).because(
        "Your scores are not divided by √d.", "What is the variance of q · k for d features?"
    ),
    mistake(
        "scaled by the width of the model",
        {MIXED: "mixed, _ = scaled_dot_product(q / self.num_heads**0.5, k, v, mask)"},
    ).because(
        "You divide by the root of model_dim; divide by the root of the head width.",
        "How many products does q · k add up?",
    ),
    mistake("scaled twice", {MIXED: "mixed, _ = scaled_dot_product(q / q.shape[-1] ** 0.5, k, v, mask)"}).because(
        "Your scores are divided by √d twice, that is by d. Divide once: scaled_dot_product already does it.",
        "Which of your lines make the scores smaller, and by how much?",
    ),
    mistake(
        "softmax over the queries",
        {
            MIXED: "scores = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~mask, -1e9)\n"
            "        mixed = torch.softmax(scores, dim=-2) @ v"
        },
    ).because(
        "Your weights sum to 1 over the queries; they should sum to 1 over the keys.",
        "Along which axis are the weights of one query?",
    ),
    mistake(
        "masked after the softmax",
        {MIXED: "mixed = (torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1) * mask) @ v"},
    ).because(
        "You mask after the softmax, so the weights of the visible keys do not sum to 1.",
        "What do the weights of the first token sum to?",
    ),
    mistake(
        "mask added to the scores",
        {MIXED: "mixed = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + mask.to(q.dtype)).softmax(dim=-1) @ v"},
    ).because(
        "You add your mask, 1 or 0, to the scores, and that hides nothing: set the scores of later keys to −∞.",
        "What does softmax give a score of 0, and what does it give −∞?",
    ),
    mistake(
        "queries and keys normalised",
        {ROTATED: f"q, keys = (nn.functional.normalize(heads, dim=-1) for heads in (q, keys))\n        {ROTATED}"},
    ).because(
        "You give all queries and keys length 1. Some models do (QK norm), but here scores are plain products.",
        "In the formula, is q divided by anything but √d?",
    ),
    *(
        mistake(
            name, {MIXED: f"{SCORED}\n        mixed = scores.masked_fill({hidden}, -torch.inf).softmax(dim=-1) @ v"}
        ).because(says, asks)
        for name, hidden, says, asks in (
            (
                "minus infinity where the mask is True",
                "mask",
                "You fill where your mask is True, and that's where the query may look: fill where it is False, ~mask.",
                "What does True mean in your mask, and where does masked_fill fill?",
            ),
            (
                "minus infinity on the diagonal as well",
                "~mask.tril(past - 1)",
                "The token at P + i doesn't see itself, so the first one sees nothing. It sees P + i + 1 keys, its own "
                "among them.",
                "How many keys does the very first token of a text see?",
            ),
        )
    ),
    mistake(
        "weights dropped in training",
        {
            MIXED: f"{SCORED}\n        weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)\n"
            "        mixed = nn.functional.dropout(weights, 0.1, self.training) @ v"
        },
    ).because("You apply dropout in training; this exercise has none.", "Does the contract have a dropout?"),
    mistake(
        "mask multiplied with the scores",
        {MIXED: "mixed = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 * mask).softmax(dim=-1) @ v"},
    ).because(
        "Hidden keys have a score of 0, as when the scores are multiplied by the mask, and softmax gives 0 a weight: "
        "set these scores to −∞.",
        "What does softmax give a score of 0, and what does it give −∞?",
    ),
    mistake(
        "later scores not low enough",
        {MIXED: f"{SCORED}\n        mixed = scores.masked_fill(~mask, -1000.0).softmax(dim=-1) @ v"},
        shown_by=SHINES_THROUGH,
    ).because(
        takes_the_weight("a later token"),
        "What must the score of a later token be, whatever the others are?",
    ),
    *cut_off_scores(
        lambda limits: {
            MIXED: f"{SCORED}.clamp({limits})\n"
            "        mixed = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1) @ v"
        }
    ),
    mistake(
        "−10,000 added to later scores",
        {MIXED: f"{SCORED}\n        mixed = (scores - 10000.0 * ~mask).softmax(dim=-1) @ v"},
        shown_by=SHINES_THROUGH,
    ).because(
        takes_the_weight("a later token"),
        "What must the score of a later token be, whatever the others are?",
    ),
    mistake(
        "exp of large scores",
        {
            MIXED: f"{SCORED}\n        weights = scores.exp() * mask\n"
            "        mixed = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-38) @ v"
        },
        shown_by=OVERFLOWS,
    ).because(
        "You take exp of the scores as they are, which overflows above 88; subtract the row's largest score first.",
        "What is exp(1000) in float32?",
    ),
)
