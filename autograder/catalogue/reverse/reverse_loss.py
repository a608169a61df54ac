"""reverse_loss(model, batch) → (loss, accuracy); batch (tokens [B, T], targets [B, T])."""

import torch
from torch.nn import functional as F

import course_lib.tasks.reverse as reference
from autograder.catalogue.checks import finite, is_true, matches, moved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.reverse.reverse_loss_wrong import LOSS, MISTAKES, RETURN
from autograder.probes.torch.stand_in import StandIn, stand_in_weights

CATEGORIES, BATCH, LENGTH = 7, 5, 11


def guesses(inputs):
    """What the model says without its positions, which are zero unless a case is about them."""
    one_hot = F.one_hot(inputs["tokens"], CATEGORIES).float()
    with torch.no_grad():
        return StandIn(inputs["weights"])(one_hot, add_positional_encoding=False).argmax(-1)


def batch(g, size=BATCH, places=0.0):
    """Sequences in which every category occurs, and the same backwards."""
    tokens = torch.randint(CATEGORIES, (size, LENGTH), generator=g)
    tokens[0, :CATEGORIES] = torch.randperm(CATEGORIES, generator=g)
    inputs = {"tokens": tokens, "targets": tokens.flip(-1)}
    while True:
        inputs["weights"] = stand_in_weights(g, CATEGORIES, CATEGORIES, places)
        if len(guesses(inputs).unique()) >= 3:  # a model that always says the same would hide mistakes
            return inputs


def largest_absent(g):
    inputs = batch(g)
    tokens = inputs["tokens"].clamp(max=CATEGORIES - 3)
    return inputs | {"tokens": tokens, "targets": tokens.flip(-1)}


def guessed_targets(g, places=0.0):
    """The same sequences, but the targets are what the model guesses."""
    inputs = batch(g, places=places)
    return inputs | {"targets": guesses(inputs)}


def mostly_right(g):
    """Targets that the model guesses: none of one sequence, all of another, more than half of the others."""
    inputs = batch(g)
    is_missed = torch.rand(BATCH, LENGTH, generator=g) < 0.4
    is_missed[0], is_missed[2] = True, False
    is_missed[3, 4] = True
    return inputs | {"targets": (guesses(inputs) + is_missed) % CATEGORIES}


def with_more_arguments(model, batch, mask=None, add_positional_encoding=True):
    """By keyword, and the negative log-likelihood of log-probabilities."""
    tokens, targets = batch
    width = model.hyper_parameters["input_dim"]
    one_hot = torch.zeros(*tokens.shape, width).scatter_(-1, tokens[..., None], 1.0)
    log_p = torch.log_softmax(model(one_hot, mask=mask, add_positional_encoding=add_positional_encoding), dim=-1)
    right = (log_p.reshape(-1, width).argmax(1) == targets.reshape(-1)).double()
    return F.nll_loss(log_p.reshape(-1, width), targets.reshape(-1)), right.mean()


REVERSE_LOSS = Exercise(
    id="reverse_loss",
    title="The loss of the reverse task",
    reference=reference.reverse_loss,
    cases=(
        Case("a batch", batch),
        Case("other targets", guessed_targets, like="a batch"),
        Case("other positions", lambda g: guessed_targets(g, places=3.0), like="a batch"),
        Case("one sequence", lambda g: batch(g, size=1)),
        Case("the largest category absent", largest_absent),
        Case("mostly right", mostly_right),
        Case("training", lambda g: batch(g) | {"training": True}),
    ),
    properties=(
        Property(
            "cross-entropy, the mean over all tokens", 3, matches("a batch", "loss"), matches("one sequence", "loss")
        ),
        Property(
            "accuracy counts tokens", 1.5, matches("mostly right", "accuracy"), matches("other targets", "accuracy")
        ),
        Property(
            "compared with the targets of the batch",
            1,
            moved("a batch", "other targets", "loss", text="with other targets the loss is the same"),
        ),
        Property(
            "the model sees the positions",
            0.5,
            moved("other targets", "other positions", "loss", text="the loss is the same whatever the positions are"),
        ),
        Property(
            "one-hot vectors as wide as the model expects",
            1,
            finite("the largest category absent", "loss", text="a batch without the largest category gives NaN"),
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
        "`F.one_hot(tokens, num_categories)` gives integers [B, T, C]; a Linear wants floats.",
        "`F.cross_entropy` wants the C categories on the second axis: [B·T, C] with [B·T], or [B, C, T] with [B, T].",
        "The guess is the category with the largest logit: `argmax` over the last axis.",
    ),
    right_variants=(
        right(
            "the width from the last layer, counted by hand",
            {
                "input_net[-1].in_features": "output_net[-1].out_features",
                "F.cross_entropy(": "nn.CrossEntropyLoss()(",
                ".float().mean()": ".sum() / targets.numel()",
            },
        ),
        right(
            "by hand, the accuracy a plain number",
            {
                "F.one_hot(tokens, num_categories).float()": "torch.eye(num_categories)[tokens]",
                LOSS: "(logits.logsumexp(-1) - logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1)).mean()",
                "logits.argmax(dim=-1)": "logits.max(-1).indices",
                RETURN: "return loss, accuracy.item()",
            },
        ),
        with_more_arguments,
    ),
)
