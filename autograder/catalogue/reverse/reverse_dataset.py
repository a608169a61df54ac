"""ReverseDataset(num_categories, seq_len, size, seed=0): data [N, T]; an item is (tokens, tokens reversed)."""

import numpy as np
import torch

import course_lib.tasks.reverse as reference
from autograder.catalogue.checks import COMMON, dtypes_kept, evenly_spread, fits, is_true, nothing_else_changes, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.reverse.reverse_dataset_mistakes import ITEM, MISTAKES, NOT_NAMED
from autograder.catalogue.reverse.reverse_dataset_seed_mistakes import FEW_SEEDS, RANDINT, SHARED, ZERO_AS_ONE

CATEGORIES = 7
MANY, ITEMS = "many sequences", "a few, item by item"


def sizes(g, seq_len, size):
    seed = int(torch.randint(10**6, (1,), generator=g))
    return {"num_categories": CATEGORIES, "seq_len": seq_len, "size": size, "seed": seed}


def rows(case, outputs, given, *asked):
    """A check for each row: what must hold of the outputs and of what was given, and what is said where it does not."""
    return (fits(case, outputs, given, holds, text) for holds, text in asked)


def is_integer(tokens, *others):
    return tokens.dtype == np.int64


def even(data, *others):
    """Those that occur are like throws of a fair die."""
    return evenly_spread(np.unique(data, return_counts=True)[1])


def independent(data, *others):
    """Neighbours in a sequence, and tokens above each other, are like two throws of the same die."""
    values, places = np.unique(data, return_inverse=True)
    faces, data = len(values), places.reshape(data.shape)
    pairs = data[:, :-1] * faces + data[:, 1:], data[:-1] * faces + data[1:]
    return all(evenly_spread(np.bincount(pair.ravel(), minlength=faces**2)) for pair in pairs)


def differ(one, other):
    return (one != other).any()


def shares_no_sequence(first, other):
    """No sequence of another seed occurs in a row, or across rows, of the first; asked where rows differ and vary."""
    if len(np.unique(first, axis=0)) < len(first) or (first == first[:, :1]).all():
        return True
    stretches = np.lib.stride_tricks.sliding_window_view(first.ravel(), other.shape[1])
    return not {*map(tuple, stretches.tolist())} & {*map(tuple, other.tolist())}


def tokens_are(first, end):
    """A rule that all tokens from `first` to before num_categories + `end` occur, and no others."""
    return lambda data, n, t, c: not np.array_equal(np.unique(data), np.arange(first, c + end))


def in_range(data, n, t, c):
    return data.min() >= 0 and data.max() < c


def backwards(targets, tokens):
    return np.array_equal(targets, tokens[:, ::-1])


def is_second(again, tokens):
    return np.array_equal(again, tokens[1])


def not_turned(tokens, data):
    return np.array_equal(tokens, data) or not backwards(tokens, data)


def not_both_turned(tokens, targets, data):
    return not_turned(tokens, data) or not np.array_equal(tokens, targets)


def not_exchanged(tokens, targets, data):
    return not_turned(tokens, data) or not np.array_equal(targets, data)


def is_no_other_way(way):
    """A rule that the targets are right, or at least not what `way` makes of the tokens."""
    return lambda targets, tokens: backwards(targets, tokens) or not np.array_equal(targets, way(tokens))


OTHER_WAYS = {  # to make targets of the tokens
    "the targets are the tokens in the same order": lambda tokens: tokens,
    "the sequences are reversed, not the tokens": lambda tokens: tokens[::-1],
    "the targets are the tokens, shifted forward by one": lambda tokens: np.roll(tokens, 1, axis=1),
    "the targets are the tokens, shifted back by one": lambda tokens: np.roll(tokens, -1, axis=1),
    "the targets lack the last token": lambda tokens: tokens[:, -2::-1],
    "the targets lack the first token": lambda tokens: tokens[:, :0:-1],
    "the targets are those of the next sequence": lambda tokens: np.roll(tokens, -1, axis=0)[:, ::-1],
}
DATA, EVEN = "data [size, seq_len] of tokens", "every token is drawn by itself, all equally likely"
TARGETS, SEED = "the targets are the tokens backwards", "the seed decides"
IS_INT64 = is_true(MANY, ["data"], is_integer, "the tokens are not int64")
IN_RANGE = fits(MANY, ["data"], ["size", "seq_len", "num_categories"], in_range, "a token is out of range")
CAME = is_true(MANY, ["data"], np.size, "there are no data")
TWO_PARTS = is_true(ITEMS, ["targets"], np.size, "an item has no second part")


