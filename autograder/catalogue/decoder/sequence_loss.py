"""sequence_loss(logits, targets, pad): mean cross-entropy over the tokens that are not padding."""

import torch
from torch.nn import functional as F

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import every, finite, is_true, matches, unmoved, where
from autograder.catalogue.decoder.sequence_loss_mistakes import COUNT, MISTAKES, TOTAL
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion

PAD = 2
PADDING, SURE, NOTHING = "padding does not count", "stable when the model is sure", "0 where there is no real token"


def sentences(g, more_padding=0, moved=False, pad=PAD):
    """Logits [3, 7, 11]; sentences of 7, 2 and 4 tokens, the rest padding, in the last row before the tokens.

    0 is a token like any other.
    """
    logits = torch.randn(3, 7, 11, generator=g)
    targets = torch.randint(3, 11, (3, 7), generator=g)
    targets[:, 0] = 0
    padding = torch.arange(7) >= torch.tensor([[7], [2], [4]])
    padding[2] = padding[2].flip(0)
    targets[padding] = pad
    if moved:
        logits[padding] = 3 * torch.randn(int(padding.sum()), 11, generator=g)
    if more_padding:
        logits = torch.cat([logits, torch.randn(3, more_padding, 11, generator=g)], dim=1)
        targets = torch.cat([targets, torch.full((3, more_padding), pad)], dim=1)
    return {"logits": logits, "targets": targets, "pad": pad}


def no_padding(g, batch=2, scale=1.0, vocabulary=7):
    """All tokens of [B, 5] are real, and pad is the last of the vocabulary."""
    targets = torch.randint(1, vocabulary - 1, (batch, 5), generator=g)
    logits = scale * torch.randn(batch, 5, vocabulary, generator=g)
    return {"logits": logits, "targets": targets, "pad": vocabulary - 1}


def sure_and_right(g):
    """Logits of ±10,000, with the large one at the target."""
    case = no_padding(g)
    return case | {"logits": 1e4 * (2.0 * F.one_hot(case["targets"], 7) - 1)}


def only_padding(g):
    case = no_padding(g)
    return case | {"targets": torch.zeros_like(case["targets"]), "pad": 0}


def one_token(g):
    return {"logits": torch.randn(1, 1, 7, generator=g), "targets": torch.tensor([[3]]), "pad": 6}


def by_a_mask(output, target, pad_id):
    losses = F.cross_entropy(output.permute(0, 2, 1), target, reduction="none")  # [B, T]
    real = (target != pad_id).to(losses.dtype)
    return (losses * real).sum() / real.sum().clamp(min=1)


def by_logsumexp(logits, targets, pad):
    logits, targets = logits[targets != pad], targets[targets != pad]  # [N, V], [N]
    right = logits[torch.arange(len(targets)), targets]
    return (torch.logsumexp(logits, dim=-1) - right).sum() / max(len(targets), 1)


VALUES = tuple(matches(case, "loss") for case in ("no padding", "one sentence", "one token"))
IN_SCALE = every(*VALUES)  # a loss of another scale costs the values alone

SEQUENCE_LOSS = Exercise(
    id="sequence_loss",
    title="The loss of a sequence",
    reference=reference.sequence_loss,
    cases=(
        Case("no padding", no_padding),
        Case("one sentence", lambda g: no_padding(g, batch=1, scale=3.0)),
        Case("one token", one_token),
        Case("padding", sentences),
        Case("other logits at the padding", lambda g: sentences(g, moved=True), same_as="padding"),
        Case("four more columns of padding", lambda g: sentences(g, more_padding=4), same_as="padding"),
        Case("another padding token", lambda g: sentences(g, pad=1)),
        Case("sure of itself", lambda g: no_padding(g, scale=150.0)),
        Case("sure and right", sure_and_right),
        Case("only padding", only_padding),
        Case("gradient", lambda g: sentences(g) | {"gradient": True}),
    ),
    criteria=(
        Criterion("values", 0.5, *VALUES),
        Criterion(
            PADDING,
            0.75,
            where(IN_SCALE, matches("padding", "loss"), matches("another padding token", "loss")),
            unmoved("padding", "other logits at the padding", "loss", text="the logits at the padding change the loss"),
            unmoved("padding", "four more columns of padding", "loss", text="more padding changes the loss"),
        ),
        Criterion(NOTHING, 0.5, matches("only padding", "loss")),
        Criterion(
            SURE,
            0.5,
            *(finite(case, "loss", text="the loss isn't finite") for case in ("sure of itself", "sure and right")),
            is_true("sure and right", ["loss"], lambda loss: abs(loss) < 0.5, "a model that is right pays too much"),
            is_true("sure of itself", ["loss"], lambda loss: abs(loss) > 3, "a confident mistake costs too little"),
            where(IN_SCALE, matches("sure of itself", "loss"), matches("sure and right", "loss")),
        ),
        Criterion(
            "gradients reach the logits",
            0.25,
            is_true(
                "gradient",
                ["gradient"],
                lambda g: abs(g[0]).max() > 1e-7,
                "no gradient reaches the logits of the real tokens",
            ),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "by ignore_index, where there is something to take the mean of",
            {', reduction="sum"': "", f"total / {COUNT}": "total if (targets != pad).any() else logits.sum() * 0"},
        ),
        right(
            "classes on the second axis",
            {TOTAL: 'nn.CrossEntropyLoss(ignore_index=pad, reduction="sum")(logits.transpose(1, 2), targets)'},
        ),
        by_a_mask,
        by_logsumexp,
    ),
)
