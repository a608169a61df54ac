"""What goes wrong in `anomaly_loss`, and what a teaching assistant would say of it."""

import torch
from torch.nn import functional as F

from autograder.exercise import Misconception

LOSS, ACCURACY, ORDER, TRAINING = (
    "cross-entropy over the set",
    "accuracy counts sets",
    "a set has no order",
    "ready for training",
)
ALL = (LOSS, ACCURACY, ORDER, TRAINING)


def logits_of(model, sets, **options):
    return model(sets, add_positional_encoding=False, **options).squeeze(-1)  # [B, S]


def judged(logits, target):
    """The right loss and accuracy of some logits."""
    return F.cross_entropy(logits, target), (logits.argmax(-1) == target).float().mean()


def positions_left_on(model, batch):
    return judged(model(batch[0]).squeeze(-1), batch[1])


def causal(model, batch):
    size = batch[0].shape[1]
    return judged(logits_of(model, batch[0], mask=torch.ones(size, size).tril()), batch[1])


def image_by_image(model, batch):
    sets, target = batch
    return judged(logits_of(model, sets.reshape(-1, 1, sets.shape[-1])).view(sets.shape[:2]), target)


def batch_as_one_set(model, batch):
    sets, target = batch
    return judged(logits_of(model, sets.flatten(0, 1)[None]).view(sets.shape[:2]), target)


def axes_exchanged(model, batch):
    sets, target = batch
    return judged(logits_of(model, sets.transpose(0, 1)).T, target)


def one_vector(model, batch):
    sets, target = batch
    return judged(model(sets.flatten(1)).squeeze(-1), target)


