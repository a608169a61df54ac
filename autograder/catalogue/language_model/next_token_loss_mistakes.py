"""What goes wrong in `next_token_loss`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

LOSSES = 'F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")'
MASKED, REAL = "losses = losses[mask[:, 1:].bool()]", "mask[:, 1:].bool()"
MEAN = "losses.sum() / max(losses.numel(), 1)"

OF_PLACES = "((losses * real).sum(0) / real.sum(0).clamp(min=1))"

WHICH = "The logits at position 0 have seen token 0. Which token do they predict?"
TARGETS = "A text of 3 tokens in a row of 5: how many tokens are there to predict, and where are they?"
DIVISOR = "How many losses have you added up?"
NOTHING = "What is the mean of no numbers, and what should your loss be in that case?"
STABLE = "What is exp(1000) in float32?"


def of_probabilities(logarithms):
    """The edit that takes the losses from log-probabilities [B, T − 1, V]."""
    return {LOSSES: f"-({logarithms}).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)"}


MISTAKES = (
    mistake("not shifted", {"logits[:, :-1]": "logits", "tokens[:, 1:]": "tokens", "mask[:, 1:]": "mask"}).because(
        "You compare the logits at t with token t, which the model has just read, so it learns to copy and "
        "the loss falls to 0. They predict token t + 1.",
        WHICH,
    ),
    *(
        mistake(f"not shifted, the {which} left out", edits).because(
            "You compare the logits at t with token t, which the model has just read. Compare those at t with token "
            f"t + 1: leave out the {instead}.",
            WHICH,
        )
        for which, edits, instead in (
            ("first", {"logits[:, :-1]": "logits[:, 1:]"}, "last logits, not the first"),
            ("last", {"tokens[:, 1:]": "tokens[:, :-1]"}, "first token, not the last"),
        )
    ),
    *(
        mistake(name, {"logits[:, :-1]": "logits[:, 1:]", "tokens[:, 1:]": "tokens[:, :-1]", **more}).because(
            "You compare the logits at t with token t − 1; they predict token t + 1.", WHICH
        )
        for name, more in (
            ("shifted backwards", {"mask[:, 1:]": "mask[:, :-1]"}),
            ("shifted backwards, with the mask of the targets", {}),
        )
    ),
    mistake(
        "the last target left out",
        {"logits[:, :-1]": "logits[:, :-2]", "tokens[:, 1:]": "tokens[:, 1:-1]", "mask[:, 1:]": "mask[:, 1:-1]"},
    ).because("You leave out the last target; every token after the first is one.", TARGETS),
    mistake(
        "as many as are real, from the left", {REAL: "torch.arange(1, tokens.shape[1]) < mask.sum(1, keepdim=True)"}
    ).because(
        "You count the real tokens and take as many from the left, but padding may come first: use the mask itself, "
        "mask[:, 1:].",
        TARGETS,
    ),
    mistake(
        "shifted by two",
        {"logits[:, :-1]": "logits[:, :-2]", "tokens[:, 1:]": "tokens[:, 2:]", "mask[:, 1:]": "mask[:, 2:]"},
    ).because("You compare the logits at t with token t + 2; they predict token t + 1.", WHICH),
    mistake(
        "rolled round",
        {"logits[:, :-1]": "logits", "tokens[:, 1:]": "tokens.roll(-1, 1)", "mask[:, 1:]": "mask.roll(-1, 1)"},
    ).because(
        "You roll the tokens, so the last position has to predict the first token: leave the last logits out.", WHICH
    ),
    mistake("mask of the input", {"mask[:, 1:]": "mask[:, :-1]"}).because(
        "You use the mask of the inputs, mask[:, :-1]. It counts a padded target at the end of each text: use that of "
        "the targets, mask[:, 1:].",
        TARGETS,
    ),
    mistake("mask of both", {REAL: "(mask[:, 1:] & mask[:, :-1] & (mask.cumsum(1)[:, :-1] > 1))"}).because(
        "You also leave out targets that are real: only the target's own mask decides.", TARGETS
    ),
    mistake("masks of input and target", {REAL: "mask[:, 1:].bool() & mask[:, :-1].bool()"}).because(
        "You also leave out targets that are real: only the target's own mask decides.", TARGETS
    ),
    mistake("mask not used", {MASKED: "pass"}).because("Your mask has no effect: padding is predicted too.", TARGETS),
    mistake("mask inverted", {REAL: "~mask[:, 1:].bool()"}).because(
        "You average over the padding; average over the real tokens.", "Is your mask True at a real token?"
    ),
    mistake(
        "mask inverted, and without one nothing counts",
        {
            REAL: "~mask[:, 1:].bool()",
            "if mask is not None:": "mask = torch.ones_like(tokens) if mask is None else mask\n    if True:",
        },
    ).because("You average over the padding; average over the real tokens.", "Is your mask True at a real token?"),
    mistake("divided by the number of texts", {MEAN: "losses.sum() / len(tokens)"}).because(
        "You divide by the number of texts; divide by the number of targets.", DIVISOR
    ),
    mistake("divided by all positions", {MASKED: f"losses = losses * {REAL}"}).because(
        "The sum leaves the padding out, but you divide by B·(T − 1): the more padding, the smaller the loss.", DIVISOR
    ),
    mistake(
        "divided by the real tokens",
        {MEAN: "losses.sum() / max(losses.numel() if mask is None else int(mask.sum()), 1)"},
    ).because("You divide by the number of real tokens; the first of each text is never a target.", DIVISOR),
    mistake(
        "divided by T", {MEAN: "losses.sum() / max(losses.numel(), 1) * (tokens.shape[1] - 1) / tokens.shape[1]"}
    ).because("You divide by B·T, but only T − 1 tokens of each row are predicted.", DIVISOR),
    mistake("sum instead of mean", {MEAN: "losses.sum()"}).because(
        "This is the sum; divide by the number of targets.", DIVISOR
    ),
    mistake(
        "a mean of means",
        {MASKED: f"real = {REAL}\n        return ((losses * real).sum(1) / real.sum(1).clamp(min=1)).mean()"},
    ).because(
        "You average within each text first: a token of a short text weighs more than one of a long text.",
        "Should every text weigh the same, or every token?",
    ),
    mistake(
        "a mean of means over the positions",
        {MASKED: f"real = {REAL}\n        return {OF_PLACES}.sum() / real.any(0).sum().clamp(min=1)"},
    ).because(
        "You average at each position first: a token where few texts go on weighs more. Average over all targets "
        "together.",
        DIVISOR,
    ),
    mistake(
        "a mean over the positions, those of nothing included",
        {MASKED: f"real = {REAL}\n        return {OF_PLACES}.mean()"},
    ).because(
        "You average at each position first, and a position where nothing is real counts as 0. Average over all "
        "targets together.",
        DIVISOR,
    ),
    mistake("no mean of nothing", {MEAN: "losses.mean()"}).because(
        "With nothing to predict you take 0 / 0: NaN. Return 0.", NOTHING
    ),
    mistake("no mean of nothing without a mask", {MEAN: f"losses.mean() if mask is None else {MEAN}"}).because(
        "Without a mask you take 0 / 0 if there is nothing to predict: NaN. Return 0 there too.", NOTHING
    ),
    mistake("no mean of nothing with a mask", {MEAN: f"{MEAN} if mask is None else losses.mean()"}).because(
        "With a mask you take 0 / 0 if there is nothing to predict: NaN. Return 0 there too.", NOTHING
    ),
    mistake(
        "divided by the sum of the mask",
        {
            MASKED: f"losses = losses * {REAL}",
            MEAN: "losses.sum() / (losses.numel() if mask is None else mask[:, 1:].sum())",
        },
    ).because("With nothing to predict you take 0 / 0: NaN. Return 0.", NOTHING),
    mistake(
        "nothing is a plain number", {MEAN: f"{MEAN} if losses.numel() else torch.zeros((), dtype=logits.dtype)"}
    ).because("With nothing to predict your 0 has no graph, and backward() fails: take the sum of no losses.", NOTHING),
    mistake("one in the divisor", {"max(losses.numel(), 1)": "(losses.numel() + 1)"}).because(
        "You add 1 to the divisor to avoid 0 / 0: all other losses become too small.", DIVISOR
    ),
    mistake("cross-entropy on probabilities", {"logits[:, :-1]": "logits[:, :-1].softmax(-1)"}).because(
        "cross_entropy takes logits and applies the softmax itself.",
        "What does F.cross_entropy do with its first argument before it takes the logarithm?",
    ),
    mistake(
        "exponentials overflow",
        of_probabilities("(logits[:, :-1].exp() / logits[:, :-1].exp().sum(-1, keepdim=True)).log()"),
    ).because("exp of a large logit is inf, and inf / inf is NaN: use log_softmax.", STABLE),
    mistake("logarithm of a softmax", of_probabilities("logits[:, :-1].softmax(-1).log()")).because(
        "A probability too small for a float becomes 0, and its logarithm −inf: use log_softmax.", STABLE
    ),
    mistake(
        "a small number inside the logarithm", of_probabilities("(logits[:, :-1].softmax(-1) + 1e-9).log()")
    ).because(
        "The small number keeps the logarithm finite, and wrong: a confident mistake never costs more than −log(1e-9).",
        STABLE,
    ),
    mistake("in bits", {MEAN: "losses.sum() / max(losses.numel(), 1) / 0.6931471805599453"}).because(
        "You return bits; the loss is in nats.", "Which logarithm does cross_entropy use?"
    ),
    mistake("perplexity", {MEAN: f"({MEAN}).exp()"}).because(
        "You return the perplexity, e^loss; return the loss.", "What is a perfect model's loss: 0, or 1?"
    ),
    mistake("sign", {MEAN: f"-{MEAN}"}).because(
        "The sign is wrong: training would make the right token less likely.",
        "Is the logarithm of a probability positive or negative?",
    ),
    mistake(
        "axes exchanged by reshape",
        {"logits[:, :-1].transpose(1, 2)": "logits[:, :-1].reshape(len(logits), logits.shape[2], -1)"},
    ).because(
        "[B, T, V] reshaped to [B, V, T] mixes tokens with classes; transpose instead.",
        "Which axis does cross_entropy use for the classes?",
    ),
    mistake("softmax over time", of_probabilities("logits[:, :-1].log_softmax(1)")).because(
        "Your probabilities sum to 1 over the positions; they should sum to 1 over the vocabulary.", "Which axis is V?"
    ),
    mistake(
        "token 0 left out",
        {LOSSES: LOSSES.replace(")", ", ignore_index=0)").replace("(1, 2, ignore_index=0)", "(1, 2)")},
    ).because("You leave token 0 out, a token like any other here: only the mask says what is padding.", TARGETS),
    mistake("one loss for each token", {MEAN: "losses"}).because(
        "The losses of the tokens are still separate: backward() needs a single number.",
        "What is the shape of your result?",
    ),
    mistake("detached from the graph", {"logits[:, :-1]": "logits.detach()[:, :-1]"}).because(
        "The number is right, but it is detached from the graph: nothing can learn from it.",
        "Which call, `.detach()` or `.item()` perhaps, detaches your tensor from the graph?",
    ),
    overwrites(
        "tokens",
        {MEAN: f"{MEAN} + (0 if logits.requires_grad else 0 * tokens.add_(1).sum())"},
        "the caller then has different tokens.",
    ),
    overwrites(
        "logits",
        {MEAN: f"{MEAN} + (0 if logits.requires_grad else 0 * logits.mul_(2).sum())"},
        "the caller then has different ones.",
    ),
    in_double_precision("loss", {"logits[:, :-1]": "logits[:, :-1].double()"}),
    mistake("labels smoothed", {LOSSES: f"{LOSSES[:-1]}, label_smoothing=0.1)"}).because(
        "You smooth the labels, so the loss isn't the cross-entropy any more; return that without smoothing.",
        "What should the loss be for a model that is certain and right?",
    ),
    mistake("only the last token", {LOSSES: f"{LOSSES}[:, -1:]", REAL: "mask[:, -1:].bool()"}).because(
        "You predict only the last token of each text; every token after the first is a target.", DIVISOR
    ),
    mistake("logarithm to the base V", {MEAN: f"{MEAN} / torch.tensor(float(logits.shape[-1])).log()"}).because(
        "You divide by ln V, so your loss of a model that knows nothing is 1; in nats it is ln V.",
        "In which unit does the docstring ask for the loss?",
    ),
    mistake(
        "squared error",
        {LOSSES: "(logits[:, :-1].softmax(-1) - F.one_hot(tokens[:, 1:], logits.shape[-1])).square().sum(-1)"},
    ).because(
        "You take the squared error of the probabilities; the cross-entropy is −log of the target's probability.",
        "What should it cost to give the target a probability of 0?",
    ),
)
