"""reverse_loss(model, batch) → (loss, accuracy); batch (tokens [B, T], targets [B, T])."""

import numpy as np
import torch
from torch.nn import functional as F

import course_lib.tasks.reverse as reference
from autograder.catalogue.checks import finite, is_true, matches, moved, same_again, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, asked_again, common_criterion
from autograder.catalogue.reverse.reverse_loss_mistakes import LOSS, MISTAKES
from autograder.probes.torch.stand_in import StandIn, made_sure, stand_in_weights

CATEGORIES, BATCH, LENGTH = 10, 5, 13
CLEAR = 1e-3  # between the two largest logits: what the model guesses is the same on every machine
LOSS_IS, ACCURACY = "cross-entropy, the mean over all tokens", "accuracy counts tokens"
PLACES, WIDTH = "the model sees the positions", "one-hot vectors as wide as the model expects"
SURE = "in full when the model is sure"
GRADIENT = "a gradient reaches the model"
FINITE_WHEN_SURE = finite("sure", "loss", text="with logits 200 times as large the loss isn't finite")
MODE_KEPT = tuple(
    is_true(case, ["mode_kept"], bool, "the model is called in another mode") for case in ("training", "a batch")
)
LEARNS = is_true("training", ["gradient"], lambda g: abs(g).max() > 1e-6, "no gradient reaches the model")


def logits_of(inputs):
    """What the model says without its positions, which are zero unless a case is about them."""
    weights = {name: weight.double() for name, weight in inputs["weights"].items()}
    one_hot = F.one_hot(inputs["tokens"], weights["input_net.1.weight"].shape[1]).double()
    with torch.no_grad():
        return StandIn(weights)(one_hot, add_positional_encoding=False)


def guesses(inputs):
    return logits_of(inputs).argmax(-1)


def batch(g, size=BATCH, places=0.0, categories=CATEGORIES, absent=0, length=None):
    """Sequences in which every category occurs but the largest, `absent` ones, and the same backwards.

    There are as many places as categories, unless a length is given: an axis that was mixed up gives different numbers
    then, and no error, so that one of the loss costs the loss and one of the accuracy the accuracy.
    """
    tokens = torch.randint(categories - absent, (size, length or categories), generator=g)
    tokens[0, : categories - absent] = torch.randperm(categories - absent, generator=g)
    inputs = {"tokens": tokens, "targets": tokens.flip(-1)}
    while True:
        inputs["weights"] = stand_in_weights(g, categories, categories, places)
        first, second = logits_of(inputs).topk(2).values.unbind(-1)
        varied = len(guesses(inputs).unique()) >= 3  # a model that always says the same would hide mistakes
        if varied and (first - second).min() > CLEAR:
            return inputs


def sure(g):
    """The same batch, and a model that is sure of itself: rightly or not."""
    inputs = batch(g)
    return inputs | {"weights": made_sure(inputs["weights"])}


def guessed_targets(g, places=0.0):
    """The same sequences, but the targets are what the model guesses."""
    inputs = batch(g, places=places)
    return inputs | {"targets": guesses(inputs)}


def mostly_right(g):
    """Targets that the model guesses: none of one sequence, all of another, more than half of the others."""
    inputs = batch(g, length=LENGTH)
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


def sure_of_itself(points: float) -> Criterion:
    """A loss that neither overflows nor is capped."""
    return Criterion(SURE, points, FINITE_WHEN_SURE, matches("sure", "loss"))


REVERSE_LOSS = Exercise(
    id="reverse_loss",
    title="The loss of the reverse task",
    reference=reference.reverse_loss,
    cases=(
        *asked_again("a batch", batch),
        Case("other targets", guessed_targets, same_as="a batch"),
        Case("other positions", lambda g: guessed_targets(g, places=3.0), same_as="a batch"),
        Case("one sequence", lambda g: batch(g, size=1)),
        Case("the largest category absent", lambda g: batch(g, absent=2)),
        Case("seven categories", lambda g: batch(g, categories=7)),
        Case("mostly right", mostly_right),
        Case("sure", sure, same_as="a batch"),
        Case("training", lambda g: batch(g) | {"training": True}),
    ),
    criteria=(
        Criterion(LOSS_IS, 2.25, *(matches(case, "loss") for case in ("a batch", "one sequence", "other targets"))),
        sure_of_itself(0.25),
        Criterion(ACCURACY, 1.5, matches("mostly right", "accuracy"), matches("other targets", "accuracy")),
        Criterion(
            "compared with the targets of the batch",
            1,
            moved("a batch", "other targets", "loss", text="with other targets the loss is the same"),
        ),
        Criterion(
            PLACES,
            0.5,
            moved("other targets", "other positions", "loss", text="the loss does not depend on the positions"),
        ),
        Criterion(
            WIDTH,
            1,
            finite("the largest category absent", "loss", text="a batch without the largest category gives NaN"),
            finite("seven categories", "loss", text="with seven categories the loss is NaN"),
        ),
        Criterion(GRADIENT, 1, LEARNS, where(matches("a batch", "loss"), matches("training", "gradient"))),
        common_criterion(
            0.5,
            same_again("a batch", "loss", "accuracy"),
            is_true("a batch", ["loss"], np.size, "nothing came back"),
            where(LEARNS, is_true("training", ["loss_is_tensor"], bool, "the loss is not a tensor")),
            *MODE_KEPT,
            but=("accuracy",),
        ),
    ),
    mistakes=MISTAKES,
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
            "by hand",
            {
                "F.one_hot(tokens, num_categories).float()": "torch.eye(num_categories)[tokens]",
                LOSS: "(logits.logsumexp(-1) - logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1)).mean()",
                "logits.argmax(dim=-1)": "logits.max(-1).indices",
            },
        ),
        with_more_arguments,
    ),
)
