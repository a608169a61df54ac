"""What goes wrong in `anomaly_loss`, and what a teaching assistant would say of it."""

from autograder.catalogue.anomaly import wrong_losses as wrong
from autograder.catalogue.exercise import Misconception

LOSS, ACCURACY, ORDER, TRAINING = (
    "cross-entropy over the set",
    "accuracy counts sets",
    "a set has no order",
    "ready for training",
)
ALL = (LOSS, ACCURACY, ORDER, TRAINING)
COMPETE = "Which probabilities should sum to 1: those of the images of one set?"
WHAT_COUNTS = "Of 5 sets, the odd one is found in 3. What is the accuracy?"
WHAT_ORDER = "What should happen to the loss when the images of a set change places?"

MISCONCEPTIONS = (
    Misconception(
        "positional encoding left on",
        wrong.positions_left_on,
        "The model is told the place of each image; a set has no places, and a model may learn them by heart.",
        WHAT_ORDER,
        (ORDER,),
    ),
    Misconception(
        "causal mask left on",
        wrong.causal,
        "Each image sees only those before it; the first one cannot know that it is odd.",
        WHAT_ORDER,
        (LOSS, ACCURACY, ORDER),
    ),
    Misconception(
        "image by image",
        wrong.image_by_image,
        "Each image goes through the model alone, so none is compared with the others of its set.",
        "Along which axis of its input does a Transformer attend?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "the whole batch as one set",
        wrong.batch_as_one_set,
        "All images of the batch see each other; only those of the same set should.",
        "Along which axis of its input does a Transformer attend?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "batch and set exchanged",
        wrong.axes_exchanged,
        "Your sets are [S, B, D]: images at the same place of different sets see each other.",
        "Along which axis of its input does a Transformer attend?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "the set flattened into one vector",
        wrong.one_vector,
        "A set as one long vector has an order, and fits no model of D features.",
        "What is the shape of what you hand to the model?",
        ALL,
    ),
    Misconception(
        "softmax over the axis of size 1",
        wrong.axis_of_size_one,
        "Each image competes with itself alone: its probability is always 1, and the loss exactly 0.",
        COMPETE,
        (LOSS, TRAINING),
    ),
    Misconception(
        "softmax over the batch",
        wrong.softmax_over_the_batch,
        "The sets of the batch compete with each other; it is the images of one set that should.",
        COMPETE,
        (LOSS,),
    ),
    Misconception(
        "cross-entropy on probabilities",
        wrong.probabilities,
        "F.cross_entropy takes the softmax itself; on top of yours the loss can never come near 0.",
        "Which of the two does F.cross_entropy take: logits, or probabilities?",
        (LOSS,),
    ),
    Misconception(
        "no logarithm",
        wrong.log_missing,
        "F.nll_loss wants log-probabilities; of probabilities it lies between −1 and 0.",
        "What is the loss of a perfect guess, and what is yours?",
        (LOSS,),
    ),
    Misconception(
        "each image judged alone",
        wrong.each_image_alone,
        "Binary cross-entropy asks of each image, odd or not; here exactly one of the set is.",
        COMPETE,
        (LOSS,),
    ),
    Misconception(
        "the place as a number",
        wrong.place_as_a_number,
        "You measure how far the guessed place is from the right one; places 3 and 4 are no nearer than 3 and 9.",
        "Is a guess one place off better than one five places off?",
        (LOSS, ORDER),
    ),
    Misconception(
        "sum over the batch",
        wrong.summed,
        "You add the losses up: the value, and with it the step, grows with the batch.",
        "By how many sets should the sum be divided?",
        (LOSS,),
    ),
    Misconception(
        "divided by the number of images",
        wrong.over_all_images,
        "You divide by the number of images; each set has one loss, whatever its size.",
        "By how many sets should the sum be divided?",
        (LOSS,),
    ),
    Misconception(
        "not averaged",
        wrong.not_averaged,
        "This is one loss for each set; backward needs a single number.",
        "By how many sets should the sum be divided?",
        (LOSS, TRAINING),
    ),
    Misconception(
        "sign of the logits",
        wrong.smallest_wins,
        "The image with the smallest logit wins; the odd one should have the largest.",
        "Is a larger logit more likely, or less?",
        (LOSS, ACCURACY),
    ),
    Misconception(
        "guesses [B, 1] against targets [B]",
        wrong.axis_kept_in_accuracy,
        "Your guesses are [B, 1]: compared with [B] they broadcast to [B, B], every guess against every target.",
        "What is the shape of your comparison?",
        (ACCURACY,),
    ),
    Misconception(
        "accuracy over all images",
        wrong.all_places,
        "You count every image that is rightly called odd or not odd: saying “not odd” is right most of the time.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "smallest logit guessed",
        wrong.argmin,
        "argmin finds the image that the model thinks least odd.",
        "Is a larger logit more likely, or less?",
        (ACCURACY,),
    ),
    Misconception(
        "accuracy in percent",
        wrong.in_percent,
        "Your accuracy is a percentage; asked for is a share between 0 and 1.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "accuracy as a count",
        wrong.counted,
        "You count the sets that are right; divide by how many there are.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "error in the place of accuracy",
        wrong.error_rate,
        "This is the share of the sets that are wrong.",
        WHAT_COUNTS,
        (ACCURACY,),
    ),
    Misconception(
        "cut from the graph",
        wrong.cut_off,
        "detach, item or no_grad has cut the loss off from the model: nothing can learn from it.",
        "What would backward() have to follow?",
        (TRAINING,),
    ),
    Misconception(
        "model switched to eval",
        wrong.switched_to_eval,
        "Your loss puts the model into eval mode, so it trains without its dropout from then on.",
        "Who should decide on the mode: the loss, or the loop that calls it?",
        (TRAINING,),
    ),
    Misconception(
        "model switched to training",
        wrong.switched_to_training,
        "Your loss puts the model into training mode, so that validation would drop at random.",
        "Who should decide on the mode: the loss, or the loop that calls it?",
        (TRAINING,),
    ),
    Misconception(
        "the axis of size 1 left in",
        wrong.axis_left_in,
        "Your logits are still [B, S, 1]: F.cross_entropy takes the images for its classes and the 1 for places.",
        "Which shapes does F.cross_entropy take, and which axis is too many?",
        ALL,
    ),
    Misconception(
        "accuracy and loss exchanged",
        wrong.exchanged,
        "You return the accuracy first; the training loop goes backward from the first of the two.",
        "Which of the two has a gradient?",
        (LOSS, ACCURACY, TRAINING),
    ),
    Misconception(
        "loss alone",
        wrong.loss_alone,
        "The loss comes back alone; the accuracy belongs beside it.",
        "What does the docstring say that the function returns?",
        (ACCURACY,),
    ),
)