REVERSE_DATASET = Exercise(
    id="ReverseDataset",
    title="The dataset of sequences to reverse",
    reference=reference.ReverseDataset,
    cases=(
        Case(MANY, lambda g: sizes(g, 11, 131)),
        Case("length", lambda g: sizes(g, 11, 131) | {"ask": "length"}),
        Case(ITEMS, lambda g: sizes(g, 5, 13) | {"ask": "items"}),
        Case("seeds", lambda g: sizes(g, 23, 11) | {"ask": "seeds"}),
    ),
    criteria=(
        Criterion(
            DATA,
            1,
            is_true(MANY, ["named"], bool, NOT_NAMED),
            *rows(
                MANY,
                ["data"],
                ["size", "seq_len", "num_categories"],
                (lambda data, n, t, c: data.shape != (t, n), "data is of shape [seq_len, size]"),
                (lambda data, n, t, c: data.shape == (n, t), "data is not of shape [size, seq_len]"),
                (is_integer, "the tokens are not int64"),
                (tokens_are(1, 1), "the tokens are 1 … num_categories"),
                (tokens_are(0, 1), "num_categories itself is drawn"),
                (in_range, "a token is not in 0 … num_categories − 1"),
            ),
        ),
        Criterion(
            EVEN,
            1,
            *rows(
                MANY,
                ["data"],
                ["size", "seq_len", "num_categories"],
                (lambda data, n, t, c: (data != data[:, :1]).any(), "each sequence repeats a single token"),
                (lambda data, n, t, c: (data != data[0]).any(), "all sequences are the same"),
                (
                    lambda data, n, t, c: len(np.unique(data, axis=0)) > 0.9 * len(data),
                    "the same sequences come again and again",
                ),
                (even, "some tokens are more frequent than others"),
                (independent, "some pairs of tokens are too frequent"),
                (tokens_are(1, 0), "the category 0 never occurs"),
                (tokens_are(0, -1), "the last category never occurs"),
            ),
            where(
                IN_RANGE,
                fits(
                    MANY,
                    ["data"],
                    ["num_categories"],
                    lambda data, c: len(np.unique(data)) == c,
                    "some category never occurs",
                ),
            ),
        ),
        Criterion(
            "an item begins with its row of data",
            1,
            where(
                TWO_PARTS,
                is_true(ITEMS, ["tokens", "targets", "data"], not_both_turned, "both parts are the row backwards"),
                is_true(ITEMS, ["tokens", "targets", "data"], not_exchanged, "the two parts are swapped"),
            ),
            is_true(ITEMS, ["tokens", "data"], not_turned, "an item begins with its row backwards"),
            is_true(ITEMS, ["data_kept"], bool, "reading the items changes the data"),
            is_true(ITEMS, ["read_again", "tokens"], is_second, "an item changes when it is read again"),
            is_true(ITEMS, ["tokens", "data"], np.array_equal, "item i does not begin with data[i]"),
        ),
        Criterion(
            TARGETS,
            1.5,
            *(is_true(ITEMS, ["targets", "tokens"], is_no_other_way(way), text) for text, way in OTHER_WAYS.items()),
            is_true(ITEMS, ["targets", "tokens"], backwards, "the targets are not the tokens backwards"),
            is_true(ITEMS, ["are_tensors"], bool, "a part of an item is not a tensor"),
        ),
        Criterion(
            "the length counts the sequences",
            0.5,
            *rows(
                "length",
                ["length", "rows"],
                ["size", "seq_len"],
                (lambda length, rows, n, t: length != n * t, "len(dataset) counts the tokens"),
                (lambda length, rows, n, t: length != t or rows != n, "len(dataset) is that of one sequence"),
                (lambda length, rows, n, t: length == n, "len(dataset) is not size"),
            ),
        ),
        Criterion(
            SEED,
            1.5,
            is_true("seeds", ["first", "again"], np.array_equal, "the same seed gives different data"),
            is_true("seeds", ["first", "other"], differ, "another seed gives the same data"),
            is_true("seeds", ["first", "ten_later"], differ, FEW_SEEDS),
            is_true("seeds", ["zero", "one"], differ, ZERO_AS_ONE),
            is_true("seeds", ["first", "other"], shares_no_sequence, SHARED),
            is_true("seeds", ["zero", "zero_again"], np.array_equal, "the seed 0 gives different data each time"),
            is_true("seeds", ["zero", "true_zero"], np.array_equal, "the seed 0 is replaced by another one"),
            is_true("seeds", ["default", "zero"], np.array_equal, "without a seed the data are not those of seed 0"),
        ),
        Criterion(COMMON, 0.5, nothing_else_changes(), where(IS_INT64, dtypes_kept()), CAME),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "from the global generator, left as it was",
            {
                "generator = torch.Generator().manual_seed(seed)": "state = torch.random.get_rng_state()",
                "self.data = ": "torch.manual_seed(seed)\n        self.data = ",
                ", generator=generator)": ")\n        torch.random.set_rng_state(state)",
            },
        ),
        right(
            "drawn by numpy, no base class, the targets by indexing",
            {
                "(Dataset)": "",
                RANDINT: "torch.from_numpy(np.random.default_rng(seed).integers(0, num_categories, (size, seq_len)))",
                "tokens.flip(-1)": "tokens[torch.arange(len(tokens) - 1, -1, -1)]",
            },
        ),
        right(
            "scaled and rounded down, the item a list",
            {
                RANDINT: "(torch.rand(size, seq_len, generator=generator) * num_categories).long()",
                ITEM: "return [tokens, self.data.fliplr()[index]]",
            },
        ),
    ),
)
