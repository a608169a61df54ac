"""sequence_loss(logits, targets, pad): mean cross-entropy over the tokens that are not padding."""

import torch

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import fits, is_true, matches, unmoved
from autograder.catalogue.decoder import sequence_loss_variants as right
from autograder.catalogue.decoder.sequence_loss_misconceptions import MISCONCEPTIONS
from autograder.catalogue.exercise import Case, Exercise, Property

PAD = 2


def sentences(g, more_padding=0, moved=False, pad=PAD):
    """Logits [3, 7, 11]; sentences of 7, 2 and 4 tokens, the rest padding; 0 is a token like any other."""
    logits = torch.randn(3, 7, 11, generator=g)
    targets = torch.randint(3, 11, (3, 7), generator=g)
    targets[:, 0] = 0
    padding = torch.arange(7) >= torch.tensor([[7], [2], [4]])
    targets[padding] = pad
    if moved:
        logits[padding] = 3 * torch.randn(int(padding.sum()), 11, generator=g)
    if more_padding:
        logits = torch.cat([logits, torch.randn(3, more_padding, 11, generator=g)], dim=1)
        targets = torch.cat([targets, torch.full((3, more_padding), pad)], dim=1)
    return {"logits": logits, "targets": targets, "pad": pad}


def no_padding(g, batch=2, scale=1.0):
    """All tokens of [B, 5] are real, a 0 among them, and pad is the last of the vocabulary."""
    targets = torch.randint(0, 6, (batch, 5), generator=g)
    targets[-1, 3] = 0
    return {"logits": scale * torch.randn(batch, 5, 7, generator=g), "targets": targets, "pad": 6}


def one_token(g):
    return {"logits": torch.randn(1, 1, 7, generator=g), "targets": torch.tensor([[3]]), "pad": 6}


SEQUENCE_LOSS = Exercise(
    id="sequence_loss",
    title="The loss of a sequence",
    reference=reference.sequence_loss,
    cases=(
        Case("no padding", no_padding),
        Case("one sentence", lambda g: no_padding(g, batch=1, scale=3.0)),
        Case("one token", one_token),
        Case("padding", sentences),
        Case("other logits at the padding", lambda g: sentences(g, moved=True), like="padding"),
        Case("four more columns of padding", lambda g: sentences(g, more_padding=4), like="padding"),
        Case("another padding token", lambda g: sentences(g, pad=1)),
        Case("sure of itself", lambda g: no_padding(g, scale=150.0)),
        Case("gradient", lambda g: sentences(g) | {"gradient": True}),
    ),
    properties=(
        Property("values", 1, *(matches(case, "loss") for case in ("no padding", "one sentence", "one token"))),
        Property(
            "padding does not count",
            1,
            matches("padding", "loss"),
            matches("another padding token", "loss"),
            unmoved(
                "padding", "other logits at the padding", "loss", text="what is said at the padding changes the loss"
            ),
            unmoved("padding", "four more columns of padding", "loss", text="more padding changes the loss"),
            fits(
                "padding",
                ["targets"],
                ["targets"],
                lambda after, before: (after == before).all(),
                "the targets have been overwritten",
            ),
        ),
        Property("stable when the model is sure", 0.5, matches("sure of itself", "loss")),
        Property(
            "gradients reach the logits",
            0.5,
            is_true(
                "gradient",
                ["gradient"],
                lambda g: abs(g[0]).max() > 1e-7,
                "no gradient reaches the logits of the real tokens",
            ),
        ),
    ),
    mistakes=MISCONCEPTIONS,
    hints=(
        "One number for each token, then one mean over the real ones.",
        "`F.cross_entropy` takes logits [N, V] and targets [N]: flatten batch and time into one axis.",
        "It has an argument that names a token to ignore.",
    ),
    right_variants=right.VARIANTS,
)
