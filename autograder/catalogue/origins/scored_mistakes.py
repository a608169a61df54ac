"""What goes wrong in both scored attentions: the same edits of both references, and the same words."""

from autograder.catalogue.common_mistakes import (
    cut_off_scores,
    drops_in_training,
    in_double_precision,
    overwrites,
    takes_the_weight,
)
from autograder.catalogue.edits import mistake

FILL = "masked_fill(mask == 0, torch.finfo(scores.dtype).min)"
MASKED = f"            scores = scores.{FILL}\n"
WEIGHTS = "attention = softmax(scores, dim=-1)"
BY_HAND = "attention = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)"
CONTEXT = "(attention.unsqueeze(-1) * keys).sum(dim=1)"
RESULT = "return context, attention"
IF_MASKED = "if mask is not None:"
BODY = "    ) -> tuple[torch.Tensor, torch.Tensor]:\n"
KEYS_OF_ZEROS = "        keys = keys if mask is None else keys.masked_fill(mask.logical_not().unsqueeze(-1), 0.0)\n"
ZEROED_BESIDE = {
    MASKED: "            away = mask == 0\n"
    "            keys = keys.masked_fill(away.unsqueeze(-1), 0.0)\n"
    "            scores = scores.masked_fill(away, torch.finfo(scores.dtype).min)\n"
}
RENORMALISED = (
    "\n        if mask is not None:\n            attention = attention * (mask != 0)\n"
    "            attention = attention / attention.sum(dim=-1, keepdim=True){}"
)
ZEROED = {BODY: f"{BODY}{KEYS_OF_ZEROS}"}

SUM = "Along which axis of the scores, [B, S], are the weights of one query?"
AVERAGE = "What is averaged, with which weights, and over which axis?"
HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"
LARGE = "What is exp(1000) in float32?"
NOTHING = "What is exp(−inf) / sum(exp(−inf)) in a row of nothing but −inf?"
PAIR = "What does the docstring say forward returns, in which order and shapes?"
SHINES_THROUGH = "where all scores are far below 0, a hidden key still has an effect"
OVERFLOWS = "large scores give NaN or infinity"
SEES_NOTHING = "a query that sees no key gives NaN"


OF_WEIGHTS = (
    mistake("softmax over the batch", {"softmax(scores, dim=-1)": "softmax(scores, dim=0)"}).because(
        "Your softmax runs over the samples of the batch; run it over the keys.", SUM
    ),
    mistake("no softmax", {WEIGHTS: "attention = scores"}).because(
        "You average with the raw scores; apply the softmax first.",
        "What should the weights of one query sum to?",
    ),
    mistake("sigmoid instead of the softmax", {WEIGHTS: "attention = torch.sigmoid(scores)"}).because(
        "You apply a sigmoid to each score, so a query's weights do not sum to 1; use the softmax.",
        "What should the weights of one query sum to?",
    ),
    mistake(
        "scaled by the root of the keys' width",
        {WEIGHTS: "attention = softmax(scores / keys.shape[-1] ** 0.5, dim=-1)"},
    ).because(
        "You divide the scores by a root, as the Transformer does; leave them unscaled.",
        "Is there a root in the formula of the score?",
    ),
    mistake("exp without a sum", {WEIGHTS: "attention = scores.exp()"}).because(
        "You take exp of the scores but don't divide by the sum, so the weights do not sum to 1; use the softmax.",
        "What should the weights of one query sum to?",
    ),
    mistake("softmax twice", {WEIGHTS: "attention = softmax(softmax(scores, dim=-1), dim=-1)"}).because(
        "You apply the softmax twice, which nearly evens out the weights; apply it once.",
        "Which of your lines returns numbers that already sum to 1?",
    ),
    mistake("log-softmax", {WEIGHTS: "attention = torch.log_softmax(scores, dim=-1)"}).because(
        "You weight the keys with log-probabilities, which are negative; use the probabilities.",
        "What should the weights of one query sum to?",
    ),
    *cut_off_scores(lambda limits: {IF_MASKED: f"scores = scores.clamp({limits})\n        {IF_MASKED}"}),
    mistake("exp of large scores", {WEIGHTS: f"{BY_HAND}.clamp(min=1e-38)"}, shown_by=OVERFLOWS).because(
        "You take exp of the scores as they are, which overflows above 88; subtract the row's largest score first.",
        LARGE,
    ),
    mistake("exp of large scores, and 0 / 0", {WEIGHTS: BY_HAND}).because(
        "You take exp of the scores as they are: above 88 it overflows, and far below 0 you divide 0 by 0. Subtract "
        "the row's largest score first.",
        LARGE,
    ),
)

