"""What goes wrong in `anomaly_loss`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.reverse.reverse_loss_mistakes import MISTAKES as OF_REVERSE_LOSS

ORDER = "What should happen to the loss when the images of a set change places?"
ATTENDS = "Along which axis of its input does a Transformer attend?"
COMPETE = "Which probabilities should sum to 1: those of the images of one set?"
DIVIDED = "By how many sets should the sum be divided?"
ACCURACY = "Of 5 sets, the odd one is found in 3. What is the accuracy?"
MODE = "Who should decide on the mode: the loss, or the loop that calls it?"
LOSS, UNPACK, SHARE = "F.cross_entropy(logits, target)", "sets, target = batch", ".float().mean()"

MISTAKES = (
    mistake("positional encoding left on", {", add_positional_encoding=False": ""}).because(
        "The model is told the place of each image; a set has no places, and a model may learn them by heart.", ORDER
    ),
    mistake(
        "causal mask left on", {"model(sets,": "model(sets, mask=torch.ones(sets.shape[1], sets.shape[1]).tril(),"}
    ).because("Each image sees only those before it; the first one cannot know that it is odd.", ORDER),
    mistake(
        "image by image", {"model(sets,": "model(sets.flatten(0, 1)[:, None],", ".squeeze(-1)": ".view(sets.shape[:2])"}
    ).because("Each image goes through the model alone, so none is compared with the others of its set.", ATTENDS),
    mistake(
        "the whole batch as one set",
        {"model(sets,": "model(sets.flatten(0, 1)[None],", ".squeeze(-1)": ".view(sets.shape[:2])"},
    ).because("All images of the batch see each other; only those of the same set should.", ATTENDS),
    mistake(
        "batch and set exchanged", {"model(sets,": "model(sets.transpose(0, 1),", ".squeeze(-1)": ".squeeze(-1).T"}
    ).because("Your sets are [S, B, D]: images at the same place of different sets see each other.", ATTENDS),
    mistake(
        "the set flattened into one vector", {"model(sets, add_positional_encoding=False)": "model(sets.flatten(1))"}
    ).because(
        "A set as one long vector has an order, and fits no model of D features.",
        "What is the shape of what you hand to the model?",
    ),
    mistake(
        "softmax over the axis of size 1",
        {LOSS: "F.cross_entropy(logits.reshape(-1, 1), torch.zeros(logits.numel(), dtype=torch.int64))"},
    ).because("Each image competes with itself alone: its probability is always 1, and the loss exactly 0.", COMPETE),
    mistake("softmax over the batch", {LOSS: "F.nll_loss(logits.log_softmax(0), target)"}).because(
        "The sets of the batch compete with each other; it is the images of one set that should.", COMPETE
    ),
    mistake("logits made probabilities over the batch", {".squeeze(-1)": ".squeeze(-1).softmax(0)"}),
    same_as(OF_REVERSE_LOSS, "cross-entropy on probabilities", {LOSS: "F.cross_entropy(logits.softmax(-1), target)"}),
    mistake("no logarithm", {LOSS: "F.nll_loss(logits.softmax(-1), target)"}).because(
        "F.nll_loss wants log-probabilities; of probabilities it lies between −1 and 0.",
        "What is the loss of a perfect guess, and what is yours?",
    ),
    mistake(
        "each image judged alone",
        {LOSS: "F.binary_cross_entropy_with_logits(logits, F.one_hot(target, logits.shape[1]).to(logits))"},
    ).because("Binary cross-entropy asks of each image, odd or not; here exactly one of the set is.", COMPETE),
    mistake(
        "the place as a number",
        {LOSS: "F.mse_loss(logits.softmax(-1) @ torch.arange(logits.shape[1]).to(logits), target.to(logits))"},
    ),
    mistake("sum over the batch", {LOSS: 'F.cross_entropy(logits, target, reduction="sum")'}).because(
        "You add the losses up: the value, and with it the step, grows with the batch.", DIVIDED
    ),
    mistake("divided by the number of images", {LOSS: f"{LOSS} / sets.shape[1]"}),
    mistake("not averaged", {LOSS: 'F.cross_entropy(logits, target, reduction="none")'}).because(
        "This is one loss for each set; backward needs a single number.", DIVIDED
    ),
    mistake("every axis of size 1 squeezed", {".squeeze(-1)": ".squeeze()", "argmax(dim=-1)": "argmax(dim=1)"}).because(
        "squeeze() removes every axis of size 1, also that of a batch with a single set.",
        "What is the shape of torch.zeros(1, 7, 1).squeeze(), and what of squeeze(-1)?",
    ),
    mistake("guesses [B, 1] against targets [B]", {"argmax(dim=-1)": "argmax(dim=-1, keepdim=True)"}).because(
        "Your guesses are [B, 1]: compared with [B] they broadcast to [B, B], every guess against every target.",
        "What is the shape of your comparison?",
    ),
    mistake(
        "accuracy over all images",
        {"logits.argmax(dim=-1) == target": "(logits == logits.amax(1, True)) == F.one_hot(target, logits.shape[1])"},
        "You count every image that is rightly called odd or not odd: saying “not odd” is right most of the time.",
        ACCURACY,
    ),
    mistake("largest logit over the batch", {"argmax(dim=-1)": "argmax(dim=0)"}).because(
        "Your guess is a set for each place; asked for is a place for each set.",
        "Of [B, S] logits, which axis should the argmax remove?",
    ),
    mistake("accuracy not averaged", {SHARE: ".float()"}).because(
        "This is right or wrong for each set; the accuracy is one number, their mean.", ACCURACY
    ),
    mistake("mean of booleans", {SHARE: ".mean()"}).because(
        "Torch takes no mean of booleans: make numbers of them first, with float().",
        "What does == give, and what can be averaged?",
    ),
    same_as(OF_REVERSE_LOSS, "accuracy in percent", {SHARE: f"{SHARE} * 100"}),
    mistake("accuracy as a count", {SHARE: ".float().sum()"}).because(
        "You count the sets that are right; divide by how many there are.", ACCURACY
    ),
    mistake("error instead of accuracy", {"== target": "!= target"}),
    same_as(OF_REVERSE_LOSS, "cut from the graph", {"return loss": "return loss.detach()"}),
    same_as(OF_REVERSE_LOSS, "model switched to eval", {UNPACK: f"model.eval()\n    {UNPACK}"}),
    same_as(OF_REVERSE_LOSS, "model switched to training", {UNPACK: f"model.train()\n    {UNPACK}"}),
    overwrites(
        "batch",
        {
            UNPACK: "sets, target = batch[0], batch[1].unsqueeze_(1)",
            ".squeeze(-1)": "",
            "argmax(dim=-1)": "argmax(dim=1)",
        },
        "`-=` does that, and so do methods that end in _.",
        "target overwritten",
    ),
    in_double_precision("loss", {LOSS: "F.cross_entropy(logits.double(), target)"}, "loss in double precision"),
    mistake("the axis of size 1 left in", {".squeeze(-1)": ""}).because(
        "Your logits are still [B, S, 1]: F.cross_entropy takes the images for its classes and the 1 for places.",
        "Which shapes does F.cross_entropy take, and which axis is too many?",
    ),
    same_as(OF_REVERSE_LOSS, "accuracy and loss exchanged", {"return loss, accuracy": "return accuracy, loss"}),
    same_as(OF_REVERSE_LOSS, "loss alone", {"return loss, accuracy": "return loss"}),
    mistake("sign of the logits", {"= model(": "= -model("}).because(
        "The image with the smallest logit wins; the odd one should have the largest.",
        "Is a larger logit more likely, or less?",
    ),
    mistake("smallest logit guessed", {"argmax": "argmin"}).because(
        "You guess the image with the smallest logit; the larger a logit, the odder the image.", ACCURACY
    ),
)
