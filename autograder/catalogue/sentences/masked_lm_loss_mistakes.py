"""What goes wrong in `masked_lm_loss`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.reverse.reverse_loss_mistakes import MISTAKES as OF_REVERSE_LOSS

HOW_MANY = "By how many words should the sum be divided?"
WHICH_AXIS = "Which axis of [B, T, V] are the words to choose from, and where does F.cross_entropy expect them?"
NOTHING = "What is the mean of no numbers?"
MODE = "Who should decide on the mode: the loss, or the loop that calls it?"

LOGITS = "logits = model(inputs, mask)"
LOSS = 'F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=NOT_ASKED, reduction="sum") / count'
MEAN = "F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=NOT_ASKED)"
SUM = LOSS.removesuffix(" / count")
ACCURACY = "((logits.argmax(dim=-1) == targets) & asked).sum() / count"
COUNT = "count = asked.sum().clamp(min=1)"
RETURN = "return loss, accuracy"
BATCH = "inputs, targets, mask = batch"

MISTAKES = (
    mistake("0 / 0", {LOSS: MEAN}, shown_by="where nothing is asked, NaN comes back").because(
        "Where nothing was chosen, F.cross_entropy is 0 / 0: one such batch, and all weights are NaN.", NOTHING
    ),
    mistake("0 / 0 in both", {".clamp(min=1)": ""}).because(
        "Where nothing was chosen you divide 0 by 0: one such batch, and all weights are NaN.", NOTHING
    ),
    mistake(
        "a bare 0",
        {RETURN: f"loss = loss if asked.any() else torch.tensor(0.0, dtype=logits.dtype)\n    {RETURN}"},
        "Where nothing was chosen you return a 0 that hangs on nothing: backward() breaks off.",
        "What does backward() need of a loss?",
        shown_by="where nothing is asked, the loss has no gradient",
    ),
    mistake("divided by all places", {LOSS: f"{SUM} / targets.numel()"}).because(
        "You divide by all places; only the chosen words are asked.", HOW_MANY
    ),
    mistake("divided by the real tokens", {LOSS: f"{SUM} / mask.sum()"}).because(
        "You divide by all real tokens; only the chosen words are asked.", HOW_MANY
    ),
    mistake("divided by the sentences", {LOSS: f"{SUM} / len(targets)"}).because(
        "You divide by the number of sentences; it is the chosen words that count.", HOW_MANY
    ),
    mistake("the sum", {LOSS: SUM}).because("You add the losses up and do not divide.", HOW_MANY),
    mistake("one word too many", {COUNT: "count = asked.sum() + 1"}).because(
        "You add 1 to the count against a division by 0: every mean is too small.",
        "What does clamp(min=1) do to a count of 5?",
    ),
    mistake("all places asked", {LOSS: "F.cross_entropy(logits.transpose(1, 2), targets.clamp(min=0))"}).because(
        "You ask for all places: the −100 have become 0.", "What do the places with −100 stand for?"
    ),
    mistake(
        "padding asked too",
        {LOSS: f"{MEAN.replace('targets,', 'torch.where(mask, targets.clamp(min=0), NOT_ASKED),')}"},
    ),
    mistake(
        "mean of each sentence",
        {LOSS: f"({SUM.replace('sum', 'none')}.sum(dim=1) / asked.sum(dim=1).clamp(min=1)).mean()"},
    ).because(
        "You average within each sentence, then over the sentences: a word counts more where few are asked.", HOW_MANY
    ),
    mistake(
        "mask not handed on", {LOGITS: "logits = model(inputs)"}, shown_by="what stands in the padding changes the loss"
    ).because("The model is not told what is padding: it attends to it.", "Which arguments does the model take?"),
    mistake("what was asked as mask", {LOGITS: "logits = model(inputs, targets != NOT_ASKED)"}).because(
        "You hide from the model all that was not chosen: it cannot read the sentence.", "What is `mask` in the batch?"
    ),
    mistake("the model reads the targets", {LOGITS: "logits = model(targets.clamp(min=0), mask)"}).because(
        "The model reads the answers.", "Which of the three does the model read?"
    ),
    mistake("words on the last axis", {".transpose(1, 2)": ""}).because(
        "F.cross_entropy looks for the words on axis 1 and finds the places there.", WHICH_AXIS
    ),
    mistake(
        "view instead of transpose", {"logits.transpose(1, 2)": "logits.reshape(len(logits), logits.shape[2], -1)"}
    ).because("reshape keeps the order of the numbers: it does not bring the words to the second axis.", WHICH_AXIS),
    same_as(
        OF_REVERSE_LOSS,
        "cross-entropy on probabilities",
        {"logits.transpose(1, 2)": "logits.softmax(dim=-1).transpose(1, 2)"},
    ),
    mistake("accuracy over all places", {ACCURACY: "(logits.argmax(dim=-1) == targets).float().mean()"}).because(
        "Your accuracy is over all places; where nothing is asked, nothing can be right.", HOW_MANY
    ),
    mistake("accuracy over the real tokens", {ACCURACY: ACCURACY.replace("/ count", "/ mask.sum()")}).because(
        "Your accuracy is over all real tokens; only the chosen words are asked.", HOW_MANY
    ),
    mistake("number of right words", {ACCURACY: ACCURACY.replace(" / count", "")}).because(
        "You return how many are right; a share is asked for.", HOW_MANY
    ),
    mistake(
        "argmax over the places",
        {"logits.argmax(dim=-1)": "logits.argmax(dim=1, keepdim=True).expand(-1, logits.shape[1], -1)[..., 0]"},
    ),
    mistake("the error", {RETURN: "return loss, 1 - accuracy"}).because(
        "You return the share that is wrong.", "What is the accuracy of a model that is always right?"
    ),
    mistake("exchanged", {RETURN: "return accuracy, loss"}).because(
        "You return the accuracy first.", "Which of the two is backpropagated?"
    ),
    same_as(OF_REVERSE_LOSS, "loss alone", {RETURN: "return loss"}),
    same_as(OF_REVERSE_LOSS, "cut from the graph", {LOGITS: "logits = model(inputs, mask).detach()"}),
    mistake("a plain number", {RETURN: "return loss.item(), accuracy"}).because(
        "You return a plain number: backward() is a method of a tensor.", "What would backward() have to follow?"
    ),
    same_as(OF_REVERSE_LOSS, "model switched to eval", {BATCH: f"model.eval()\n    {BATCH}"}),
    same_as(OF_REVERSE_LOSS, "model switched to training", {BATCH: f"model.train()\n    {BATCH}"}),
    overwrites(
        "batch",
        {"logits = model": "targets[~mask] = NOT_ASKED\n    targets[:, 0] = NOT_ASKED\n    logits = model"},
        "the first words are not asked for any more.",
        name="first words struck out",
    ),
    overwrites(
        "batch",
        {"asked = targets": "inputs.fill_(0)\n    asked = targets"},
        "the inputs are gone in the next epoch.",
        name="inputs overwritten",
    ),
    in_double_precision("loss", {RETURN: "return loss.double(), accuracy"}),
    mistake(
        "asked for the inputs",
        {LOSS: 'F.cross_entropy(logits.transpose(1, 2), inputs, reduction="none")[asked].sum() / count'},
    ).because(
        "You compare with the inputs: with what hides the words.",
        "Which part of the batch holds the words as they were?",
    ),
    mistake("accuracy against the inputs", {"== targets) & asked": "== inputs) & asked"}).because(
        "Your accuracy compares with what hides the words.", "Which part of the batch holds the words as they were?"
    ),
)
