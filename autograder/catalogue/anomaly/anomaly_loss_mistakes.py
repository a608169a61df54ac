"""What goes wrong in `anomaly_loss`."""

from autograder.catalogue.common_mistakes import floors, in_double_precision, overwrites
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.reverse.reverse_loss_mistakes import MISTAKES as OF_REVERSE_LOSS

ORDER = "What should happen to the loss if the images of a set are permuted?"
ATTENDS = "Along which axis of its input does a Transformer attend?"
COMPETE = "Which probabilities should sum to 1: those of the images of one set?"
DIVIDED = "By how many sets should the sum be divided?"
ACCURACY = "Of 5 sets, the odd one is found in 3. What is the accuracy?"
MODE = "Which should set the mode: the loss, or the loop that calls it?"
LOSS, UNPACK, SHARE = "F.cross_entropy(logits, target)", "sets, target = batch", ".float().mean()"

MISTAKES = (
    mistake("positional encoding left on", {", add_positional_encoding=False": ""}).because(
        "You leave the positional encoding on, so the model can memorise places; turn it off, because a set "
        "has no order.",
        ORDER,
    ),
    mistake(
        "causal mask left on", {"model(sets,": "model(sets, mask=torch.ones(sets.shape[1], sets.shape[1]).tril(),"}
    ).because("You use a causal mask, so the first image cannot know that it is odd; use no mask.", ORDER),
    mistake(
        "image by image", {"model(sets,": "model(sets.flatten(0, 1)[:, None],", ".squeeze(-1)": ".view(sets.shape[:2])"}
    ).because(
        "You send each image through the model on its own, so none is compared with its set; send whole sets.", ATTENDS
    ),
    mistake(
        "the whole batch as one set",
        {"model(sets,": "model(sets.flatten(0, 1)[None],", ".squeeze(-1)": ".view(sets.shape[:2])"},
    ).because("In your batch all images see each other; only those of the same set should.", ATTENDS),
    mistake(
        "batch and set exchanged", {"model(sets,": "model(sets.transpose(0, 1),", ".squeeze(-1)": ".squeeze(-1).T"}
    ).because("Your sets are [S, B, D], so images of different sets see each other; keep [B, S, D].", ATTENDS),
    mistake(
        "the set flattened into one vector", {"model(sets, add_positional_encoding=False)": "model(sets.flatten(1))"}
    ).because(
        "You flatten a set into one long vector; keep [B, S, D], because the model expects D features.",
        "What is the shape of the model's input?",
    ),
    mistake(
        "softmax over the axis of size 1",
        {LOSS: "F.cross_entropy(logits.reshape(-1, 1), torch.zeros(logits.numel(), dtype=torch.int64))"},
    ).because(
        "Your softmax runs over the axis of size 1, so every probability is 1 and the loss is 0; run it over the "
        "images of a set.",
        COMPETE,
    ),
    mistake("softmax over the batch", {LOSS: "F.nll_loss(logits.log_softmax(0), target)"}).because(
        "Your softmax runs over the sets of the batch; run it over the images of a set.", COMPETE
    ),
    mistake("logits made probabilities over the batch", {".squeeze(-1)": ".squeeze(-1).softmax(0)"}).because(
        "You apply a softmax over the batch. Pass the logits to the cross-entropy.",
        "Which does F.cross_entropy expect: logits, or probabilities?",
    ),
    same_as(OF_REVERSE_LOSS, "cross-entropy on probabilities", {LOSS: "F.cross_entropy(logits.softmax(-1), target)"}),
    same_as(OF_REVERSE_LOSS, "logarithm of a softmax", {LOSS: "F.nll_loss(logits.softmax(-1).log(), target)"}),
    *floors(LOSS, "F.nll_loss({}, target)", "logits.softmax(-1)", "set"),
    mistake("no logarithm", {LOSS: "F.nll_loss(logits.softmax(-1), target)"}).because(
        "You pass probabilities to F.nll_loss, so the loss is between −1 and 0; pass log-probabilities.",
        "What is the loss of a perfect prediction, and what is yours?",
    ),
    *(
        mistake(
            name,
            {LOSS: f"F.binary_cross_entropy_with_logits(logits, F.one_hot(target, logits.shape[1]).to(logits){mean}"},
        ).because(
            "You use binary cross-entropy, which judges each image separately; exactly one image is odd, so use "
            "cross-entropy over the set.",
            COMPETE,
        )
        for name, mean in (
            ("each image judged alone", ")"),
            ("each image judged alone, summed", ", reduction='sum') / len(target)"),
        )
    ),
    mistake("cross-entropy on sigmoids", {LOSS: "F.cross_entropy(logits.sigmoid(), target)"}).because(
        "You pass sigmoids to F.cross_entropy, which applies a softmax itself, so the loss can never get near 0; pass "
        "logits.",
        "Which does F.cross_entropy expect: logits, or probabilities?",
    ),
    mistake("place 0 left out", {LOSS: "F.cross_entropy(logits, target, ignore_index=0)"}).because(
        "You leave out the sets whose odd one is at place 0; count them, because 0 is a place like any other.",
        "Is there any padding in this task?",
    ),
    same_as(OF_REVERSE_LOSS, "smoothed labels", {LOSS: "F.cross_entropy(logits, target, label_smoothing=0.1)"}),
    mistake(
        "the place as a number",
        {LOSS: "F.mse_loss(logits.softmax(-1) @ torch.arange(logits.shape[1]).to(logits), target.to(logits))"},
    ).because(
        "You treat the place as a number and square its distance. Use the cross-entropy, in "
        "which each place is a class.",
        "Is place 3 closer to place 4 than to place 9?",
    ),
    mistake("sum over the batch", {LOSS: 'F.cross_entropy(logits, target, reduction="sum")'}).because(
        "You add the losses up, so the step grows with the batch; average them.", DIVIDED
    ),
    mistake("divided by the number of images", {LOSS: f"{LOSS} / sets.shape[1]"}).because(
        "You divide the loss by the number of images in a set. Average over the sets only.",
        "How many losses have you added up?",
    ),
    mistake("not averaged", {LOSS: 'F.cross_entropy(logits, target, reduction="none")'}).because(
        "You return one loss per set; return their mean, because backward needs a single number.", DIVIDED
    ),
    mistake("every axis of size 1 squeezed", {".squeeze(-1)": ".squeeze()", "argmax(dim=-1)": "argmax(dim=1)"}).because(
        "You call squeeze(), which removes every axis of size 1, even that of a batch with a single set; use "
        "squeeze(-1).",
        "What are the shapes of torch.zeros(1, 7, 1).squeeze() and of its squeeze(-1)?",
    ),
    mistake("guesses [B, 1] against targets [B]", {"argmax(dim=-1)": "argmax(dim=-1, keepdim=True)"}).because(
        "Your predictions are [B, 1], and compared with [B] they broadcast to [B, B]; make them [B].",
        "What is the shape of your comparison?",
    ),
    mistake(
        "accuracy over all images",
        {"logits.argmax(dim=-1) == target": "(logits == logits.amax(1, True)) == F.one_hot(target, logits.shape[1])"},
    ).because(
        "You count every image correctly called odd or not odd, and “not odd” is mostly right; count the sets "
        "whose odd image is found.",
        ACCURACY,
    ),
    mistake("largest logit over the batch", {"argmax(dim=-1)": "argmax(dim=0)"}).because(
        "Your argmax picks a set for each place; pick a place for each set.",
        "Of [B, S] logits, which axis should the argmax remove?",
    ),
    mistake("accuracy not averaged", {SHARE: ".float()"}).because(
        "You return right or wrong for each set; return their mean.", ACCURACY
    ),
    mistake("mean of booleans", {SHARE: ".mean()"}).because(
        "You take the mean of booleans, which torch does not allow; convert them first, with float().",
        "What does == return, and what can be averaged?",
    ),
    same_as(OF_REVERSE_LOSS, "accuracy in percent", {SHARE: f"{SHARE} * 100"}),
    *(
        mistake(name, {SHARE: f".{whole}().float()"}).because(
            f"Your accuracy is 1 if {which} right, and 0 if not; return the fraction of sets that are right.", ACCURACY
        )
        for name, whole, which in (
            ("accuracy of the whole batch", "all", "all sets are"),
            ("accuracy of any set", "any", "any set is"),
        )
    ),
    *(
        mistake(
            name, {"(logits.argmax(dim=-1) == target)": f"{taken}.softmax(-1)[range(len(target)), target]"}
        ).because(
            "Your accuracy is the mean probability of the odd one; return the fraction of sets whose odd one has "
            "the largest logit.",
            ACCURACY,
        )
        for name, taken in (
            ("probability in the place of accuracy", "logits.detach()"),
            ("probability in the place of accuracy, with a gradient", "logits"),
        )
    ),
    mistake("accuracy as a count", {SHARE: ".float().sum()"}).because(
        "You count the correct sets; divide by the number of sets.", ACCURACY
    ),
    mistake("error instead of accuracy", {"== target": "!= target"}).because(
        "You return the fraction of wrong predictions. Return that of the correct ones.",
        "What is the accuracy of a model that is always right?",
    ),
    same_as(OF_REVERSE_LOSS, "cut from the graph", {"return loss": "return loss.detach()"}),
    same_as(OF_REVERSE_LOSS, "model switched to eval", {UNPACK: f"model.eval()\n    {UNPACK}"}),
    same_as(OF_REVERSE_LOSS, "the loss a plain number", {"return loss": "return loss.item()"}),
    same_as(
        OF_REVERSE_LOSS,
        "smoothed labels in training",
        {LOSS: "F.cross_entropy(logits, target, label_smoothing=0.1 * model.training)"},
    ),
    same_as(OF_REVERSE_LOSS, "model switched to training", {UNPACK: f"model.train()\n    {UNPACK}"}),
    overwrites(
        "batch",
        {
            UNPACK: "sets, target = batch[0], batch[1].unsqueeze_(1)",
            ".squeeze(-1)": "",
            "argmax(dim=-1)": "argmax(dim=1)",
        },
        "`-=` does that, and so do methods whose names end in _.",
        "target overwritten",
    ),
    in_double_precision("loss", {LOSS: "F.cross_entropy(logits.double(), target)"}, "loss in double precision"),
    mistake("the axis of size 1 left in", {".squeeze(-1)": ""}).because(
        "Your logits are still [B, S, 1]; remove the last axis.",
        "Which shapes does F.cross_entropy take, and which axis is too many?",
    ),
    same_as(OF_REVERSE_LOSS, "accuracy and loss exchanged", {"return loss, accuracy": "return accuracy, loss"}),
    same_as(OF_REVERSE_LOSS, "loss alone", {"return loss, accuracy": "return loss"}),
    mistake("sign of the logits", {"= model(": "= -model("}).because(
        "In your loss the image with the smallest logit wins; the odd one must have the largest.",
        "Is a larger logit more likely, or less?",
    ),
    mistake("smallest logit guessed", {"argmax": "argmin"}).because(
        "You predict the image with the smallest logit; predict the one with the largest.", ACCURACY
    ),
    mistake("largest logit of the batch", {"argmax(dim=-1)": "argmax()"}).because(
        "You look for one largest logit in the whole batch; each set has its own.",
        "Of [B, S] logits, which axis should the argmax remove?",
    ),
)
