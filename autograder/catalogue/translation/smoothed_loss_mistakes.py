"""What goes wrong in `smoothed_loss`."""

from autograder.catalogue.common_mistakes import floors, in_double_precision, overwrites
from autograder.catalogue.decoder.sequence_loss_mistakes import MISTAKES as OF_SEQUENCE_LOSS
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.reverse.reverse_loss_mistakes import MISTAKES as OF_REVERSE_LOSS

COUNT, SUM = "real.sum().clamp(min=1)", "losses.sum()"
PICKED = "log_p.gather(-1, targets[real].unsqueeze(-1))"
OF_TARGET, OF_ALL = "-(1 - smoothing) * of_target.squeeze(-1)", " - smoothing * log_p.mean(dim=-1)"
LOSSES = OF_TARGET + OF_ALL
LOG = "log_p = logits[real].log_softmax(dim=-1)"
REAL = "real = targets != pad"
WANTED = "Write down the target distribution for V = 5 and ε = 0.1. What does it sum to?"
DIVISOR = "By what must the sum be divided?"

MISTAKES = (
    mistake(
        "spread over the others",
        {
            LOSSES: "-(1 - smoothing) * of_target.squeeze(-1)"
            " - smoothing * (log_p.sum(-1) - of_target.squeeze(-1)) / (log_p.shape[-1] - 1)"
        },
    ).because("You spread ε over the V − 1 other tokens; spread it over all V, including the target.", WANTED),
    mistake(
        "spread over all but padding and target",
        {
            LOSSES: "-(1 - smoothing) * of_target.squeeze(-1)"
            " - smoothing * (log_p.sum(-1) - of_target.squeeze(-1) - log_p[:, pad]) / max(log_p.shape[-1] - 2, 1)"
        },
    ).because("You spread ε over all tokens except the target and the padding; spread it over all V.", WANTED),
    mistake(
        "spread over all but padding",
        {OF_ALL: " - smoothing * (log_p.sum(-1) - log_p[:, pad]) / (log_p.shape[-1] - 1)"},
    ).because("You spread ε over all tokens except the padding; spread it over all V.", WANTED),
    mistake(
        "all tokens divided by one fewer", {OF_ALL: " - smoothing * log_p.sum(-1) / (log_p.shape[-1] - 1)"}
    ).because(
        "You divide the sum over V tokens by V − 1, so the probabilities sum to more than 1; divide by V.",
        WANTED,
    ),
    mistake("the sum divided by V + 1", {OF_ALL: " - smoothing * log_p.sum(-1) / (log_p.shape[-1] + 1)"}).because(
        "You divide the sum over V tokens by V + 1, so the probabilities sum to less than 1; divide by V.",
        WANTED,
    ),
    mistake(
        "the target without its share",
        {OF_ALL: " - smoothing * (log_p.sum(-1) - of_target.squeeze(-1)) / log_p.shape[-1]"},
    ).because(
        "You give the target 1 − ε and no share of ε, so the probabilities sum to less than 1; add ε / V.", WANTED
    ),
    *(
        mistake(name, {OF_ALL: f" - smoothing * ({sum_}) / log_p.shape[-1]"}).because(
            f"You give {what} no share of ε, so the probabilities sum to less than 1; give every token ε / V.", WANTED
        )
        for name, sum_, what in (
            ("padding without a share", "log_p.sum(-1) - log_p[:, pad]", "the padding token"),
            (
                "padding and target without a share",
                "log_p.sum(-1) - of_target.squeeze(-1) - log_p[:, pad]",
                "the target and the padding token",
            ),
            ("token 0 without a share", "log_p[:, 1:].sum(-1)", "token 0"),
        )
    ),
    mistake("ε added on top", {OF_TARGET: "-of_target.squeeze(-1)"}).because(
        "You keep probability 1 for the target, so the probabilities sum to 1 + ε; give it 1 − ε + ε / V.", WANTED
    ),
    mistake("sum in the place of the mean over V", {"log_p.mean(dim=-1)": "log_p.sum(dim=-1)"}).because(
        "You give ε to every token; give each ε / V.", WANTED
    ),
    mistake("nothing spread", {OF_ALL: ""}).because(
        "You only multiply the cross-entropy by 1 − ε; spread ε over the tokens too.", WANTED
    ),
    mistake("not smoothed at all", {LOSSES: "-of_target.squeeze(-1)"}).because(
        "You return the plain cross-entropy; smooth the target.", "Where do you use `smoothing`?"
    ),
    mistake(
        "ε and 1 − ε exchanged", {LOSSES: "-smoothing * of_target.squeeze(-1) - (1 - smoothing) * log_p.mean(dim=-1)"}
    ).because(
        "You give ε to the target and spread the rest; give it 1 − ε and spread ε.", "What should happen with ε = 0?"
    ),
    mistake("always a tenth", {LOSSES: LOSSES.replace("smoothing", "0.1")}).because(
        "You always smooth by 0.1; use `smoothing`.", "Where do you use `smoothing`?"
    ),
    mistake("a tenth where ε is 0", {LOG: f"smoothing = smoothing or 0.1\n    {LOG}"}).because(
        "If ε is 0 you replace it: `smoothing or …` treats 0 as missing. Keep the 0.",
        "What is `0.0 or 0.1` in Python?",
    ),
    mistake(
        "divergence in the place of cross-entropy",
        {
            "return losses.sum()": "share = torch.full_like(log_p, smoothing / log_p.shape[-1])\n"
            "    wanted = share.scatter_add(-1, targets[real][:, None], torch.full_like(of_target, 1 - smoothing))\n"
            "    return (losses - torch.special.entr(wanted).sum(-1)).sum()"
        },
    ).because(
        "You return the divergence (`kl_div`), which lacks the target's entropy; return the cross-entropy.",
        "What is your loss if the model predicts exactly the target distribution?",
    ),
    mistake("cross-entropy on probabilities", {LOG: "log_p = logits[real].softmax(-1).log_softmax(-1)"}).because(
        "You take the softmax twice, so the loss cannot get near 0; take it once.",
        "What does your function do with the logits before it takes the logarithm?",
    ),
    same_as(OF_REVERSE_LOSS, "logarithm of a softmax", {LOG: "log_p = logits[real].softmax(-1).log()"}),
    *floors(LOG, "log_p = {}", "logits[real].softmax(-1)"),
    same_as(OF_SEQUENCE_LOSS, "padding counted", {REAL: "real = torch.ones_like(targets, dtype=torch.bool)"}),
    mistake(
        "padding counted where ε is spread",
        {
            "return losses.sum()": "of_padding = logits[~real].log_softmax(-1).mean(-1).sum()\n"
            "    return (losses.sum() - smoothing * of_padding)"
        },
    ).because(
        "At the padding you leave out the target's part but not that of ε; leave out both.",
        "Which of your two terms is masked?",
    ),
    same_as(OF_SEQUENCE_LOSS, "divided by all places", {COUNT: "targets.numel()"}),
    mistake("sum in the place of the mean", {f" / {COUNT}": ""}).because(
        "Your result is the sum over the tokens, which grows with the batch; return the mean. If you do divide, look "
        "for a sum of [N] and [N, 1], which is [N, N].",
        DIVISOR,
    ),
    same_as(OF_SEQUENCE_LOSS, "divided by the number of sentences", {COUNT: "len(targets)"}),
    same_as(OF_SEQUENCE_LOSS, "0 taken for padding", {REAL: "real = targets != 0"}),
    same_as(OF_SEQUENCE_LOSS, "mask inverted", {REAL: "real = targets == pad"}),
    mistake("0 through 0", {".clamp(min=1)": ""}).because(
        "Without a real token you divide 0 by 0, which is NaN; return 0.", "What is the mean of no numbers?"
    ),
    mistake(
        "a new 0 for padding alone",
        {LOG: f"if not real.any():\n        return torch.zeros((), dtype=logits.dtype)\n    {LOG}"},
    ).because(
        "For padding alone you return a 0 without a graph, so `backward()` raises; make the 0 from the logits.",
        "Which 0 can you make from the logits?",
    ),
    same_as(OF_SEQUENCE_LOSS, "sign", {"return losses": "return -losses"}),
    *(
        mistake(name, {LOG: f"log_p = {log}"}).because(
            f"Your softmax runs over {what}. Run it over the vocabulary, the last axis.",
            "Which axis of [B, T, V] is the vocabulary?",
        )
        for name, log, what in (
            ("softmax over time", "logits.log_softmax(1)[real]", "the positions"),
            ("softmax over the sentences", "logits.log_softmax(0)[real]", "the sentences of the batch"),
            ("softmax over the real tokens", "logits[real].log_softmax(0)", "the real tokens of the batch"),
        )
    ),
    same_as(OF_SEQUENCE_LOSS, "one loss for each token", {f"{SUM} / {COUNT}": "losses"}),
    same_as(OF_SEQUENCE_LOSS, "cut from the graph", {"logits[real]": "logits[real].detach()"}),
    mistake("ε cut from the graph", {"log_p.mean(dim=-1)": "log_p.detach().mean(dim=-1)"}).because(
        "The number is right, but the part of ε has no gradient; keep it in the graph.",
        "Which part of your sum has no gradient?",
    ),
    overwrites("targets", {LOG: f"targets[~real] = 0\n    {LOG}"}, "the caller then has different tokens."),
    overwrites(
        "logits",
        {LOG: f"logits -= logits.detach().amax(-1, keepdim=True)\n    {LOG}"},
        "the caller then has different ones.",
    ),
    in_double_precision("loss", {"logits[real]": "logits[real].double()"}),
    mistake(
        "smoothing of the logits",
        {LOG: "log_p = ((1 - smoothing) * logits[real]).log_softmax(-1)", LOSSES: "-of_target.squeeze(-1)"},
    ).because("You scale the logits; smooth the target.", WANTED),
    mistake("mean logit in the place of mean logarithm", {"log_p.mean(dim=-1)": "logits[real].mean(dim=-1)"}).because(
        "You average the logits; average the log-probabilities.", "Do your logits sum to 1 after exp?"
    ),
    mistake(
        "a mean of means",
        {
            f"{SUM} / {COUNT}": "torch.zeros(targets.shape).to(losses).masked_scatter(real, losses).sum(1)"
            ".div(real.sum(1).clamp(min=1)).mean()"
        },
    ).because(
        "You average within each sentence first, so tokens of short sentences count more; average over all "
        "real tokens at once.",
        "Should every sentence weigh the same, or every token?",
    ),
    mistake(
        "0 / 0, by a mask",
        {
            LOG: "log_p = logits.log_softmax(dim=-1)",
            PICKED: "log_p.gather(-1, targets.unsqueeze(-1))",
            f"{SUM} / {COUNT}": "(losses * real).sum() / real.sum()",
        },
    ).because("With nothing but padding you divide 0 by 0, which is NaN. Never divide by less than 1.", DIVISOR),
)