OF_CONTEXT = (
    mistake("mean instead of the sum", {CONTEXT: CONTEXT.replace("sum(", "mean(")}).because(
        "You take the mean of the weighted keys; take their sum, because the weights already sum to 1.",
        AVERAGE,
    ),
    mistake("weighted with the scores", {CONTEXT: CONTEXT.replace("attention", "scores")}).because(
        "Your context is weighted with the scores; weight the keys with the softmax of them.", AVERAGE
    ),
    mistake("plain mean of the keys", {CONTEXT: "keys.mean(dim=1)"}).because(
        "Your context is the plain mean of the keys; weight them by the attention.", AVERAGE
    ),
    mistake("summed over the features", {CONTEXT: "(attention.unsqueeze(-1) * keys).sum(dim=-1)"}).because(
        "You sum over the features; sum over the keys.", AVERAGE
    ),
    mistake("weighted keys not summed", {CONTEXT: "attention.unsqueeze(-1) * keys"}).because(
        "You weight the keys but never add them up; return one vector per query.", AVERAGE
    ),
    mistake("query averaged", {CONTEXT: "attention.sum(dim=1, keepdim=True) * query"}).because(
        "You return the query; return the weighted keys, which here are the values too.", AVERAGE
    ),
    mistake("weights before context", {RESULT: "return attention, context"}).because(
        "You return the attention first; return the context first.", PAIR
    ),
    mistake("context alone", {RESULT: "return context"}).because(
        "You return only the context; return the attention too.", PAIR
    ),
    mistake("scores returned", {RESULT: "return context, scores"}).because(
        "Your second result is the scores; return the weights after the softmax.", PAIR
    ),
    mistake("an axis too many", {RESULT: "return context, attention.unsqueeze(-1)"}).because(
        "Your attention is [B, S, 1]; return [B, S].", PAIR
    ),
    mistake("an axis for one query in the attention", {RESULT: "return context, attention.unsqueeze(1)"}).because(
        "Your attention keeps an axis of size 1 in the middle, [B, 1, S]; remove it, because there is one query per "
        "sample.",
        PAIR,
    ),
    mistake("a batch of one squeezed away", {RESULT: "return context.squeeze(), attention"}).because(
        "You call `squeeze()` on the context, which removes every axis of size 1, even a batch of one; name the axis.",
        "What does squeeze() do to [1, 1, K]?",
    ),
    mistake("an axis for one query", {RESULT: "return context.unsqueeze(1), attention.unsqueeze(1)"}).because(
        "Your results keep an axis of size 1 in the middle, [B, 1, K] and [B, 1, S]: remove it, because there "
        "is one query per sample.",
        PAIR,
    ),
    mistake("context with an axis too many", {CONTEXT: CONTEXT.replace("dim=1", "dim=1, keepdim=True")}).because(
        "Your context is [B, 1, K]; it must be [B, K].", PAIR
    ),
)

