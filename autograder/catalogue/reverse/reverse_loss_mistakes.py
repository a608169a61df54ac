"""What goes wrong in `reverse_loss`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

LOGITS, LOSS = "model(one_hot)", "F.cross_entropy(logits.transpose(1, 2), targets)"
BATCH, RETURN = "tokens, targets = batch", "return loss, accuracy"
FROM_LOGITS = "Which of the two does F.cross_entropy take: logits, or probabilities?"
WHICH_AXIS = "Which axis counts the categories, and where does F.cross_entropy expect it?"
HOW_MANY = "By how many tokens should the sum be divided?"
WHOSE_MODE = "Who should decide on the mode: the loss, or the loop that calls it?"
WHAT_COUNTS = "Of 20 tokens in 2 sequences, 15 are guessed right. What is the accuracy?"

MISTAKES = (
    mistake("cross-entropy on probabilities", {LOGITS: f"{LOGITS}.softmax(dim=-1)"}).because(
        "F.cross_entropy takes the softmax itself; on top of yours the loss can never come near 0.", FROM_LOGITS
    ),
    mistake("no softmax at all", {"cross_entropy(logits": "nll_loss(logits"}).because(
        "F.nll_loss wants log-probabilities; of plain logits it has no lower bound.", FROM_LOGITS
    ),
    mistake("no logarithm", {"cross_entropy(logits": "nll_loss(logits.softmax(dim=-1)"}),
    mistake("softmax over the places", {"cross_entropy(logits": "nll_loss(logits.log_softmax(dim=1)"}).because(
        "The tokens of a sequence compete with each other; it is the categories that should, for each token.",
        "Along which axis should the probabilities sum to 1?",
    ),
    mistake("logits and targets misaligned", {"(1, 2), targets)": "(0, 1).flatten(0, 1), targets.flatten())"}).because(
        "Your logits run through the batch first and your targets through the sequence: they do not belong together.",
        "Which token does the second row of your flattened logits speak of?",
    ),
    mistake("view instead of transpose", {"transpose(1, 2)": "reshape(logits.shape[0], logits.shape[2], -1)"}).because(
        "view and reshape keep the order of the numbers: they do not bring the categories to the second axis.",
        WHICH_AXIS,
    ),
    mistake("categories on the last axis", {".transpose(1, 2)": ""}).because(
        "F.cross_entropy looks for the categories on axis 1 and finds the places there.", WHICH_AXIS
    ),
    mistake("sum over all tokens", {LOSS: f"{LOSS} * targets.numel()"}).because(
        "You add the losses up: the value, and with it the step, grows with the batch.", HOW_MANY
    ),
    mistake("sum over the sequence", {LOSS: f"{LOSS} * targets.shape[1]"}).because(
        "You average over the batch but add up over the sequence: a longer sequence costs more.", HOW_MANY
    ),
    mistake("not averaged", {"2), targets)": '2), targets, reduction="none")'}).because(
        "This is one loss for each token; backward needs a single number.", HOW_MANY
    ),
    mistake("zero taken for padding", {"2), targets)": "2), targets, ignore_index=0)"}).because(
        "You leave out the tokens whose target is 0; here 0 is a category like any other.",
        "Is there any padding in this task?",
    ),
    *(
        mistake(name, edits).because(
            "You compare with the tokens and not with the targets: copying is rewarded.",
            "Which part of the batch is the answer?",
        )
        for name, edits in (
            ("nothing reversed", {BATCH: "tokens, targets = batch[0], batch[0]"}),
            ("the loss of the tokens", {"2), targets)": "2), tokens)"}),
        )
    ),
    mistake("reversed twice", {BATCH: "tokens, targets = batch[0], batch[1].flip(-1)"}).because(
        "The targets of the batch are reversed already; flipping them again gives back the tokens.",
        "Where in your program is the sequence turned around?",
    ),
    mistake("targets made anew", {BATCH: "tokens, targets = batch[0], batch[0].flip(-1)"}).because(
        "You reverse the tokens yourself and never look at the targets of the batch.",
        "Where does your code use the second part of the batch?",
    ),
    mistake("the answer shown to the model", {"one_hot(tokens": "one_hot(targets"}).because(
        "You feed the targets to the model, so it only has to copy them.", "Which part of the batch is the question?"
    ),
    mistake("guessed along the sequence", {"argmax(dim=-1)": "argmax(dim=1)"}).because(
        "You look for the largest logit along the sequence; it is the categories that are to be compared.",
        "Which axis of logits [B, T, C] counts the categories?",
    ),
    mistake("accuracy by sequence", {"== targets)": "== targets).all(dim=-1)"}).because(
        "You count the sequences without any mistake; asked for is the share of the tokens.", WHAT_COUNTS
    ),
    mistake("accuracy in percent", {"accuracy = ": "accuracy = 100 * "}).because(
        "Your accuracy is a percentage; asked for is a share between 0 and 1.", WHAT_COUNTS
    ),
    mistake("accuracy as a count", {".float().mean()": ".sum()"}).because(
        "You count the right tokens; divide by how many there are.", WHAT_COUNTS
    ),
    mistake("right tokens for each sequence", {".float().mean()": ".sum() / len(targets)"}).because(
        "You divide by the number of sequences, so the accuracy can exceed 1.", WHAT_COUNTS
    ),
    mistake("guesses compared with the tokens", {"== targets": "== tokens"}).because(
        "The loss compares with the targets, but your accuracy compares with the tokens.",
        "What would your accuracy say of a model that copies?",
    ),
    mistake("error instead of accuracy", {"== targets": "!= targets"}).because(
        "This is the share of wrong guesses.", WHAT_COUNTS
    ),
    mistake("first sequence only", {"== targets)": "== targets)[0]"}),
    mistake("accuracy and loss exchanged", {RETURN: "return accuracy, loss"}).because(
        "You return the accuracy first; the training loop goes backward from the first of the two.",
        "Which of the two has a gradient?",
    ),
    mistake("width from the batch", {"(tokens, num_categories)": "(tokens)"}).because(
        "Without a number of classes, one_hot takes the largest token of the batch: a batch without it is too narrow.",
        "How wide is your one-hot vector when the largest token happens not to occur?",
    ),
    mistake("always ten categories", {"model.input_net[-1].in_features": "10"}).because(
        "Ten categories are this page's default; the model may have been made for another number.",
        "What does the model's first Linear say about its width?",
    ),
    mistake("integers handed to the model", {"(tokens, num_categories).float()": "(tokens, num_categories)"}).because(
        "The model's first Linear got integers: token numbers must become one-hot vectors, and these floats.",
        "What is the shape of what you hand to the model, and what its dtype?",
    ),
    mistake("one-hot in double precision", {"num_categories).float()": "num_categories).double()"}).because(
        "Your one-hot vectors are float64; the model's first Linear holds float32 and refuses them.",
        "Which dtype do parameters have, unless somebody says otherwise?",
    ),
    mistake("positions left out", {LOGITS: "model(one_hot, add_positional_encoding=False)"}).because(
        "Without the positional encoding the model cannot know which place it answers for.",
        "What does attention know about the order of its inputs?",
    ),
    *(
        mistake(name, {RETURN: returned}).because(
            "detach, item or no_grad has cut the loss off from the model: nothing can learn from it.",
            "What would backward() have to follow?",
        )
        for name, returned in (
            ("cut from the graph", "return loss.detach(), accuracy"),
            ("the loss a plain number", "return loss.item(), accuracy"),
        )
    ),
    mistake("model switched to eval", {BATCH: f"model.eval()\n    {BATCH}"}).because(
        "Your loss puts the model into eval mode, so it trains without its dropout from then on.", WHOSE_MODE
    ),
    mistake("model switched to training", {BATCH: f"model.train()\n    {BATCH}"}).because(
        "Your loss puts the model into training mode, so that validation would drop at random.", WHOSE_MODE
    ),
    overwrites(
        "batch",
        {BATCH: f"{BATCH}\n    tokens.unsqueeze_(0)\n    tokens = tokens[0]"},
        "`unsqueeze_` works in place, and the tokens have another shape now.",
        "an axis given to the caller's tokens",
    ),
    in_double_precision("loss", {RETURN: "return loss.double(), accuracy"}),
    mistake("loss alone", {RETURN: "return loss"}).because(
        "The loss comes back alone; the accuracy belongs beside it.",
        "What does the docstring say that the function returns?",
    ),
    mistake("last token only", {LOSS: "F.cross_entropy(logits[:, -1], targets[:, -1])"}).because(
        "Your loss looks at the last token alone; every place has a target.", HOW_MANY
    ),
    mistake(
        "squared error", {LOSS: "F.mse_loss(logits.softmax(dim=-1), F.one_hot(targets, num_categories).float())"}
    ).because(
        "Squared error measures distances between numbers; categories have none, so the course uses cross-entropy.",
        "How does a confident wrong guess compare with a hesitant one?",
    ),
    mistake("smoothed labels", {"2), targets)": "2), targets, label_smoothing=0.1)"}).because(
        "Label smoothing gives part of the target to the other categories; the task asks for the plain loss.",
        "What would your loss be for a perfect model?",
    ),
    mistake("smallest logit", {"argmax": "argmin"}).because(
        "You guess the category with the smallest logit; the larger a logit, the likelier the category.",
        "Which category does the model hold most likely?",
    ),
    mistake(
        "causal mask left on", {LOGITS: "model(one_hot, mask=torch.ones(tokens.shape[1], tokens.shape[1]).tril())"}
    ).because(
        "To write the last token first, the model must see the end of the sequence; your mask hides it.",
        "Which tokens does the first place need to see?",
    ),
)
