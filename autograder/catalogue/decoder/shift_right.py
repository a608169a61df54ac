"""shift_right(targets, bos): int64 [B, T] → the decoder's input, of the same shape."""

import torch

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import matches
from autograder.catalogue.decoder.shift_right_mistakes import JOINED, MISTAKES
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion


def tokens(g, batch, length, bos):
    """Tokens from 3 to 22, but the first row starts with bos, and the last one contains a 0."""
    targets = torch.randint(3, 23, (batch, length), generator=g)
    targets[0, 0], targets[-1, 1:2] = bos, 0
    return {"targets": targets, "bos": bos}


def by_slices(targets, bos):
    shifted = torch.empty_like(targets)
    shifted[:, 0] = bos
    shifted[:, 1:] = targets[:, :-1]
    return shifted


def by_rolling(tgt, bos_id):
    shifted = tgt.roll(1, dims=-1)
    shifted[..., 0] = bos_id
    return shifted


SHIFT_RIGHT = Exercise(
    id="shift_right",
    title="The decoder's input",
    reference=reference.shift_right,
    cases=(
        Case("tokens", lambda g: tokens(g, 3, 7, bos=1)),
        Case("another begin token", lambda g: tokens(g, 2, 5, bos=29)),
        Case("one token", lambda g: tokens(g, 5, 1, bos=2)),
    ),
    criteria=(
        Criterion(
            "the token before stands at every place",
            1,
            *(matches(case, "others") for case in ("tokens", "another begin token")),
        ),
        Criterion(
            "bos comes first", 0.5, *(matches(case, "first") for case in ("tokens", "another begin token", "one token"))
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_slices,
        by_rolling,
        right("by padding", {JOINED: "F.pad(targets, (1, -1), value=bos)"}),
        right("by rows", {JOINED: "torch.tensor([[bos, *row[:-1]] for row in targets.tolist()])"}),
    ),
)
