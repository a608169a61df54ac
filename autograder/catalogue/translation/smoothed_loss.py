"""smoothed_loss(logits, targets, pad, smoothing): cross-entropy against a target that is not quite sure."""

import numpy as np
import torch
from torch.nn import functional as F

import course_lib.model.translation as reference
from autograder.catalogue.checks import is_true, matches, unmoved, where
from autograder.catalogue.decoder import sequence_loss
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.translation.smoothed_loss_mistakes import COUNT, LOSSES, MISTAKES, PICKED


def sentences(g, smoothing=0.2, gradient=None, **changed):
    """The sentences of `sequence_loss`, their logits twice as large."""
    return _smoothed(sequence_loss.sentences(g, **changed), smoothing, gradient)


def no_padding(g, smoothing=0.1, **changed):
    """All tokens are real."""
    return _smoothed(sequence_loss.no_padding(g, **changed), smoothing)


def _smoothed(case, smoothing, gradient=None):
    given = case | {"logits": 2 * case["logits"], "smoothing": smoothing}
    return given | ({"gradient": gradient} if gradient else {})


def sure_and_right(g):
    return sequence_loss.sure_and_right(g) | {"smoothing": 0.0}


def far_apart(g):
    """The probabilities of most targets are far below what float32 can add to 1e-9, and some are 0 in it."""
    return no_padding(g, scale=40.0, smoothing=0.0)


def one_real_token(g):
    """One token of one sentence among padding."""
    case = sentences(g)
    targets = torch.full((1, 7), sequence_loss.PAD)
    targets[0, 3] = 5
    return case | {"logits": case["logits"][:1], "targets": targets}


def only_padding(g):
    return sequence_loss.only_padding(g) | {"smoothing": 0.1, "gradient": True}


def by_a_target_distribution(logits, targets, pad_id, epsilon):
    vocabulary = logits.shape[-1]
    wanted = torch.full_like(logits, epsilon / vocabulary)
    wanted = wanted.scatter(-1, targets[..., None], 1 - epsilon + epsilon / vocabulary)  # [B, T, V]
    losses = -(wanted * F.log_softmax(logits, dim=-1)).sum(-1)
    mask = (targets != pad_id).to(losses)
    return (losses * mask).sum() / torch.clamp(mask.sum(), min=1.0)


SPREAD, PLAIN = "ε is spread over all tokens", "with ε = 0 it is the cross-entropy"
PADDING, NOTHING = "padding does not count", "padding alone gives 0 that can be backpropagated"
SMOOTHED = ("a tenth", "a half", "a vocabulary of three", "one sentence")
UNSMOOTHED = ("not smoothed", "sure and right", "far apart")


def some_gradient(grad):
    return np.abs(grad).max() > 1e-7


SMOOTHED_LOSS = Exercise(
    id="smoothed_loss",
    title="A loss that forbids certainty",
    reference=reference.smoothed_loss,
    cases=(
        Case("a tenth", no_padding),
        Case("a half", lambda g: no_padding(g, smoothing=0.5), same_as="a tenth"),
        Case("a vocabulary of three", lambda g: no_padding(g, vocabulary=3, smoothing=0.3)),
        Case("one sentence", lambda g: no_padding(g, batch=1, smoothing=0.05)),
        Case("not smoothed", lambda g: no_padding(g, smoothing=0.0), same_as="a tenth"),
        Case("sure and right", sure_and_right),
        Case("far apart", far_apart),
        Case("padding", sentences),
        Case("other logits at the padding", lambda g: sentences(g, moved=True), same_as="padding"),
        Case("four more columns of padding", lambda g: sentences(g, more_padding=4), same_as="padding"),
        Case("another padding token", lambda g: sentences(g, pad=1)),
        Case("one real token", one_real_token),
        Case("only padding", only_padding),
        Case("gradient", lambda g: sentences(g, gradient=True), same_as="padding"),
    ),
    criteria=(
        Criterion(SPREAD, 1, *(matches(case, "loss") for case in SMOOTHED)),
        Criterion(PLAIN, 0.5, *(matches(case, "loss") for case in UNSMOOTHED)),
        Criterion(
            PADDING,
            0.75,
            unmoved("padding", "other logits at the padding", "loss", text="the logits at the padding change the loss"),
            unmoved("padding", "four more columns of padding", "loss", text="more padding changes the loss"),
            where(
                matches("a tenth", "loss"),
                *(matches(case, "loss") for case in ("padding", "another padding token", "one real token")),
            ),
        ),
        Criterion(
            NOTHING,
            0.25,
            matches("only padding", "loss", "gradient"),
            is_true("only padding", ["follows"], bool, "the loss of padding alone cannot be backpropagated"),
        ),
        Criterion(
            "gradients reach the logits",
            0.25,
            is_true("gradient", ["gradient"], some_gradient, "no gradient reaches the logits of the real tokens"),
            where(
                matches("far apart", "loss"),
                where(matches("a tenth", "loss"), where(matches("padding", "loss"), matches("gradient", "gradient"))),
            ),
        ),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    forbidden=("cross_entropy",),
    right_variants=(
        by_a_target_distribution,
        right(
            "two losses, mixed",
            {
                LOSSES: "torch.lerp(F.nll_loss(log_p, targets[real], reduction='none'), -log_p.mean(-1), smoothing)",
                f"of_target = {PICKED}": "pass",
            },
        ),
        right("an empty sum is 0 already", {COUNT: "max(int(real.sum()), 1)"}),
    ),
)
