"""pad_batch(sequences, pad=0) → tokens and mask, both [B, T]."""

import torch

import course_lib.text.batches as reference
from autograder.catalogue.checks import is_true, matches, same_again, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, asked_again, common_criterion
from autograder.catalogue.words import pad_batch_mistakes as told
from autograder.catalogue.words.pad_batch_mistakes import FULL, MASK, MISTAKES, WRITTEN

TOKENS, PADS, MASKS = "tokens, filled up behind", "any number may be the padding", "the mask comes from the lengths"
EMPTY = "a list may be empty"


def lists(g, *lengths, low=1, **settings):
    """Lists of ids of these lengths, none of them below `low`."""
    return {"sequences": [torch.randint(low, 50, (n,), generator=g).tolist() for n in lengths]} | settings


def holding_pad(g, *lengths, pad=0, **settings):
    """The first, the last and a middle id of some lists equal `pad`."""
    actual = lists(g, *lengths, **settings)
    for sequence, place in zip(actual["sequences"], (0, -1, 2), strict=False):
        sequence[place] = pad
    return actual


def by_pad_sequence(sequences, pad=0):
    tensors = [torch.tensor(sequence, dtype=torch.int64) for sequence in sequences]
    padded = torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=pad)
    ones = [torch.ones_like(tensor, dtype=torch.bool) for tensor in tensors]
    return padded, torch.nn.utils.rnn.pad_sequence(ones, batch_first=True)


def integers_in(case, text="the tokens are not integers"):
    return is_true(case, ["tokens"], lambda tokens: tokens.dtype.kind == "i", text)


PAD_BATCH = Exercise(
    id="pad_batch",
    title="Padding a batch",
    reference=reference.pad_batch,
    cases=(
        *asked_again("lists", lambda g: lists(g, 3, 7, 1, 5, 2)),
        Case("another pad", lambda g: lists(g, 4, 2, 11, low=8, pad=7)),
        Case("pad inside", lambda g: holding_pad(g, 5, 3, 7, 4)),
        Case("another pad inside", lambda g: holding_pad(g, 2, 5, 6, low=8, pad=7)),
        Case("an empty list", lambda g: lists(g, 3, 0, 5)),
        Case("an empty list first", lambda g: lists(g, 0, 3, 5)),
        Case("only empty lists", lambda g: lists(g, 0, 0)),
        Case("one list", lambda g: lists(g, 5)),
    ),
    criteria=(
        Criterion(TOKENS, 1, matches("lists", "tokens"), matches("one list", "tokens")),
        Criterion(PADS, 0.25, where(matches("lists", "tokens"), matches("another pad", "tokens"))),
        Criterion(
            MASKS,
            1,
            matches("lists", "mask"),
            matches("pad inside", "mask"),
            matches("another pad", "mask"),
            matches("another pad inside", "mask"),
            matches("one list", "mask"),
        ),
        Criterion(
            EMPTY,
            0.25,
            *(
                where(matches("lists", name), matches(case, name))
                for case in ("an empty list", "an empty list first", "only empty lists")
                for name in ("tokens", "mask")
            ),
        ),
        common_criterion(
            0.5,
            same_again("lists", "tokens", "mask"),
            *(
                where(integers_in(before), integers_in(case, text))
                for before, case, text in (
                    ("lists", "an empty list", told.FLOATS_FOR_ANY),
                    ("an empty list", "an empty list first", told.FLOATS_FOR_THE_FIRST),
                    ("an empty list first", "only empty lists", told.FLOATS_FOR_ALL),
                )
            ),
            unmoved("lists", "lists", "tokens", "mask", text="no two tensors came back"),
        ),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_pad_sequence,
        right(
            "the mask written beside the tokens",
            {
                FULL: f"{FULL}\n    mask = torch.zeros_like(tokens, dtype=torch.bool)",
                WRITTEN: f"mask[row, : len(sequence)] = True\n        {WRITTEN}",
                MASK: "mask",
            },
        ),
    ),
)
