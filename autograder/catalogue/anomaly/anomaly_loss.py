"""anomaly_loss(model, batch) → (loss, accuracy); batch (sets [B, S, D], target [B]), softmax over the set."""

import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly.anomaly_loss_wrong import MISTAKES
from autograder.catalogue.checks import is_true, matches, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.probes.torch.stand_in import StandIn, stand_in_weights

BATCH, SET, WIDTH = 5, 7, 3
ORDER = torch.tensor([3, 0, 4, 6, 1, 2, 5])  # no image stays, and twice is not back


def batch(g, size=BATCH, places=0.0):
    """Sets of random images, and a random place in each, 0 in one."""
    inputs = {"sets": torch.randn(size, SET, WIDTH, generator=g)}
    inputs["target"] = torch.randint(SET, (size,), generator=g)
    inputs["target"][2] = 0
    return inputs | {"weights": stand_in_weights(g, WIDTH, 1, places)}


def permuted(g):
    """The same sets in another order, the targets with them."""
    inputs = batch(g)
    return inputs | {"sets": inputs["sets"][:, ORDER], "target": ORDER.argsort()[inputs["target"]]}


def mostly_right(g):
    """Many sets; the model finds the odd one in three of five."""
    inputs = batch(g, size=23)
    with torch.no_grad():
        logits = StandIn(inputs["weights"])(inputs["sets"], add_positional_encoding=False).squeeze(-1)
    missed = torch.tensor([1, 0, 0, 2, 0]).repeat(5)[:23]
    return inputs | {"target": (logits.argmax(1) + missed) % SET}


ANOMALY_LOSS = Exercise(
    id="anomaly_loss",
    title="The loss of the set task",
    reference=reference.anomaly_loss,
    cases=(
        Case("a batch", batch),
        Case("with positions", lambda g: batch(g, places=1.0), like="a batch"),
        Case("in another order", permuted, like="a batch"),
        Case("mostly right", mostly_right),
        Case("training", lambda g: batch(g) | {"training": True}),
    ),
    properties=(
        Property("cross-entropy over the set", 2, matches("a batch", "loss")),
        Property("accuracy counts sets", 1, matches("mostly right", "accuracy")),
        Property(
            "a set has no order",
            1,
            unmoved("a batch", "with positions", "loss", text="the positional encoding of the model changes the loss"),
            unmoved("a batch", "in another order", "loss", text="the same sets in another order have another loss"),
        ),
        Property(
            "ready for training",
            1,
            is_true("training", ["gradient"], lambda g: abs(g).max() > 1e-6, "no gradient reaches the model"),
            is_true("training", ["mode_kept"], bool, "the model is no longer in training mode"),
            is_true("a batch", ["mode_kept"], bool, "the model is no longer in eval mode"),
        ),
    ),
    mistakes=MISTAKES,
    hints=(
        "`model(sets, add_positional_encoding=False)` gives [B, S, 1]: one logit for each image.",
        "The S images of a set are the classes: bring the logits to [B, S], with `squeeze(-1)`.",
        "The guess is the place with the largest logit.",
    ),
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
                ".float()": ".double()",
            },
        ),
        # right also for a batch of one set: cross-entropy takes [S] with a target of one number
        right("every axis of size 1 squeezed", {".squeeze(-1)": ".squeeze()"}),
        right(
            "by hand",
            {
                ".squeeze(-1)": ".reshape(sets.shape[:2])",
                "F.cross_entropy(logits, target)": "(logits.logsumexp(-1) - logits[range(len(sets)), target]).mean()",
                "argmax(dim=-1)": "max(dim=-1).indices",
                "return loss, accuracy": "return loss, accuracy.item()",
            },
        ),
    ),
)
