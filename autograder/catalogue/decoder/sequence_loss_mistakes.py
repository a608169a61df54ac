"""What goes wrong in `sequence_loss`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

TOTAL = 'F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")'
COUNT = "(targets != pad).sum().clamp(min=1)"
EACH = 'F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")'  # [B, T]
DIVISOR = "By what must the sum be divided?"
LOG_SOFTMAX = "Which function gives the logarithm of the softmax without computing the softmax first?"


def of_log_probabilities(logarithms):
    """The edit that takes the loss from log-probabilities [B, T, V] of one's own."""
    return {TOTAL: f'F.nll_loss(({logarithms}).flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")'}


MISTAKES = (
    mistake("logits flattened in another order than the targets", {"logits.flatten": "logits.transpose(0, 1).flatten"}),
    mistake("cross-entropy on probabilities", {"logits.flatten": "logits.softmax(-1).flatten"}).because(
        "cross_entropy takes logits and applies the softmax itself; given probabilities the loss cannot come near 0.",
        "What does `F.cross_entropy` do with its first argument before it takes the logarithm?",
    ),
    mistake("logarithm of a softmax", of_log_probabilities("logits.softmax(-1).log()")).because(
        "The formula is right on paper; a probability too small for a float becomes 0, and its logarithm −inf.",
        LOG_SOFTMAX,
    ),
    mistake("a small number inside the logarithm", of_log_probabilities("(logits.softmax(-1) + 1e-9).log()")).because(
        "The small number keeps the logarithm finite, and wrong: a sure mistake never costs more than −log(1e-9).",
        "What should a mistake cost that the model gives a probability of e⁻¹⁰⁰?",
    ),
    *(
        mistake(name, {TOTAL: f"{EACH}.sum()"} | divided).because(
            "Padding is guessed and rewarded like real tokens: a long batch of short sentences seems easy.",
            "Which of the B·T losses should the mean leave out?",
        )
        for name, divided in (
            ("padding counted", {COUNT: "targets.numel()"}),
            ("padding in the sum, and not in the number", {}),
        )
    ),
    mistake("divided by all places", {COUNT: "targets.numel()"}).because(
        "The sum leaves the padding out, but you divide by B·T: the more padding, the smaller the loss.",
        "How many losses have you added up?",
    ),
    mistake("sum instead of mean", {f" / {COUNT}": ""}).because(
        "This is the sum: it grows with the batch, and the learning rate would have to shrink with it.", DIVISOR
    ),
    mistake("divided by the number of sentences", {COUNT: "len(targets)"}).because(
        "You divide the sum by B: long sentences cost more than short ones.", DIVISOR
    ),
    mistake(
        "a mean of means",
        {TOTAL: f"({EACH} * (targets != pad)).sum(1)"}
        | {f"total / {COUNT}": "(total / (targets != pad).sum(1).clamp(min=1)).mean()"},
        "You average within each sentence first: a token of a short sentence weighs more than one of a long.",
        "Should every sentence weigh the same, or every token?",
    ),
    mistake("0 taken for padding", {"ignore_index=pad": "ignore_index=0", "targets != pad": "targets != 0"}).because(
        "You leave out token 0, whatever `pad` says: source and target may have different padding.",
        "Where do you use `pad`?",
    ),
    mistake("mask inverted", {TOTAL: f"({EACH} * (targets == pad)).sum()", "targets != pad": "targets == pad"}).because(
        "You average over the padding and leave the real tokens out.", "Is your mask True at a real token?"
    ),
    mistake(
        "axes exchanged by reshape",
        {"logits.flatten(0, 1), targets.flatten()": "logits.reshape(len(logits), -1, logits.shape[1]), targets"},
        "[B, T, V] reshaped to [B, V, T] mixes tokens with classes; only a transpose moves axes.",
        "Which axis does cross_entropy take for the classes, and how do you move V there?",
    ),
    mistake(
        "shifted a second time",
        {
            "(logits.flatten(0, 1), targets.flatten()": "(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten()",
            ', reduction="sum"': "",
            f" / {COUNT}": "",
        },
        "You compare the logits at t with the target at t + 1; the decoder's input was already shifted.",
        "Which target are the logits at place 0 about?",
    ),
    mistake("no logarithm", of_log_probabilities("logits.softmax(-1)")),
    mistake("sign", {"return total": "return -total"}).because(
        "The sign is wrong: training would make the right token less and less likely.",
        "Is the logarithm of a probability positive or negative?",
    ),
    mistake("labels smoothed", {'reduction="sum")': 'reduction="sum", label_smoothing=0.1)'}).because(
        "Label smoothing mixes the other tokens into the target; here the plain cross-entropy is asked for.",
        "What do the extra arguments of your loss do?",
    ),
    mistake("no softmax at all", of_log_probabilities("logits")).because(
        "F.nll_loss wants log-probabilities; of plain logits it has no lower bound.",
        "What should the exponentials of the numbers that you give to nll_loss sum to?",
    ),
    mistake("softmax over time", of_log_probabilities("logits.log_softmax(1)")),
    mistake(
        "exponentials overflow", of_log_probabilities("(logits.exp() / logits.exp().sum(-1, keepdim=True)).log()")
    ).because("exp of a large logit is infinite, and infinity through infinity is NaN.", LOG_SOFTMAX),
    mistake("NaN for padding alone", {', reduction="sum"': "", f" / {COUNT}": ""}).because(
        "With nothing but padding your mean is 0 / 0, which is NaN. Return 0 there.",
        "What is the mean of no number at all, and what should your loss be then?",
    ),
    overwrites(
        "targets",
        {"total = ": "targets[targets == pad] = pad = -100\n    total = "},
        "whoever uses them next finds other tokens.",
    ),
    overwrites(
        "logits",
        {"total = ": "logits -= logits.detach().amax(-1, keepdim=True)\n    total = "},
        "whoever looks at them next finds others.",
    ),
    in_double_precision("loss", {"logits.flatten": "logits.double().flatten"}),
    mistake(
        "one loss for each token",
        {'reduction="sum")': 'reduction="none")', f"total / {COUNT}": "total.unflatten(0, targets.shape)"},
        "The losses of the tokens are still apart: backward() needs a single number.",
        "What is the shape of your result?",
    ),
    mistake("cut from the graph", {"logits.flatten": "logits.detach().flatten"}).because(
        "The number is right, but it is cut out of autograd: nothing can learn from it.",
        "Which call, `.detach()` or `.item()` perhaps, takes your tensor out of autograd?",
    ),
)