OF_MASKS = (
    mistake("mask forgotten", {MASKED: "            pass\n"}).because(
        "You ignore the mask, so hidden keys are averaged with the rest; hide them.", HIDING
    ),
    mistake("mask inverted", {"mask == 0": "mask != 0"}).because(
        "You invert the mask; 1 must mean visible, 0 hidden.",
        "Does True in a mask of stage 1 mean visible or hidden?",
    ),
    mistake("hidden scores set to 0", {"torch.finfo(scores.dtype).min": "0.0"}).because(
        "Your hidden keys have the score 0, and with it the weight exp(0); fill with a very low number.", HIDING
    ),
    mistake("mask added as it is", {f"scores.{FILL}": "scores + mask"}).because(
        "You add the mask of zeros and ones, which hides nothing; fill hidden scores with a very low number.", HIDING
    ),
    mistake(
        "hidden scores not low enough", {"torch.finfo(scores.dtype).min": "-1000.0"}, shown_by=SHINES_THROUGH
    ).because(
        takes_the_weight("a hidden key"),
        HIDING,
    ),
    mistake(
        "−10,000 added to hidden scores", {f"scores.{FILL}": "scores - 10000.0 * (mask == 0)"}, shown_by=SHINES_THROUGH
    ).because(takes_the_weight("a hidden key"), HIDING),
    *(
        mistake(name, edits).because("You set hidden keys to 0, but their scores still count. Hide the scores.", HIDING)
        for name, edits in (
            ("hidden keys set to 0, and no more", ZEROED | {MASKED: "            pass\n"}),
            (
                "hidden keys set to 0 in the context alone",
                {MASKED: "            keys = keys * (mask != 0).unsqueeze(-1)\n"},
            ),
        )
    ),
    *(
        mistake(name, {MASKED: "            pass\n", WEIGHTS: f"{WEIGHTS}{RENORMALISED.format(least)}"}).because(
            "You hide keys after the softmax: if a hidden key had nearly all of the weight, almost nothing is left for "
            "the others. Hide the scores before the softmax.",
            HIDING,
        )
        for name, least in (
            ("renormalised after masking", ""),
            ("renormalised after masking, without 0 / 0", ".clamp(min=1e-9)"),
        )
    ),
    mistake(
        "hidden keys set to 0, and not renormalised",
        ZEROED | {MASKED: "            pass\n", WEIGHTS: f"{WEIGHTS} * (1 if mask is None else (mask != 0))"},
    ).because(
        "You mask after the softmax, so a query's weights no longer sum to 1; mask before it.",
        "What do the weights of a query sum to if half of its keys are hidden?",
    ),
    mistake(
        "not renormalised after masking",
        {MASKED: "            pass\n", WEIGHTS: f"{WEIGHTS} * (1 if mask is None else (mask != 0))"},
    ).because(
        "You mask after the softmax, so a query's weights no longer sum to 1; mask before it.",
        "What do the weights of a query sum to if half of its keys are hidden?",
    ),
    mistake("minus infinity", {"torch.finfo(scores.dtype).min": 'float("-inf")'}, shown_by=SEES_NOTHING).because(
        "A query that sees no key gets NaN, the softmax of nothing but −inf; fill with the lowest finite number.",
        NOTHING,
    ),
    mistake("booleans only", {"mask == 0": "~mask"}).because(
        "You use `~mask`, which works only for booleans; accept 0 and 1 too.", "What is ~1?"
    ),
    *(
        mistake(f"~ before it is boolean{besides}", edits).because(
            "You invert the mask before you make it boolean. ~1 is −2, which is true, so a mask of integers hides "
            "every key; convert first.",
            "What is ~1?",
        )
        for besides, edits in (
            ("", {"mask == 0": "(~mask).bool()"}),
            (", and hidden keys set to 0", {MASKED: ZEROED_BESIDE[MASKED].replace("mask == 0", "(~mask).bool()")}),
        )
    ),
    mistake(
        "is True",
        {"mask == 0": "mask.logical_not() if mask.dtype == torch.bool else torch.zeros_like(mask, dtype=torch.bool)"},
    ).because("Your mask works only if it is boolean; accept 0 and 1 too.", "Which types may a mask have?"),
    mistake("the first sample's mask for all", {"mask == 0": "mask[:1] == 0"}).because(
        "You use the first sample's mask for all samples; use each sample's own.",
        "Which axis of the mask [B, S] are the samples?",
    ),
)

BESIDES = (
    drops_in_training(
        {WEIGHTS: f"{WEIGHTS}\n        attention = nn.functional.dropout(attention, 0.1, self.training)"},
        "dropout on the weights",
    ),
    overwrites(
        "mask",
        {"mask == 0": "mask.logical_not_() if mask.dtype == torch.bool else mask == 0"},
        "methods that end in _ do that, and the next step gets a different mask.",
        "mask changed in place",
    ),
    overwrites(
        "keys",
        {CONTEXT: "keys.mul_(attention.unsqueeze(-1)).sum(dim=1)"},
        "the next query gets different keys.",
        "keys changed in place",
    ),
    mistake(
        "keys cut from the graph",
        {CONTEXT: CONTEXT.replace("keys", "keys.detach()")},
        shown_by="a part of the gradient is missing on its way to keys",
    ).because(
        "You average detached keys, so an encoder learns only from its scores; keep the keys in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake("masked scores cut from the graph", {"scores.masked_fill": "scores.detach().masked_fill"}).because(
        "With a mask, your scores are detached from the graph, so they get no gradient. Keep them in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    in_double_precision("context", {RESULT: "return context.double(), attention"}),
    mistake(
        "the first mask kept",
        {"if mask is not None:": 'self.kept = mask = getattr(self, "kept", mask)\n        if mask is not None:'},
    ).because(
        "You keep the mask of the first call and use it in later calls. Use the mask of the call.",
        "What does your module store in forward?",
    ),
)

OF_BOTH = OF_WEIGHTS + OF_CONTEXT + OF_MASKS + BESIDES
