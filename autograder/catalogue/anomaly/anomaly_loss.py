"""anomaly_loss(model, batch) → (loss, accuracy); batch (sets [B, S, D], target [B]), softmax over the set."""

import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly.anomaly_loss_mistakes import MISTAKES
from autograder.catalogue.checks import is_true, matches, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.reverse.reverse_loss import MODE_KEPT, sure_of_itself
from autograder.probes.torch.stand_in import StandIn, made_sure, stand_in_weights

SET, WIDTH = 7, 3
ORDER = torch.tensor([3, 0, 4, 6, 1, 2, 5])  # no image stays, and twice is not back


def batch(g, size=SET, places=0.0, missed=None):
    """Sets of random images and a random place in each, 0 in one; or the place that the model finds, off by `missed`.

    There are as many sets as images in each: an accuracy along the wrong axis is still a number, and costs no more.
    """
    sets, weights = torch.randn(size, SET, WIDTH, generator=g), stand_in_weights(g, WIDTH, 1, places)
    with torch.no_grad():
        logits = StandIn(weights)(sets, add_positional_encoding=False).squeeze(-1)
    first, second = logits.topk(2).values.T
    if (first - second).min() < 1e-3:  # rounding might decide which is the largest
        return batch(g, size, places, missed)
    target = torch.randint(SET, (size,), generator=g)
    target[2:3] = 0
    return {"sets": sets, "weights": weights, "target": target if missed is None else (logits.argmax(1) + missed) % SET}


def sure(g):
    """The same batch, and a model that is sure of itself: rightly or not."""
    inputs = batch(g)
    return inputs | {"weights": made_sure(inputs["weights"])}


def permuted(g):
    """The same sets in another order, the targets with them."""
    inputs = batch(g)
    return inputs | {"sets": inputs["sets"][:, ORDER], "target": ORDER.argsort()[inputs["target"]]}


def mostly_right(g):
    """Many sets; the model finds the odd one in three of five."""
    return batch(g, size=101, missed=torch.tensor([1, 0, 0, 2, 0]).repeat(21)[:101])


def half_right(g):
    """A batch in training; the model finds more than it would by chance, so accuracies differ between batches."""
    return batch(g, missed=torch.arange(SET) % 2) | {"training": True}


def came(*outputs, case):
    return is_true(case, outputs, lambda *_: True, "nothing came back")


LOSS, ACCURACY = "cross-entropy over the set", "accuracy counts sets"
NO_ORDER, TRAINING = "a set has no order", "ready for training"
ONE_SET = "a batch may be one set"

ANOMALY_LOSS = Exercise(
    id="anomaly_loss",
    title="The loss of the set task",
    reference=reference.anomaly_loss,
    cases=(
        Case("a batch", batch),
        Case("with positions", lambda g: batch(g, places=1.0), same_as="a batch"),
        Case("in another order", permuted, same_as="a batch"),
        Case("mostly right", mostly_right),
        Case("all right", lambda g: batch(g, missed=0)),
        Case("one set", lambda g: batch(g, size=1)),
        Case("sure", sure, same_as="a batch"),
        Case("training", half_right),
    ),
    criteria=(
        Criterion(
            LOSS,
            1.25,
            matches("a batch", "loss"),
            where(came("loss", case="mostly right"), matches("mostly right", "loss")),
        ),
        sure_of_itself(0.25),
        Criterion(ACCURACY, 0.75, matches("mostly right", "accuracy"), matches("all right", "accuracy")),
        Criterion(
            NO_ORDER,
            1,
            unmoved("a batch", "with positions", "loss", text="the positional encoding of the model changes the loss"),
            unmoved("a batch", "in another order", "loss", text="the same sets in another order have another loss"),
        ),
        Criterion(
            TRAINING,
            1,
            is_true("training", ["gradient"], lambda g: abs(g).max() > 1e-6, "no gradient reaches the model"),
            where(matches("a batch", "loss"), matches("training", "gradient")),
        ),
        Criterion(ONE_SET, 0.25, matches("one set", "loss")),
        common_criterion(
            0.5,
            came("loss", case="a batch"),
            where(
                came("loss", case="training"),
                is_true("training", ["loss_is_tensor"], bool, "the loss is not a tensor"),
                is_true("training", ["accuracy_detached"], bool, "the accuracy carries a gradient"),
                *MODE_KEPT,
            ),
            but=("accuracy",),
        ),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "by index, and a loss that is a module",
            {
                ".squeeze(-1)": "[..., 0]",
                "F.cross_entropy(": "nn.CrossEntropyLoss()(",
                ".float().mean()": ".sum() / len(target)",
            },
        ),
        right(  # [B, S, 1] against [B, 1]: the axis of size 1 is another place to classify
            "axis kept",
            {
                "sets, target = batch": "sets, target = batch[0], batch[1][:, None]",
                "model(sets, add_positional_encoding=False).squeeze(-1)": "model.forward(sets, None, False)",
                "argmax(dim=-1)": "argmax(dim=1)",
            },
        ),
        right("one set without an axis: torch takes [S] with [1]", {".squeeze(-1)": ".squeeze()"}),
        right(
            "by hand",
            {
                ".squeeze(-1)": ".reshape(sets.shape[:2])",
                "F.cross_entropy(logits, target)": "(logits.logsumexp(-1) - logits[range(len(sets)), target]).mean()",
                "argmax(dim=-1)": "max(dim=-1).indices",
            },
        ),
    ),
)
