"""What goes wrong in `sequence_loss`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

TOTAL = 'F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")'
COUNT = "(targets != pad).sum().clamp(min=1)"
EACH = 'F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")'  # [B, T]
BEFORE_PADDING = "((targets == pad).cumsum(1) == 0)"
DIVISOR = "By what must the sum be divided?"
LOG_SOFTMAX = "Which function gives the logarithm of the softmax without computing the softmax first?"


def of_log_probabilities(logarithms):
    """The edit that computes the loss from its own log-probabilities [B, T, V]."""
    return {TOTAL: f'F.nll_loss(({logarithms}).flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")'}


MISTAKES = (
    mistake(
        "logits flattened in another order than the targets", {"logits.flatten": "logits.transpose(0, 1).flatten"}
    ).because(
        "You flatten the logits in a different order from the targets, so they don't match. "
        "Flatten both in the same order.",
        "Which row and position does the second row of your flattened logits come from, and which the second target?",
    ),
    mistake("cross-entropy on probabilities", {"logits.flatten": "logits.softmax(-1).flatten"}).because(
        "You pass probabilities to cross_entropy, which applies a softmax itself, so the loss cannot get near "
        "0; pass logits.",
        "What does `F.cross_entropy` do with its first argument before it takes the logarithm?",
    ),
    mistake("logarithm of a softmax", of_log_probabilities("logits.softmax(-1).log()")).because(
        "You take the logarithm of the softmax, where a tiny probability becomes 0 and its logarithm −inf; "
        "compute log-softmax in one step.",
        LOG_SOFTMAX,
    ),
    mistake("a small number inside the logarithm", of_log_probabilities("(logits.softmax(-1) + 1e-9).log()")).because(
        "You add a small number inside the logarithm, so a confident mistake never costs more than "
        "−log(1e-9); use log-softmax.",
        "What should a mistake cost that the model gives a probability of e⁻¹⁰⁰?",
    ),
    *(
        mistake(name, {TOTAL: f"{EACH}.sum()"} | divided).because(
            "You count padding like real tokens, so a long batch of short sentences seems easy; leave it out.",
            "Which of the B·T losses should the mean leave out?",
        )
        for name, divided in (
            ("padding counted", {COUNT: "targets.numel()"}),
            ("padding in the sum, and not in the number", {}),
        )
    ),
    mistake("divided by all places", {COUNT: "targets.numel()"}).because(
        "You leave the padding out of the sum but divide by B·T; divide by the number of real tokens.",
        "How many losses have you added up?",
    ),
    mistake("sum instead of mean", {f" / {COUNT}": ""}).because(
        "You return the sum, which grows with the batch; return the mean.", DIVISOR
    ),
    mistake("divided by the number of sentences", {COUNT: "len(targets)"}).because(
        "You divide the sum by B, so long sentences cost more than short ones; divide by the number of real tokens.",
        DIVISOR,
    ),
    mistake(
        "a mean of means",
        {TOTAL: f"({EACH} * (targets != pad)).sum(1)"}
        | {f"total / {COUNT}": "(total / (targets != pad).sum(1).clamp(min=1)).mean()"},
    ).because(
        "You average within each sentence first, so tokens of short sentences count more; average over all "
        "real tokens at once.",
        "Should every sentence weigh the same, or every token?",
    ),
    mistake("0 taken for padding", {"ignore_index=pad": "ignore_index=0", "targets != pad": "targets != 0"}).because(
        "You always leave out token 0; leave out `pad`.",
        "Where do you use `pad`?",
    ),
    mistake("mask inverted", {TOTAL: f"({EACH} * (targets == pad)).sum()", "targets != pad": "targets == pad"}).because(
        "You average over the padding; average over the real tokens.", "Is your mask True at a real token?"
    ),
    mistake(
        "axes exchanged by reshape",
        {"logits.flatten(0, 1), targets.flatten()": "logits.reshape(len(logits), -1, logits.shape[1]), targets"},
    ).because(
        "You reshape [B, T, V] to [B, V, T], which mixes tokens with classes; use a transpose to move axes.",
        "Which axis does cross_entropy use for the classes, and how do you move V there?",
    ),
    mistake(
        "shifted a second time",
        {
            "(logits.flatten(0, 1), targets.flatten()": "(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten()",
            ', reduction="sum"': "",
            f" / {COUNT}": "",
        },
    ).because(
        "You compare the logits at t with the target at t + 1; compare them with the target at t, because the "
        "decoder's input is already shifted.",
        "Which target do the logits at position 0 predict?",
    ),
    mistake("no logarithm", of_log_probabilities("logits.softmax(-1)")).because(
        "Your loss is minus the probability of the right token. Take minus its logarithm.",
        "What should the loss be if the right token has probability 1?",
    ),
    mistake("sign", {"return total": "return -total"}).because(
        "Your sign is wrong, so training would make the right token less and less likely; negate it.",
        "Is the logarithm of a probability positive or negative?",
    ),
    mistake("labels smoothed", {'reduction="sum")': 'reduction="sum", label_smoothing=0.1)'}).because(
        "You use label smoothing, which mixes other tokens into the target; use the plain cross-entropy.",
        "What do the extra arguments of your loss do?",
    ),
    mistake("no softmax at all", of_log_probabilities("logits")).because(
        "You pass plain logits to F.nll_loss, so the loss has no lower bound; pass log-probabilities.",
        "What should the exponentials of the numbers you pass to nll_loss sum to?",
    ),
    mistake("softmax over time", of_log_probabilities("logits.log_softmax(1)")).because(
        "Your softmax runs over the positions. Run it over the vocabulary, the last axis.",
        "Which axis of [B, T, V] is the vocabulary?",
    ),
    mistake(
        "exponentials overflow", of_log_probabilities("(logits.exp() / logits.exp().sum(-1, keepdim=True)).log()")
    ).because("You take exp of large logits, which is inf, and inf / inf is NaN; use log-softmax.", LOG_SOFTMAX),
    mistake("NaN for padding alone", {', reduction="sum"': "", f" / {COUNT}": ""}).because(
        "With nothing but padding your mean is 0 / 0, which is NaN. Return 0 there.",
        "What is the mean of no numbers, and what should your loss be in that case?",
    ),
    overwrites(
        "targets",
        {"total = ": "targets[targets == pad] = pad = -100\n    total = "},
        "the caller then has different tokens.",
    ),
    overwrites(
        "logits",
        {"total = ": "logits -= logits.detach().amax(-1, keepdim=True)\n    total = "},
        "the caller then has different ones.",
    ),
    in_double_precision("loss", {"logits.flatten": "logits.double().flatten"}),
    mistake(
        "one loss for each token",
        {'reduction="sum")': 'reduction="none")', f"total / {COUNT}": "total.unflatten(0, targets.shape)"},
    ).because(
        "You return one loss per token; return their mean, because backward() needs a single number.",
        "What is the shape of your result?",
    ),
    mistake("cut from the graph", {"logits.flatten": "logits.detach().flatten"}).because(
        "The number is right, but it is detached from the graph, so nothing can learn from it.",
        "Which call, `.detach()` or `.item()` perhaps, takes your tensor out of autograd?",
    ),
    mistake("one token more", {COUNT: "((targets != pad).sum() + 1)"}).because(
        "You add 1 to the number of real tokens, so every mean is too small. Use clamp(min=1) instead.", DIVISOR
    ),
    mistake("0 left out of the sum", {"ignore_index=pad": "ignore_index=0"}).because(
        "Your sum leaves out token 0 instead of the padding; leave out `pad`.", "Where do you use `pad`?"
    ),
    mistake("0 left out of the number", {"targets != pad": "targets != 0"}).because(
        "You divide by the number of tokens that are not 0; divide by the number of those that are not `pad`.",
        "Where do you use `pad`?",
    ),
    mistake("in bits", {"return total": "return total / math.log(2)"}).because(
        "Your loss is in bits; use the natural logarithm.", "What is the loss of a token with probability ½?"
    ),
    mistake(
        "shifted a second time, divided by all tokens",
        {"(logits.flatten(0, 1), targets.flatten()": "(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten()"},
    ).because(
        "You compare the logits at t with the target at t + 1; compare them with the target at t, because the "
        "decoder's input is already shifted.",
        "Which target do the logits at position 0 predict?",
    ),
    mistake("targets flattened in another order than the logits", {"targets.flatten()": "targets.T.flatten()"}).because(
        "You flatten the targets in a different order from the logits, so they don't match. "
        "Flatten both in the same order.",
        "Which row and position does the second of your flattened targets come from, and which the second logits?",
    ),
    *(
        mistake(name, {TOTAL: f"({EACH} * (logits.argmax(-1) != pad)).sum()"} | counted).because(
            "You leave out the positions at which the model predicts pad; leave out those at which the target is pad.",
            "Which tensor says what is padding: the logits, or the targets?",
        )
        for name, counted in (
            ("padding where the model predicts it", {COUNT: "(logits.argmax(-1) != pad).sum().clamp(min=1)"}),
            ("padding where the model predicts it, in the sum", {}),
        )
    ),
    *(
        mistake(
            f"only tokens {what} pad are real",
            {TOTAL: f"({EACH} * (targets {sign} pad)).sum()", "targets != pad": f"targets {sign} pad"},
        ).because(
            f"You count only the tokens {what} pad as real; any token other than pad is real.",
            "Which tokens are real if pad is 3?",
        )
        for what, sign in (("above", ">"), ("below", "<"))
    ),
    *(
        mistake(
            f"logit of pad set to {value}",
            of_log_probabilities(f"logits.index_fill(-1, torch.tensor(pad), {number}).log_softmax(-1)"),
        ).because(
            f"You set the logit of pad to {value} before the softmax, which changes the probabilities of the other "
            "tokens. Leave the logits unchanged, and leave out the positions whose target is pad.",
            "What do you leave out: positions, or a class of the softmax?",
        )
        for value, number in (("−inf", "-torch.inf"), ("0", "0.0"))
    ),
    mistake("divided by the length", {COUNT: "targets.shape[1]"}).because(
        "You divide the sum by T; divide by the number of real tokens.", DIVISOR
    ),
    mistake(
        "nothing after the first padding",
        {TOTAL: f"({EACH} * {BEFORE_PADDING}).sum()", COUNT: f"{BEFORE_PADDING}.sum().clamp(min=1)"},
    ).because(
        "You leave out everything after the first padding token of a row. Leave out only the padding: real tokens may "
        "follow it.",
        "Which tokens of a row that starts with padding do you count?",
    ),
    mistake("the worst token", {TOTAL: f"({EACH} * (targets != pad)).max()", f" / {COUNT}": ""}).because(
        "You return the largest loss of a token; return the mean.", DIVISOR
    ),
)
