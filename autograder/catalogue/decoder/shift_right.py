"""shift_right(targets, bos): int64 [B, T] → the decoder's input, of the same shape."""

import torch

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.exercise import Case, Exercise, Misconception, Property


def tokens(g, batch, length, bos):
    """Tokens from 3 to 22; the begin-of-sequence token is none of them."""
    return {"targets": torch.randint(3, 23, (batch, length), generator=g), "bos": bos}


def not_shifted(targets, bos):
    return targets.clone()


def bos_in_the_place_of_the_first(targets, bos):
    shifted = targets.clone()
    shifted[:, 0] = bos
    return shifted


def shifted_the_wrong_way(targets, bos):
    return torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], bos)], dim=1)


def one_token_longer(targets, bos):
    return torch.cat([torch.full_like(targets[:, :1], bos), targets], dim=1)


def last_token_dropped(targets, bos):
    return targets[:, :-1]


def rolled(targets, bos):
    return torch.roll(targets, 1, dims=1)


def shifted_along_the_batch(targets, bos):
    return torch.cat([torch.full_like(targets[:1], bos), targets[:-1]], dim=0)


def first_token_dropped(targets, bos):
    return torch.cat([torch.full_like(targets[:, :1], bos), targets[:, 1:]], dim=1)[:, :-1]


def always_one(targets, bos):
    return reference.shift_right(targets, 1)


def always_zero(targets, bos):
    shifted = torch.zeros_like(targets)
    shifted[:, 1:] = targets[:, :-1]
    return shifted


def in_place(targets, bos):
    targets[:, 1:] = targets[:, :-1].clone()
    targets[:, 0] = bos
    return targets


def as_floats(targets, bos):
    shifted = torch.zeros(targets.shape)
    shifted[:, 1:], shifted[:, 0] = targets[:, :-1], bos
    return shifted


def by_slices(targets, bos):
    shifted = torch.empty_like(targets)
    shifted[:, 0] = bos
    shifted[:, 1:] = targets[:, :-1]
    return shifted


def by_rolling(tgt, bos_id):
    shifted = tgt.roll(1, dims=-1)
    shifted[..., 0] = bos_id
    return shifted


def by_padding(targets, bos):
    return torch.nn.functional.pad(targets, (1, -1), value=bos)


def by_rows(targets, bos):
    return torch.tensor([[bos, *row[:-1]] for row in targets.tolist()])


def cut_from_a_longer_one(targets, bos, /):
    return torch.cat([targets.new_full((len(targets), 1), bos), targets], dim=-1).T[:-1].T


PLACES, BOS = "the token before stands at every place", "bos comes first"
KEPT = "the argument stays as it was, and token numbers stay whole"

SHIFT_RIGHT = Exercise(
    id="shift_right",
    title="The decoder's input",
    reference=reference.shift_right,
    cases=(
        Case("tokens", lambda g: tokens(g, 3, 7, bos=1)),
        Case("another begin token", lambda g: tokens(g, 2, 5, bos=29)),
        Case("one token", lambda g: tokens(g, 5, 1, bos=2)),
    ),
    properties=(
        Property(PLACES, 1, matches("tokens", "others"), matches("another begin token", "others")),
        Property(
            BOS,
            0.5,
            *(matches(case, "first") for case in ("tokens", "another begin token", "one token")),
        ),
        Property(
            KEPT,
            0.5,
            matches("tokens", "targets"),
            is_true("tokens", ["whole"], bool, "the tokens have become floating-point numbers"),
        ),
    ),
    mistakes=(
        Misconception(
            "not shifted",
            not_shifted,
            "The decoder is given the very token that it is to guess: it learns to copy, and cannot write.",
            "At place t the model guesses targets[:, t]. What may it have seen by then?",
            (PLACES, BOS),
        ),
        Misconception(
            "shifted the wrong way",
            shifted_the_wrong_way,
            "Your tokens move to the left: each place shows the token after the one to be guessed.",
            "Which token stands at place 1 when everything moves to the right by one?",
            (PLACES, BOS),
        ),
        Misconception(
            "bos over the first token",
            bos_in_the_place_of_the_first,
            "bos has replaced the first token, and nothing has moved: the decoder still sees what it is to guess.",
            "Where has the first target gone?",
            (PLACES,),
        ),
        Misconception(
            "one token too long",
            one_token_longer,
            "bos was put in front and nothing taken away: T + 1 tokens for T guesses.",
            "Which token of the targets does the decoder never need to see?",
            (PLACES,),
        ),
        Misconception(
            "last token dropped, no bos",
            last_token_dropped,
            "Without bos the result is one token short, and nothing stands before the first guess.",
            "What does the decoder see when it guesses the first token?",
            (PLACES, BOS),
        ),
        Misconception(
            "first token lost",
            first_token_dropped,
            "bos has replaced the first token, and the last is gone: the others have not moved.",
            "What are the shapes of the pieces that you join?",
            (PLACES, BOS),
        ),
        Misconception(
            "the last token comes round to the front",
            rolled,
            "`roll` brings the last token to the first place, where bos belongs.",
            "Where do you use `bos`?",
            (BOS,),
        ),
        Misconception(
            "shifted along the batch",
            shifted_along_the_batch,
            "You shift the sentences, not the tokens: each row is that of another sample.",
            "Which axis of [B, T] is time?",
            (PLACES, BOS),
        ),
        Misconception(
            "a fixed begin token",
            always_one,
            "Your first token is 1, whatever `bos` says.",
            "Where do you use `bos`?",
            (BOS,),
        ),
        Misconception(
            "zero in the place of bos",
            always_zero,
            "Everything has moved, but the first place still holds the 0 of an empty tensor: bos is missing.",
            "Where do you use `bos`?",
            (BOS,),
        ),
        Misconception(
            "written into the argument",
            in_place,
            "The result is right, but the targets have been overwritten: the loss would compare with shifted ones.",
            "Which of your lines writes into `targets` itself?",
            (KEPT,),
        ),
        Misconception(
            "tokens as floats",
            as_floats,
            "The numbers are right, but an embedding takes integers only, and these are floats.",
            "What is the dtype of `torch.zeros(...)`, and of `torch.zeros_like(targets)`?",
            (KEPT,),
        ),
    ),
    hints=(
        "Two pieces, joined along the time axis: a column of bos, and the targets without their last column.",
        "`torch.full_like(targets[:, :1], bos)` is a column [B, 1] of the right kind.",
    ),
    right_variants=(by_slices, by_rolling, by_padding, by_rows, cut_from_a_longer_one),
)