def axis_of_size_one(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    loss = F.cross_entropy(logits.reshape(-1, 1), torch.zeros(logits.numel(), dtype=torch.int64))
    return loss, judged(logits, target)[1]


def softmax_over_the_batch(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.log_softmax(0), target), judged(logits, target)[1]


def probabilities(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits.softmax(-1), target), judged(logits, target)[1]


def log_missing(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.softmax(-1), target), judged(logits, target)[1]


def each_image_alone(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(target, logits.shape[1]).to(logits.dtype)
    return F.binary_cross_entropy_with_logits(logits, due), judged(logits, target)[1]


def place_as_a_number(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    places = torch.arange(logits.shape[1], dtype=logits.dtype)
    return F.mse_loss(logits.softmax(-1) @ places, target.to(logits.dtype)), judged(logits, target)[1]


def summed(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss * len(batch[1]), accuracy


def over_all_images(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss / batch[0].shape[1], accuracy


def not_averaged(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits, target, reduction="none"), judged(logits, target)[1]


def smallest_wins(model, batch):
    return judged(-logits_of(model, batch[0]), batch[1])


def axis_kept_in_accuracy(model, batch):
    logits, target = model(batch[0], add_positional_encoding=False), batch[1]
    return judged(logits.squeeze(-1), target)[0], (logits.argmax(1) == target).float().mean()


def all_places(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(target, logits.shape[1])
    return judged(logits, target)[0], ((logits == logits.max(1, keepdim=True).values) == due).float().mean()


def argmin(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return judged(logits, target)[0], (logits.argmin(-1) == target).float().mean()


def in_percent(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 100 * accuracy


def counted(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, accuracy * len(batch[1])


def error_rate(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 1 - accuracy


def cut_off(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss.detach(), accuracy


def switched_to_eval(model, batch):
    model.eval()
    return judged(logits_of(model, batch[0]), batch[1])


COMPETE = "Which probabilities should sum to 1: those of the images of one set?"
WHAT_COUNTS = "Of 5 sets, the odd one is found in 3. What is the accuracy?"
WHAT_ORDER = "What should happen to the loss when the images of a set change places?"

MISCONCEPTIONS = (
    Misconception(
        "positional encoding left on",
        positions_left_on,
        "The model is told the place of each image; a set has no places, and a model may learn them by heart.",
        WHAT_ORDER,
        (ORDER,),
    ),
    Misconception(
        "causal mask left on",
        causal,
        "Each image sees only those before it; the first one cannot know that it is odd.",
        WHAT_ORDER,
        (LOSS, ACCURACY, ORDER),
    ),
    Misconception(
        "image by image",
        image_by_image,
        "Each image goes through the model alone, so none is compared with the others of its set.",
        "Along which axis of its input does a Transformer attend?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "the whole batch as one set",
        batch_as_one_set,
        "All images of the batch see each other; only those of the same set should.",
        "Along which axis of its input does a Transformer attend?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "batch and set exchanged",
        axes_exchanged,
        "Your sets are [S, B, D]: images at the same place of different sets see each other.",
        "Along which axis of its input does a Transformer attend?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "the set flattened into one vector",
        one_vector,
        "A set as one long vector has an order, and fits no model of D features.",
        "What is the shape of what you hand to the model?",
        ALL,
    ),
    Misconception(
        "softmax over the axis of size 1",
        axis_of_size_one,
        "Each image competes with itself alone: its probability is always 1, and the loss exactly 0.",
        COMPETE,
        (LOSS, TRAINING),
    ),
    Misconception(
        "softmax over the batch",
        softmax_over_the_batch,
        "The sets of the batch compete with each other; it is the images of one set that should.",
        COMPETE,
        (LOSS,),
    ),
    Misconception(
        "cross-entropy on probabilities",
        probabilities,
        "F.cross_entropy takes the softmax itself; on top of yours the loss can never come near 0.",
        "Which of the two does F.cross_entropy take: logits, or probabilities?",
        (LOSS,),
    ),
    Misconception(
        "no logarithm",
        log_missing,
        "F.nll_loss wants log-probabilities; of probabilities it lies between −1 and 0.",
        "What is the loss of a perfect guess, and what is yours?",
        (LOSS,),
    ),
    Misconception(
        "each image judged alone",
        each_image_alone,
        "Binary cross-entropy asks of each image, odd or not; here exactly one of the set is.",
        COMPETE,
        (LOSS,),
    ),
    Misconception(
        "the place as a number",
        place_as_a_number,
        "You measure how far the guessed place is from the right one; places 3 and 4 are no nearer than 3 and 9.",
        "Is a guess one place off better than one five places off?",
        (LOSS, ORDER),
    ),
    Misconception(
        "sum over the batch",
        summed,
        "You add the losses up: the value, and with it the step, grows with the batch.",
        "By how many sets should the sum be divided?",
        (LOSS,),
    ),
    Misconception(
        "divided by the number of images",
        over_all_images,
        "You divide by the number of images; each set has one loss, whatever its size.",
        "By how many sets should the sum be divided?",
        (LOSS,),
    ),
    Misconception(
        "not averaged",
        not_averaged,
        "This is one loss for each set; backward needs a single number.",
        "By how many sets should the sum be divided?",
        (LOSS, TRAINING),
    ),
    Misconception(
        "sign of the logits",
        smallest_wins,
        "The image with the smallest logit wins; the odd one should have the largest.",
        "Is a larger logit more likely, or less?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "guesses [B, 1] against targets [B]",
        axis_kept_in_accuracy,
        "Your guesses are [B, 1]: compared with [B] they broadcast to [B, B], every guess against every target.",
        "What is the shape of your comparison?",
        (ACCURACY,),
    ),
    Misconception(
        "accuracy over all images",
        all_places,
        "You count every image that is rightly called odd or not odd: saying “not odd” is right most of the time.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "smallest logit guessed",
        argmin,
        "argmin finds the image that the model thinks least odd.",
        "Is a larger logit more likely, or less?",
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
        "You count the sets that are right; divide by how many there are.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "error in the place of accuracy",
        error_rate,
        "This is the share of the sets that are wrong.",
        WHAT_COUNTS,
        (ACCURACY,),
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
