"""What goes wrong in `reverse_loss`, and what a teaching assistant would say of it."""

import torch
from torch.nn import functional as F

from autograder.exercise import Misconception

LOSS, ACCURACY, TARGETS, PLACES, WIDTH, TRAINING = (
    "cross-entropy, the mean over all tokens",
    "accuracy counts tokens",
    "compared with the targets of the batch",
    "the model sees the positions",
    "one-hot vectors as wide as the model expects",
    "ready for training",
)
ALL = (LOSS, ACCURACY, TARGETS, PLACES, WIDTH, TRAINING)


def logits_of(model, tokens, **options):
    return model(F.one_hot(tokens, model.input_net[-1].in_features).float(), **options)  # [B, T, C]


def judged(logits, targets):
    """The right loss and accuracy of some logits."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten()), (logits.argmax(-1) == targets).float().mean()


def probabilities(model, batch):
    logits = logits_of(model, batch[0])
    return judged(logits.softmax(-1), batch[1])


def nll_of_logits(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def nll_of_probabilities(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.softmax(-1).flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def softmax_over_places(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.log_softmax(1).flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def misaligned(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits.transpose(0, 1).flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def view_for_transpose(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    shuffled = logits.reshape(len(targets), logits.shape[-1], -1)  # [B, C, T]
    return F.cross_entropy(shuffled, targets), judged(logits, targets)[1]


def shape_not_flattened(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits, targets), judged(logits, targets)[1]


def summed(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss, accuracy = judged(logits, targets)
    return loss * targets.numel(), accuracy


def summed_over_places(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss, accuracy = judged(logits, targets)
    return loss * targets.shape[1], accuracy


def not_averaged(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits.transpose(1, 2), targets, reduction="none"), judged(logits, targets)[1]


def zero_is_padding(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
    return loss, judged(logits, targets)[1]


def last_token_only(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits[:, -1], targets[:, -1]), judged(logits, targets)[1]


def squared_error(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(targets, logits.shape[-1]).float()
    return F.mse_loss(logits.softmax(-1), due), judged(logits, targets)[1]


def each_category_alone(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(targets, logits.shape[-1]).float()
    return F.binary_cross_entropy_with_logits(logits, due), judged(logits, targets)[1]


def smoothed(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=0.1)
    return loss, judged(logits, targets)[1]


def copies(model, batch):
    return judged(logits_of(model, batch[0]), batch[0])


def reversed_again(model, batch):
    return judged(logits_of(model, batch[0]), batch[1].flip(-1))


def targets_made_anew(model, batch):
    return judged(logits_of(model, batch[0]), batch[0].flip(-1))


def answer_shown(model, batch):
    return judged(logits_of(model, batch[1]), batch[1])


def by_sequence(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets).all(-1).float().mean()


def in_percent(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 100 * accuracy


def counted(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets).sum()


def over_the_batch_size(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets).sum() / len(targets)


def smallest_logit(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmin(-1) == targets).float().mean()


def guesses_against_tokens(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == batch[0]).float().mean()


def error_rate(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 1 - accuracy


def first_sequence_only(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets)[0].float().mean()


def exchanged(model, batch):
    return judged(logits_of(model, batch[0]), batch[1])[::-1]


def width_of_the_batch(model, batch):
    tokens, targets = batch
    return judged(model(F.one_hot(tokens).float()), targets)


def always_ten(model, batch):
    tokens, targets = batch
    return judged(model(F.one_hot(tokens, 10).float()), targets)


def integers(model, batch):
    tokens, targets = batch
    return judged(model(F.one_hot(tokens, model.input_net[-1].in_features)), targets)


def without_positions(model, batch):
    return judged(logits_of(model, batch[0], add_positional_encoding=False), batch[1])


def causal(model, batch):
    length = batch[0].shape[1]
    return judged(logits_of(model, batch[0], mask=torch.ones(length, length).tril()), batch[1])


def cut_off(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss.detach(), accuracy


def switched_to_eval(model, batch):
    model.eval()
    return judged(logits_of(model, batch[0]), batch[1])


FROM_LOGITS = "Which of the two does F.cross_entropy take: logits, or probabilities?"
WHICH_AXIS = "Which axis counts the categories, and where does F.cross_entropy expect it?"
HOW_MANY = "By how many tokens should the sum be divided?"
WHAT_COUNTS = "Of 20 tokens in 2 sequences, 15 are guessed right. What is the accuracy?"

MISCONCEPTIONS = (
    Misconception(
        "cross-entropy on probabilities",
        probabilities,
        "F.cross_entropy takes the softmax itself; on top of yours the loss can never come near 0.",
        FROM_LOGITS,
        (LOSS,),
    ),
    Misconception(
        "no softmax at all",
        nll_of_logits,
        "F.nll_loss wants log-probabilities; of plain logits it has no lower bound.",
        FROM_LOGITS,
        (LOSS,),
    ),
    Misconception(
        "no logarithm",
        nll_of_probabilities,
        "F.nll_loss wants log-probabilities; of probabilities it lies between −1 and 0.",
        "What is the loss of a perfect guess, and what is yours?",
        (LOSS,),
    ),
    Misconception(
        "softmax over the places",
        softmax_over_places,
        "The tokens of a sequence compete with each other; it is the categories that should, for each token.",
        "Along which axis should the probabilities sum to 1?",
        (LOSS,),
    ),
    Misconception(
        "logits and targets misaligned",
        misaligned,
        "Your logits run through the batch first and your targets through the sequence: they do not belong together.",
        "Which token does the second row of your flattened logits speak of?",
        (LOSS,),
    ),
    Misconception(
        "view in the place of transpose",
        view_for_transpose,
        "view and reshape keep the order of the numbers: they do not bring the categories to the second axis.",
        WHICH_AXIS,
        (LOSS,),
    ),
    Misconception(
        "categories on the last axis",
        shape_not_flattened,
        "F.cross_entropy looks for the categories on axis 1 and finds the places there.",
        WHICH_AXIS,
        (LOSS, ACCURACY, TARGETS, PLACES, WIDTH, TRAINING),
    ),
    Misconception(
        "sum over all tokens",
        summed,
        "You add the losses up: the value, and with it the step, grows with the batch.",
        HOW_MANY,
        (LOSS,),
    ),
    Misconception(
        "sum over the sequence",
        summed_over_places,
        "You average over the batch but add up over the sequence: a longer sequence costs more.",
        HOW_MANY,
        (LOSS,),
    ),
    Misconception(
        "not averaged",
        not_averaged,
        "This is one loss for each token; backward needs a single number.",
        HOW_MANY,
        (LOSS, TRAINING),
    ),
    Misconception(
        "zero taken for padding",
        zero_is_padding,
        "You leave out the tokens whose target is 0; here 0 is a category like any other.",
        "Is there any padding in this task?",
        (LOSS,),
    ),
    Misconception(
        "last token only",
        last_token_only,
        "Your loss looks at the last token alone; every place has a target.",
        HOW_MANY,
        (LOSS,),
    ),
    Misconception(
        "squared error",
        squared_error,
        "Squared error measures distances between numbers; categories have none, so the course uses cross-entropy.",
        "How does a confident wrong guess compare with a hesitant one?",
        (LOSS,),
    ),
    Misconception(
        "each category judged alone",
        each_category_alone,
        "Binary cross-entropy asks of each category, yes or no; here exactly one is right.",
        "Must your C probabilities sum to 1?",
        (LOSS,),
    ),
    Misconception(
        "smoothed labels",
        smoothed,
        "Label smoothing gives part of the target to the other categories; the task asks for the plain loss.",
        "What would your loss be for a perfect model?",
        (LOSS,),
    ),
    Misconception(
        "nothing reversed",
        copies,
        "You compare with the tokens and not with the targets: copying is rewarded.",
        "Which part of the batch is the answer?",
        (LOSS, ACCURACY, TARGETS),
    ),
    Misconception(
        "reversed twice",
        reversed_again,
        "The targets of the batch are reversed already; flipping them again gives back the tokens.",
        "Where in your program is the sequence turned around?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "targets made anew",
        targets_made_anew,
        "You reverse the tokens yourself and never look at the targets of the batch.",
        "Where does your code use the second part of the batch?",
        (ACCURACY, TARGETS),
    ),
    Misconception(
        "the answer shown to the model",
        answer_shown,
        "You feed the targets to the model, so it only has to copy them.",
        "Which part of the batch is the question?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "accuracy by sequence",
        by_sequence,
        "You count the sequences without any mistake; asked for is the share of the tokens.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "accuracy in percent",
        in_percent,
        "Your accuracy is a percentage; asked for is a share between 0 and 1.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "accuracy as a count",
        counted,
        "You count the right tokens; divide by how many there are.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "right tokens for each sequence",
        over_the_batch_size,
        "You divide by the number of sequences, so the accuracy can exceed 1.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "smallest logit",
        smallest_logit,
        "argmin finds the category that the model thinks least likely.",
        "Is a larger logit more likely, or less?",
        (ACCURACY,),
    ),
    Misconception(
        "guesses compared with the tokens",
        guesses_against_tokens,
        "The loss compares with the targets, but your accuracy compares with the tokens.",
        "What would your accuracy say of a model that copies?",
        (ACCURACY,),
    ),
    Misconception(
        "error in the place of accuracy",
        error_rate,
        "This is the share of wrong guesses.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "first sequence only",
        first_sequence_only,
        "Your accuracy looks at the first sequence of the batch alone.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "accuracy and loss exchanged",
        exchanged,
        "You return the accuracy first; the training loop goes backward from the first of the two.",
        "Which of the two has a gradient?",
        (LOSS, ACCURACY, TRAINING),
    ),
    Misconception(
        "width from the batch",
        width_of_the_batch,
        "Without a number of classes, one_hot takes the largest token of the batch: a batch without it is too narrow.",
        "How wide is your one-hot vector when the largest token happens not to occur?",
        (WIDTH,),
    ),
    Misconception(
        "always ten categories",
        always_ten,
        "Ten categories are this page's default; the model may have been made for another number.",
        "What does the model's first Linear say about its width?",
        ALL,
    ),
    Misconception(
        "one-hot left as integers",
        integers,
        "one_hot gives integers and a Linear multiplies floats: convert them.",
        "What is the dtype of your one-hot tensor?",
        ALL,
    ),
    Misconception(
        "positions left out",
        without_positions,
        "Without the positional encoding the model cannot know which place it answers for.",
        "What does attention know about the order of its inputs?",
        (PLACES,),
    ),
    Misconception(
        "causal mask left on",
        causal,
        "To write the last token first, the model must see the end of the sequence; your mask hides it.",
        "Which tokens does the first place need to see?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "cut from the graph",
        cut_off,
        "detach, item or no_grad has cut the loss off from the model: nothing can learn from it.",
        "What would backward() have to follow?",
        (TRAINING,),
    ),
    Misconception(
        "model switched to eval",
        switched_to_eval,
        "Your loss puts the model into eval mode, so it trains without its dropout from then on.",
        "Who should decide on the mode: the loss, or the loop that calls it?",
        (TRAINING,),
    ),
)
