"""What goes wrong in `reverse_loss`."""

from autograder.catalogue.common_mistakes import floors, in_double_precision, overwrites
from autograder.catalogue.edits import mistake

LOGITS, LOSS = "model(one_hot)", "F.cross_entropy(logits.transpose(1, 2), targets)"
BATCH, RETURN = "tokens, targets = batch", "return loss, accuracy"
FROM_LOGITS = "Which does F.cross_entropy expect: logits, or probabilities?"
WHICH_AXIS = "Which axis counts the categories, and where does F.cross_entropy expect it?"
HOW_MANY = "By how many tokens should the sum be divided?"
WHOSE_MODE = "Which should set the mode: the loss, or the loop that calls it?"
WHAT_COUNTS = "Of 20 tokens in 2 sequences, 15 are predicted correctly. What is the accuracy?"

MISTAKES = (
    mistake("cross-entropy on probabilities", {LOGITS: f"{LOGITS}.softmax(dim=-1)"}).because(
        "You pass probabilities to F.cross_entropy, which applies a softmax itself, so the loss can never get "
        "near 0; pass logits.",
        FROM_LOGITS,
    ),
    mistake("no softmax at all", {"cross_entropy(logits": "nll_loss(logits"}).because(
        "You pass plain logits to F.nll_loss, so the loss has no lower bound; pass log-probabilities.", FROM_LOGITS
    ),
    mistake("no logarithm", {"cross_entropy(logits": "nll_loss(logits.softmax(dim=-1)"}).because(
        "Your loss is minus the probability of the right token. Take minus its logarithm.", FROM_LOGITS
    ),
    mistake("logarithm of a softmax", {"cross_entropy(logits": "nll_loss(logits.softmax(dim=-1).log()"}).because(
        "Your loss is infinite if the model is sure: it takes the logarithm of a probability that has rounded to 0, or "
        "of a sum of exponentials that is too large. Use log_softmax.",
        "What should a mistake cost that the model gives a probability of e⁻¹⁰⁰?",
    ),
    *floors("cross_entropy(logits", "nll_loss({}", "logits.softmax(dim=-1)"),
    mistake(
        "binary cross-entropy",
        {LOSS: "F.binary_cross_entropy_with_logits(logits, F.one_hot(targets, num_categories).float())"},
    ).because(
        "You use binary cross-entropy, which judges each category separately; exactly one is right, so use "
        "cross-entropy over the categories.",
        "Which probabilities should sum to 1?",
    ),
    mistake(
        "the next position's target", {LOSS: "F.cross_entropy(logits[:, :-1].transpose(1, 2), targets[:, 1:])"}
    ).because(
        "You compare each position with the next position's target, as in a language model; compare it with its own.",
        "Which entry of targets belongs to the logits of the first position?",
    ),
    mistake("token 0 hidden", {LOGITS: "model(one_hot, mask=(tokens != 0)[:, None, :])"}).because(
        "You hide the token 0 from the model, as if it were padding; use no mask, because 0 is a category like any "
        "other.",
        "Is there any padding in this task?",
    ),
    mistake("targets transposed", {LOSS: "F.cross_entropy(logits.flatten(0, 1), targets.T.flatten())"}).because(
        "You flatten the targets position by position, and the logits sequence by sequence; flatten both batch first.",
        "Which token does the second row of your flattened logits belong to?",
    ),
    mistake("softmax over the places", {"cross_entropy(logits": "nll_loss(logits.log_softmax(dim=1)"}).because(
        "Your softmax runs over the tokens of a sequence; it must run over the categories.",
        "Along which axis should the probabilities sum to 1?",
    ),
    *(
        mistake(
            f"{what} over the places, and cross-entropy",
            {"cross_entropy(logits": f"cross_entropy(logits.{what}(dim=1)"},
        ).because(
            f"You apply {what} over the tokens of a sequence before F.cross_entropy, which normalises over the "
            "categories itself; pass it the logits.",
            FROM_LOGITS,
        )
        for what in ("log_softmax", "softmax")
    ),
    mistake("logits and targets misaligned", {"(1, 2), targets)": "(0, 1).flatten(0, 1), targets.flatten())"}).because(
        "You flatten logits and targets in different orders; flatten both batch first.",
        "Which token does the second row of your flattened logits belong to?",
    ),
    mistake("view instead of transpose", {"transpose(1, 2)": "reshape(logits.shape[0], logits.shape[2], -1)"}).because(
        "You move the categories with view or reshape, which keep the order of the numbers; use transpose.",
        WHICH_AXIS,
    ),
    mistake("categories on the last axis", {".transpose(1, 2)": ""}).because(
        "You leave the positions on axis 1, where F.cross_entropy expects the categories; move the categories there.",
        WHICH_AXIS,
    ),
    mistake("sum over all tokens", {LOSS: f"{LOSS} * targets.numel()"}).because(
        "You add the losses up, so the step grows with the batch; average them.", HOW_MANY
    ),
    mistake("sum over the sequence", {LOSS: f"{LOSS} * targets.shape[1]"}).because(
        "You average over the batch but add up over the sequence; average over both.", HOW_MANY
    ),
    mistake("not averaged", {"2), targets)": '2), targets, reduction="none")'}).because(
        "You return one loss per token; return their mean, because backward needs a single number.", HOW_MANY
    ),
    mistake("zero taken for padding", {"2), targets)": "2), targets, ignore_index=0)"}).because(
        "You leave out the tokens whose target is 0; count them, because 0 is a category like any other.",
        "Is there any padding in this task?",
    ),
    *(
        mistake(name, edits).because(
            "You compare with the tokens, which rewards copying; compare with the targets.",
            "Which part of the batch is the answer?",
        )
        for name, edits in (
            ("nothing reversed", {BATCH: "tokens, targets = batch[0], batch[0]"}),
            ("the loss of the tokens", {"2), targets)": "2), tokens)"}),
        )
    ),
    mistake("reversed twice", {BATCH: "tokens, targets = batch[0], batch[1].flip(-1)"}).because(
        "You flip the targets, which are already reversed; use them unchanged.",
        "Where in your program is the sequence reversed?",
    ),
    mistake("targets recomputed", {BATCH: "tokens, targets = batch[0], batch[0].flip(-1)"}).because(
        "You reverse the tokens yourself; use the targets of the batch.",
        "Where does your code use the second part of the batch?",
    ),
    mistake("the answer shown to the model", {"one_hot(tokens": "one_hot(targets"}).because(
        "You feed the targets to the model, so it only has to copy them; feed it the tokens.",
        "Which part of the batch is the question?",
    ),
    mistake("guessed along the sequence", {"argmax(dim=-1)": "argmax(dim=1)"}).because(
        "You take the largest logit along the sequence; take it over the categories.",
        "Which axis of logits [B, T, C] counts the categories?",
    ),
    mistake("accuracy by sequence", {"== targets)": "== targets).all(dim=-1)"}).because(
        "You count the sequences without any mistake; return the fraction of correct tokens.", WHAT_COUNTS
    ),
    mistake("accuracy in percent", {"accuracy = ": "accuracy = 100 * "}).because(
        "You return the accuracy as a percentage; return a fraction between 0 and 1.", WHAT_COUNTS
    ),
    *(
        mistake(
            name,
            {"(logits.argmax(dim=-1) == targets)": f"{logits}.softmax(-1).gather(-1, targets.unsqueeze(-1))"},
        ).because(
            "Your accuracy is the mean probability of the right token; return the fraction of tokens whose largest "
            "logit is the right one.",
            WHAT_COUNTS,
        )
        for name, logits in (
            ("probability in the place of accuracy", "logits.detach()"),
            ("probability in the place of accuracy, with a gradient", "logits"),
        )
    ),
    mistake("accuracy as a count", {".float().mean()": ".sum()"}).because(
        "You count the correct tokens; divide by the number of tokens.", WHAT_COUNTS
    ),
    mistake("right tokens for each sequence", {".float().mean()": ".sum() / len(targets)"}).because(
        "You divide by the number of sequences, so the accuracy can exceed 1; divide by the number of tokens.",
        WHAT_COUNTS,
    ),
    mistake("guesses compared with the tokens", {"== targets": "== tokens"}).because(
        "Your accuracy compares with the tokens; compare with the targets, as the loss does.",
        "What would your accuracy be for a model that copies?",
    ),
    mistake("error instead of accuracy", {"== targets": "!= targets"}).because(
        "You return the fraction of wrong predictions; return that of the correct ones.", WHAT_COUNTS
    ),
    mistake("first sequence only", {"== targets)": "== targets)[0]"}).because(
        "Your accuracy counts only the first sequence. Count the tokens of all sequences.", WHAT_COUNTS
    ),
    mistake("accuracy and loss exchanged", {RETURN: "return accuracy, loss"}).because(
        "You return the accuracy first; return the loss first, because the training loop calls backward on it.",
        "Which of the two has a gradient?",
    ),
    mistake("width from the batch", {"(tokens, num_categories)": "(tokens)"}).because(
        "You call one_hot without a number of classes, so a batch without the largest token is too narrow; "
        "pass num_classes.",
        "How wide is your one-hot vector if the largest token does not occur?",
    ),
    mistake("always ten categories", {"model.input_net[-1].in_features": "10"}).because(
        "You always use ten categories, this page's default; use the number that the model was made for.",
        "What does the model's first Linear tell you about its width?",
    ),
    mistake("integers handed to the model", {"(tokens, num_categories).float()": "(tokens, num_categories)"}).because(
        "You pass integers to the model's first Linear; turn tokens into one-hot vectors of floats.",
        "What are the shape and the dtype of the model's input?",
    ),
    mistake("one-hot in double precision", {"num_categories).float()": "num_categories).double()"}).because(
        "Your one-hot vectors are float64; make them float32, like the model's first Linear.",
        "Which dtype do parameters have by default?",
    ),
    mistake("positions left out", {LOGITS: "model(one_hot, add_positional_encoding=False)"}).because(
        "You turn off the positional encoding, so the model cannot know which position it predicts; leave it on.",
        "What does attention know about the order of its inputs?",
    ),
    *(
        mistake(name, {RETURN: returned}).because(
            "Your loss is detached from the model (by detach, item or no_grad), so nothing can learn from it.",
            "Which tensors must backward() pass through?",
        )
        for name, returned in (
            ("cut from the graph", "return loss.detach(), accuracy"),
            ("the loss a plain number", "return loss.item(), accuracy"),
        )
    ),
    mistake(
        "the logits cut from the graph", {"cross_entropy(logits": "cross_entropy(logits.detach().requires_grad_()"}
    ).because(
        "Your loss reaches the logits but not the model: you detach them (by detach, data or a new tensor). Keep them "
        "in the graph.",
        "Which tensors must backward() pass through?",
    ),
    mistake("model switched to eval", {BATCH: f"model.eval()\n    {BATCH}"}).because(
        "Your loss calls the model in eval mode, so it trains without dropout; leave the mode alone.", WHOSE_MODE
    ),
    mistake("model switched to training", {BATCH: f"model.train()\n    {BATCH}"}).because(
        "Your loss calls the model in training mode, so dropout would act in validation; leave the mode alone.",
        WHOSE_MODE,
    ),
    overwrites(
        "batch",
        {BATCH: f"{BATCH}\n    tokens.unsqueeze_(0)\n    tokens = tokens[0]"},
        "`unsqueeze_` works in place, so the tokens have another shape now.",
        "an axis given to the caller's tokens",
    ),
    in_double_precision("loss", {RETURN: "return loss.double(), accuracy"}),
    mistake("loss alone", {RETURN: "return loss"}).because(
        "You return only the loss; return the accuracy too.",
        "What does the docstring say the function returns?",
    ),
    mistake("last token only", {LOSS: "F.cross_entropy(logits[:, -1], targets[:, -1])"}).because(
        "Your loss uses only the last token; every position has a target.", HOW_MANY
    ),
    mistake(
        "squared error", {LOSS: "F.mse_loss(logits.softmax(dim=-1), F.one_hot(targets, num_categories).float())"}
    ).because(
        "You use squared error, but categories have no distances; use cross-entropy.",
        "How should a confident wrong prediction compare with a hesitant one?",
    ),
    mistake("smoothed labels", {"2), targets)": "2), targets, label_smoothing=0.1)"}).because(
        "You use label smoothing, which gives part of the target to other categories; use the plain cross-entropy.",
        "What would your loss be for a perfect model?",
    ),
    mistake(
        "smoothed labels in training", {"2), targets)": "2), targets, label_smoothing=0.1 * model.training)"}
    ).because(
        "In training you use label smoothing, which gives part of the target to other categories; use the plain "
        "cross-entropy.",
        "What would your loss be for a perfect model?",
    ),
    mistake("smallest logit", {"argmax": "argmin"}).because(
        "You predict the category with the smallest logit; predict the one with the largest.",
        "Which category is most likely according to the model?",
    ),
    mistake(
        "causal mask left on", {LOGITS: "model(one_hot, mask=torch.ones(tokens.shape[1], tokens.shape[1]).tril())"}
    ).because(
        "Your mask hides the end of the sequence, which the model must write first; use no mask.",
        "Which tokens does the first position need to see?",
    ),
    mistake("tokens and targets exchanged", {BATCH: "targets, tokens = batch"}).because(
        "You pass the targets to the model and compare with the tokens; the batch is (tokens, targets).",
        "Which comes first in the batch?",
    ),
    mistake("in bits", {RETURN: "return loss / 0.6931471805599453, accuracy"}).because(
        "Your loss is in bits; use the natural logarithm.", "What is the loss of a token with probability ½?"
    ),
    mistake("the best sequence only", {"float().mean()": "float().mean(dim=-1).max()"}).because(
        "Your accuracy is that of the best sequence. Count the tokens of all sequences.", WHAT_COUNTS
    ),
)
