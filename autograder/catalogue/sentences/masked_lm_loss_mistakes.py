"""What goes wrong in `masked_lm_loss`."""

from autograder.catalogue.common_mistakes import floors, in_double_precision, overwrites
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.reverse.reverse_loss_mistakes import MISTAKES as OF_REVERSE_LOSS

HOW_MANY = "By how many words should the sum be divided?"
WHICH_AXIS = "Which axis of [B, T, V] is the vocabulary, and where does F.cross_entropy expect it?"
NOTHING = "What is the mean of no numbers?"
CHANGED = "the next call gets another batch."
MODE = "Which should set the mode: the loss, or the loop that calls it?"

LOGITS = "logits = model(inputs, mask)"
LOSS = 'F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=NOT_ASKED, reduction="sum") / count'
MEAN = "F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=NOT_ASKED)"
SUM = LOSS.removesuffix(" / count")
ACCURACY = "((logits.argmax(dim=-1) == targets) & asked).sum() / count"
COUNT = "count = asked.sum().clamp(min=1)"
RETURN = "return loss, accuracy"
BATCH = "inputs, targets, mask = batch"

MEAN_OF = "F.nll_loss({}.transpose(1, 2), targets, ignore_index=NOT_ASKED, reduction='sum') / count"

MISTAKES = (
    same_as(OF_REVERSE_LOSS, "logarithm of a softmax", {LOSS: MEAN_OF.format("logits.softmax(-1).log()")}),
    *floors(LOSS, MEAN_OF, "logits.softmax(-1)", "word"),
    mistake("0 / 0", {LOSS: MEAN}, shown_by="where nothing is asked, NaN comes back").because(
        "If nothing was chosen, your F.cross_entropy is 0 / 0, and after one such batch all weights are NaN; return 0.",
        NOTHING,
    ),
    mistake("0 / 0 in both", {".clamp(min=1)": ""}).because(
        "If nothing was chosen you divide 0 by 0, and after one such batch all weights are NaN; return 0.", NOTHING
    ),
    mistake(
        "a bare 0",
        {RETURN: f"loss = loss if asked.any() else torch.tensor(0.0, dtype=logits.dtype)\n    {RETURN}"},
        shown_by="where nothing is asked, the loss has no gradient",
    ).because(
        "If nothing was chosen you return a 0 without a graph, so backward() fails; make the 0 from the logits.",
        "What must a loss have for backward()?",
    ),
    mistake("nothing asked, all right", {ACCURACY: f"({ACCURACY}) if asked.any() else logits.new_ones(())"}).because(
        "If nothing was chosen your accuracy is 1; return 0.", NOTHING
    ),
    mistake("0 / 0 in the accuracy", {ACCURACY: ACCURACY.replace("/ count", "/ asked.sum()")}).because(
        "If nothing was chosen your accuracy is 0 / 0; return 0.", NOTHING
    ),
    mistake("the sign left out", {LOSS: f"-{LOSS}"}).because(
        "Your loss has the wrong sign, so training would make the model worse; return minus the mean of log p.",
        "Is log p above or below 0?",
    ),
    mistake("label smoothing", {LOSS: LOSS.replace("reduction=", "label_smoothing=0.1, reduction=")}).because(
        "You smooth the labels; return the plain cross-entropy.", "What is the loss of a model that is sure and right?"
    ),
    mistake("at most 10", {LOSS: f"({LOSS}).clamp(max=10)"}).because(
        "You cap the loss at 10, where it has no gradient; leave it uncapped.",
        "What is log p if the target's logit is 100 below the largest one?",
    ),
    mistake("in base 2", {LOSS: f"{LOSS} / 0.6931471805599453"}).because(
        "Your logarithm is to base 2; use the natural one.", "Which logarithm does F.cross_entropy take?"
    ),
    mistake("an axis too many", {RETURN: "return loss[None], accuracy"}).because(
        "Your loss has an axis of size 1; return a tensor without dimensions.", "How many numbers is a mean?"
    ),
    mistake("divided by all places", {LOSS: f"{SUM} / targets.numel()"}).because(
        "You divide by all positions; divide by the number of chosen words.", HOW_MANY
    ),
    mistake("divided by the real tokens", {LOSS: f"{SUM} / mask.sum()"}).because(
        "You divide by all real tokens; divide by the number of chosen words.", HOW_MANY
    ),
    mistake("divided by the sentences", {LOSS: f"{SUM} / len(targets)"}).because(
        "You divide by the number of sentences; divide by the number of chosen words.", HOW_MANY
    ),
    mistake("the sum", {LOSS: SUM}).because(
        "You add the losses up without dividing; divide by the number of chosen words.", HOW_MANY
    ),
    mistake("one word too many", {COUNT: "count = asked.sum() + 1"}).because(
        "You add 1 to the count, so every mean is too small; use clamp(min=1).",
        "What does clamp(min=1) do to a count of 5?",
    ),
    mistake("all places asked", {LOSS: "F.cross_entropy(logits.transpose(1, 2), targets.clamp(min=0))"}).because(
        "You replace −100 by 0, so all positions count; ignore them.", "What does −100 in the targets mean?"
    ),
    mistake(
        "padding asked too",
        {LOSS: f"{MEAN.replace('targets,', 'torch.where(mask, targets.clamp(min=0), NOT_ASKED),')}"},
    ).because("You also score words that weren't chosen. Score only where the target isn't −100.", HOW_MANY),
    mistake(
        "mean of each sentence",
        {LOSS: f"({SUM.replace('sum', 'none')}.sum(dim=1) / asked.sum(dim=1).clamp(min=1)).mean()"},
    ).because(
        "You average within each sentence first, so words of sentences with few chosen words count more; "
        "average over all at once.",
        HOW_MANY,
    ),
    mistake(
        "mean of each sentence that has some",
        {
            LOSS: f"({SUM.replace('sum', 'none')}.sum(dim=1) / asked.sum(dim=1).clamp(min=1)).sum() "
            "/ asked.any(dim=1).sum().clamp(min=1)"
        },
    ).because(
        "You average within each sentence first, so words of sentences with few chosen words count more; "
        "average over all at once.",
        HOW_MANY,
    ),
    *(
        mistake(name, {LOSS: f"{loss} / count"}).because(
            f"{says}; it must run over the vocabulary, the last axis of [B, T, V].", WHICH_AXIS
        )
        for name, loss, says in (
            (
                "logsumexp over the chosen words",
                "(logits[asked].logsumexp(dim=0).mean() - logits[asked].gather(1, targets[asked][:, None])).sum()",
                "Your logsumexp runs over the chosen words",
            ),
            (
                "softmax over the chosen words",
                "F.nll_loss(logits[asked].log_softmax(0), targets[asked], reduction='sum')",
                "Your softmax runs over the chosen words",
            ),
            (
                "softmax over the positions",
                "F.nll_loss(logits.log_softmax(1)[asked], targets[asked], reduction='sum')",
                "Your softmax runs over the positions",
            ),
            (
                "softmax over the sentences",
                "F.nll_loss(logits.log_softmax(0)[asked], targets[asked], reduction='sum')",
                "Your softmax runs over the sentences",
            ),
        )
    ),
    mistake(
        "mask not passed on", {LOGITS: "logits = model(inputs)"}, shown_by="the content of the padding changes the loss"
    ).because(
        "You do not pass the mask, so the model attends to padding; pass it.", "Which arguments does the model take?"
    ),
    mistake("what was asked as mask", {LOGITS: "logits = model(inputs, targets != NOT_ASKED)"}).because(
        "You hide everything that was not chosen, so the model cannot read the sentence; pass the batch's mask.",
        "What is `mask` in the batch?",
    ),
    mistake("mask and inputs exchanged", {LOGITS: "logits = model(mask, inputs)"}).because(
        "You give the mask to the model as its first argument; the inputs come first, then the mask.",
        "In which order does the model take its arguments?",
    ),
    mistake("targets and mask exchanged", {BATCH: "inputs, mask, targets = batch"}).because(
        "You unpack the batch as (inputs, mask, targets); its order is inputs, targets, mask.",
        "In which order does the docstring list the parts of the batch?",
    ),
    mistake(
        "the model sees the answers",
        {LOGITS: "logits = model(torch.where(targets == NOT_ASKED, inputs, targets), mask)"},
    ).because(
        "You put the targets back into the inputs, so the model sees the answers; feed it the inputs.",
        "Which of the three does the model read?",
    ),
    mistake("the model reads the targets", {LOGITS: "logits = model(targets.clamp(min=0), mask)"}).because(
        "You feed the targets to the model; feed it the inputs.", "Which of the three does the model read?"
    ),
    mistake("words on the last axis", {".transpose(1, 2)": ""}).because(
        "You leave the positions on axis 1, where F.cross_entropy expects the vocabulary; move it there.", WHICH_AXIS
    ),
    mistake(
        "view instead of transpose", {"logits.transpose(1, 2)": "logits.reshape(len(logits), logits.shape[2], -1)"}
    ).because("You move the vocabulary with reshape, which keeps the order of the numbers; use transpose.", WHICH_AXIS),
    same_as(
        OF_REVERSE_LOSS,
        "cross-entropy on probabilities",
        {"logits.transpose(1, 2)": "logits.softmax(dim=-1).transpose(1, 2)"},
    ),
    mistake("accuracy over all places", {ACCURACY: "(logits.argmax(dim=-1) == targets).float().mean()"}).because(
        "Your accuracy is over all positions; count only the chosen words.", HOW_MANY
    ),
    mistake(
        "accuracy with what was not asked", {ACCURACY: "((logits.argmax(dim=-1) == targets) | ~asked).float().mean()"}
    ).because(
        "Your accuracy counts positions where nothing was asked as correct; count only the chosen words.", HOW_MANY
    ),
    mistake("accuracy over the real tokens", {ACCURACY: ACCURACY.replace("/ count", "/ mask.sum()")}).because(
        "Your accuracy is over all real tokens; count only the chosen words.", HOW_MANY
    ),
    *(
        mistake(
            name, {ACCURACY: f"((logits.argmax(dim=-1) == {truth}) & (mask != 0)).sum() / (mask != 0).sum()"}
        ).because(says, HOW_MANY)
        for name, truth, says in (
            (
                "accuracy of all words",
                "torch.where(asked, targets, inputs)",
                "Your accuracy also counts words that weren't chosen, against the inputs; count only the chosen ones.",
            ),
            (
                "accuracy of all inputs",
                "inputs",
                "Your accuracy compares all real tokens with the inputs; compare the chosen words with the targets.",
            ),
        )
    ),
    mistake("percent", {ACCURACY: f"100 * ({ACCURACY})"}).because(
        "Your accuracy is a percentage; return a fraction, from 0 to 1.",
        "What is the accuracy of a model that is always right?",
    ),
    mistake("number of right words", {ACCURACY: ACCURACY.replace(" / count", "")}).because(
        "You return the number of correct words; return a fraction.", HOW_MANY
    ),
    mistake(
        "argmax over the places",
        {"logits.argmax(dim=-1)": "logits.argmax(dim=1, keepdim=True).expand(-1, logits.shape[1], -1)[..., 0]"},
    ).because("Your argmax runs over the positions. Run it over the vocabulary, the last axis.", WHICH_AXIS),
    mistake("the error", {RETURN: "return loss, 1 - accuracy"}).because(
        "You return the fraction of wrong words; return that of the correct ones.",
        "What is the accuracy of a model that is always right?",
    ),
    mistake("exchanged", {RETURN: "return accuracy, loss"}).because(
        "You return the accuracy first; return the loss first.", "Which of the two is backpropagated?"
    ),
    same_as(OF_REVERSE_LOSS, "loss alone", {RETURN: "return loss"}),
    same_as(OF_REVERSE_LOSS, "cut from the graph", {LOGITS: "logits = model(inputs, mask).detach()"}),
    mistake("a plain number", {RETURN: "return loss.item(), accuracy"}).because(
        "You return a plain number; return a tensor, so that backward() works.",
        "Which tensors must backward() pass through?",
    ),
    same_as(OF_REVERSE_LOSS, "model switched to eval", {BATCH: f"model.eval()\n    {BATCH}"}),
    same_as(OF_REVERSE_LOSS, "model switched to training", {BATCH: f"model.train()\n    {BATCH}"}),
    overwrites(
        "batch",
        {"logits = model": "targets[~mask] = NOT_ASKED\n    targets[:, 0] = NOT_ASKED\n    logits = model"},
        CHANGED,
        name="first words struck out",
    ),
    overwrites(
        "batch",
        {"asked = targets": "inputs.fill_(0)\n    asked = targets"},
        CHANGED,
        name="inputs overwritten",
    ),
    in_double_precision("loss", {RETURN: "return loss.double(), accuracy"}),
    mistake(
        "asked for the inputs",
        {LOSS: 'F.cross_entropy(logits.transpose(1, 2), inputs, reduction="none")[asked].sum() / count'},
    ).because(
        "You compare with the inputs, where the words are hidden; compare with the targets.",
        "Which part of the batch contains the original words?",
    ),
    mistake("accuracy against the inputs", {"== targets) & asked": "== inputs) & asked"}).because(
        "Your accuracy compares with the inputs; compare with the targets.",
        "Which part of the batch contains the original words?",
    ),
    mistake("both divided by all places", {COUNT: "count = targets.numel()"}).because(
        "You divide by B·T. Divide by the number of words whose targets count.", HOW_MANY
    ),
)
