"""ReverseDataset(num_categories, seq_len, size, seed=0): data [N, T]; an item is (tokens, tokens reversed)."""

import numpy as np
import torch

import course_lib.tasks.reverse as reference
from autograder.catalogue.checks import evenly_spread, fits, is_true
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.reverse import reverse_dataset_variants as right
from autograder.catalogue.reverse.reverse_dataset_mistakes import MISCONCEPTIONS

CATEGORIES = 7
ONE_BY_ONE = "a few, item by item"


def sizes(g, seq_len, size):
    seed = int(torch.randint(10**6, (1,), generator=g))
    return {"num_categories": CATEGORIES, "seq_len": seq_len, "size": size, "seed": seed}


def is_table(data, seq_len, size):
    return data.shape == (size, seq_len)


def not_sideways(data, size, seq_len):
    return data.shape != (seq_len, size)


def not_all_tokens(length, size, seq_len):
    return length != size * seq_len


def not_one_sequence(length, seq_len):
    return length != seq_len


def is_integer(tokens):
    return tokens.dtype == np.int64


def in_range(data, num_categories):
    return data.min() >= 0 and data.max() < num_categories


def last_occurs(data, num_categories):
    return (data == num_categories - 1).any()


def independent(data):
    """Neighbours in a sequence, and tokens above each other, are like two throws of the same die."""
    if data.min() < 0 or data.max() >= 100:
        return False
    data, faces = data.astype(int), int(data.max()) + 1
    pairs = data[:, :-1] * faces + data[:, 1:], data[:-1] * faces + data[1:]
    return all(evenly_spread(np.bincount(pair.ravel(), minlength=faces**2)) for pair in pairs)


def nearly_all_differ(data):
    return len(np.unique(data, axis=0)) > 0.9 * len(data)


def differ(one, other):
    return not np.array_equal(one, other)


def is_second(again, tokens):
    return np.array_equal(again, tokens[1])


def backwards(targets, tokens):
    return np.array_equal(targets, tokens[:, ::-1])


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
        Case("many sequences", lambda g: sizes(g, 11, 131)),
        Case("length", lambda g: sizes(g, 11, 131) | {"ask": "length"}),
        Case(ONE_BY_ONE, lambda g: sizes(g, 5, 13) | {"ask": "items"}),
        Case("seeds", lambda g: sizes(g, 5, 11) | {"ask": "others"}),
    ),
    properties=(
        Property(
            "data [size, seq_len] of tokens",
            1.5,
            fits("many sequences", ["data"], ["size", "seq_len"], not_sideways, "data is of shape [seq_len, size]"),
            fits("many sequences", ["data"], ["seq_len", "size"], is_table, "data is not of shape [size, seq_len]"),
            is_true("many sequences", ["data"], is_integer, "the tokens are not int64"),
            fits("many sequences", ["data"], ["num_categories"], in_range, "a token is not in 0 … num_categories − 1"),
        ),
        Property(
            "every token is drawn by itself, all equally likely",
            1,
            is_true("many sequences", ["data"], lambda d: (d == 0).any(), "the category 0 never occurs"),
            fits("many sequences", ["data"], ["num_categories"], last_occurs, "the last category never occurs"),
            is_true("many sequences", ["data"], nearly_all_differ, "the same sequence comes again and again"),
            is_true("many sequences", ["data"], independent, "some pairs of tokens are too frequent"),
        ),
        Property(
            "an item begins with its row of data",
            1,
            is_true(ONE_BY_ONE, ["tokens", "data"], not_turned, "an item begins with its row backwards"),
            is_true(ONE_BY_ONE, ["tokens", "data"], np.array_equal, "item i does not begin with data[i]"),
            is_true(ONE_BY_ONE, ["tokens"], is_integer, "the tokens of an item are not int64"),
            is_true(ONE_BY_ONE, ["read_again", "tokens"], is_second, "an item is another one when it is read again"),
        ),
        Property(
            "the targets are the tokens backwards",
            1.5,
            is_true(ONE_BY_ONE, ["targets", "tokens"], not_copied, "the targets are the tokens in the same order"),
            is_true(ONE_BY_ONE, ["targets", "data"], not_upside_down, "the sequences change places, not the tokens"),
            is_true(ONE_BY_ONE, ["targets", "tokens"], backwards, "the targets are not the tokens backwards"),
            is_true(ONE_BY_ONE, ["targets"], is_integer, "the targets are not int64"),
        ),
        Property(
            "the length counts the sequences",
            0.5,
            fits("length", ["length"], ["size", "seq_len"], not_all_tokens, "len(dataset) counts the tokens"),
            fits("length", ["length"], ["seq_len"], not_one_sequence, "len(dataset) is that of one sequence"),
            fits("length", ["length"], ["size"], lambda n, size: n == size, "len(dataset) is not size"),
        ),
        Property(
            "the seed decides",
            1.5,
            is_true("seeds", ["first", "again"], np.array_equal, "the same seed gives other data"),
            is_true("seeds", ["first", "other"], differ, "another seed gives the same data"),
            is_true("seeds", ["zero", "zero_again"], np.array_equal, "the seed 0 gives other data each time"),
            is_true("seeds", ["default", "zero"], np.array_equal, "without a seed the data are not those of seed 0"),
        ),
    ),
    mistakes=MISCONCEPTIONS,
    hints=(
        "All sequences at once: `torch.randint` draws a tensor [size, seq_len] of numbers below num_categories.",
        "`torch.Generator().manual_seed(seed)`, handed over as `generator=…`, makes the draw repeatable.",
        "`tokens.flip(-1)` turns a tensor around along its last axis.",
    ),
    right_variants=right.VARIANTS,
)
