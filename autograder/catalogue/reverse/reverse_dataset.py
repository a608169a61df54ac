"""ReverseDataset(num_categories, seq_len, size, seed=0): data [N, T]; an item is (tokens, tokens reversed)."""

import numpy as np
import torch

import course_lib.tasks.reverse as reference
from autograder.catalogue.checks import evenly_spread, fits, is_true
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.reverse.reverse_dataset_wrong import ITEM, MISTAKES, RANDINT

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


def independent(data):
    """Neighbours in a sequence, and tokens above each other, are like two throws of the same die."""
    if data.min() < 0 or data.max() >= 100:
        return False
    data, faces = data.astype(int), int(data.max()) + 1
    pairs = data[:, :-1] * faces + data[:, 1:], data[:-1] * faces + data[1:]
    return all(evenly_spread(np.bincount(pair.ravel(), minlength=faces**2)) for pair in pairs)


def backwards(targets, tokens):
    return np.array_equal(targets, tokens[:, ::-1])


def is_second(again, tokens):
    return np.array_equal(again, tokens[1])


def not_turned(tokens, data):
    return np.array_equal(tokens, data) or not backwards(tokens, data)


def not_copied(targets, tokens):
    return backwards(targets, tokens) or not np.array_equal(targets, tokens)


def not_upside_down(targets, data):
    return backwards(targets, data) or not np.array_equal(targets, data[::-1])


REVERSE_DATASET = Exercise(
    id="ReverseDataset",
    title="The dataset of sequences to reverse",
    reference=reference.ReverseDataset,
    cases=(
        Case(MANY, lambda g: sizes(g, 11, 131)),
        Case("length", lambda g: sizes(g, 11, 131) | {"ask": "length"}),
        Case(ITEMS, lambda g: sizes(g, 5, 13) | {"ask": "items"}),
        Case("seeds", lambda g: sizes(g, 5, 11) | {"ask": "seeds"}),
    ),
    properties=(
        Property(
            "data [size, seq_len] of tokens",
            1.5,
            *rows(
                MANY,
                ["data"],
                ["size", "seq_len", "num_categories"],
                (lambda data, n, t, c: data.shape != (t, n), "data is of shape [seq_len, size]"),
                (lambda data, n, t, c: data.shape == (n, t), "data is not of shape [size, seq_len]"),
                (is_integer, "the tokens are not int64"),
                (lambda data, n, t, c: data.min() >= 0 and data.max() < c, "a token is not in 0 … num_categories − 1"),
            ),
        ),
        Property(
            "every token is drawn by itself, all equally likely",
            1,
            *rows(
                MANY,
                ["data"],
                ["num_categories"],
                (lambda data, c: (data == 0).any(), "the category 0 never occurs"),
                (lambda data, c: (data == c - 1).any(), "the last category never occurs"),
                (
                    lambda data, c: len(np.unique(data, axis=0)) > 0.9 * len(data),
                    "the same sequence comes again and again",
                ),
                (lambda data, c: independent(data), "some pairs of tokens are too frequent"),
            ),
        ),
        Property(
            "an item begins with its row of data",
            1,
            is_true(ITEMS, ["tokens", "data"], not_turned, "an item begins with its row backwards"),
            is_true(ITEMS, ["tokens", "data"], np.array_equal, "item i does not begin with data[i]"),
            is_true(ITEMS, ["tokens"], is_integer, "the tokens of an item are not int64"),
            is_true(ITEMS, ["read_again", "tokens"], is_second, "an item is another one when it is read again"),
        ),
        Property(
            "the targets are the tokens backwards",
            1.5,
            is_true(ITEMS, ["targets", "tokens"], not_copied, "the targets are the tokens in the same order"),
            is_true(ITEMS, ["targets", "data"], not_upside_down, "the sequences change places, not the tokens"),
            is_true(ITEMS, ["targets", "tokens"], backwards, "the targets are not the tokens backwards"),
            is_true(ITEMS, ["targets"], is_integer, "the targets are not int64"),
        ),
        Property(
            "the length counts the sequences",
            0.5,
            *rows(
                "length",
                ["length"],
                ["size", "seq_len"],
                (lambda length, n, t: length != n * t, "len(dataset) counts the tokens"),
                (lambda length, n, t: length != t, "len(dataset) is that of one sequence"),
                (lambda length, n, t: length == n, "len(dataset) is not size"),
            ),
        ),
        Property(
            "the seed decides",
            1.5,
            is_true("seeds", ["first", "again"], np.array_equal, "the same seed gives other data"),
            is_true(
                "seeds", ["first", "other"], lambda one, other: (one != other).any(), "another seed gives the same data"
            ),
            is_true("seeds", ["zero", "zero_again"], np.array_equal, "the seed 0 gives other data each time"),
            is_true("seeds", ["default", "zero"], np.array_equal, "without a seed the data are not those of seed 0"),
        ),
    ),
    mistakes=MISTAKES,
    hints=(
        "All sequences at once: `torch.randint` draws a tensor [size, seq_len] of numbers below num_categories.",
        "`torch.Generator().manual_seed(seed)`, handed over as `generator=…`, makes the draw repeatable.",
        "`tokens.flip(-1)` turns a tensor around along its last axis.",
    ),
    right_variants=(
        right("from the global generator", {"generator = torch.Generator().": "torch.", ", generator=generator": ""}),
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
        right("targets that run backwards", {"[index]": "[index].numpy()", "tokens.flip(-1)": "tokens[::-1]"}),
    ),
)
