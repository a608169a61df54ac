"""split_per_class(labels, per_class) → (picked, rest); any choice is right that has the counts."""

import numpy as np
import torch

import course_lib.anomaly as reference
from autograder.exercise import Case, Exercise, Property
from autograder.exercises.anomaly.split_per_class_mistakes import ANY, COUNTS, LOSSES, MISCONCEPTIONS
from autograder.properties import fits, is_true


def labels(g, counts):
    """`counts` = {label: images}, in a random order."""
    every = torch.cat([torch.full((count,), label) for label, count in counts.items()])
    return every[torch.randperm(len(every), generator=g)]


def are_indices(picked, rest):
    return all(index.ndim == 1 and index.dtype == np.int64 for index in (picked, rest))


def counts_are_exact(picked, labels, per_class):
    _, counts = np.unique(labels[picked], return_counts=True)
    return len(counts) == len(np.unique(labels)) and (counts == per_class).all()


def nothing_twice(picked, rest):
    return len(np.intersect1d(picked, rest)) == 0 and all(len(np.unique(i)) == len(i) for i in (picked, rest))


def nothing_lost(picked, rest, labels):
    return np.isin(np.arange(len(labels)), np.concatenate([picked, rest])).all()


def at_random(labels, per_class):
    picked, rest = [], []
    for label in labels.unique().tolist():
        places = (labels == label).nonzero().squeeze(1)
        places = places[torch.randperm(len(places))]
        picked.append(places[:per_class])
        rest.append(places[per_class:])
    return torch.cat(picked), torch.cat(rest)


def one_pass(labels, per_class):
    """A loop that counts, from the end."""
    seen, picked, rest = {}, [], []
    for index in reversed(range(len(labels))):
        label = int(labels[index])
        seen[label] = seen.get(label, 0) + 1
        (picked if seen[label] <= per_class else rest).append(index)
    return torch.tensor(picked), torch.tensor(rest)


def by_rank(labels, per_class):
    """Rank of each image among those of its class, without a loop."""
    order = labels.argsort(stable=True)
    _, class_of, counts = labels.unique(return_inverse=True, return_counts=True)
    rank = torch.empty_like(labels)
    rank[order] = torch.arange(len(labels)) - (counts.cumsum(0) - counts)[class_of[order]]
    return torch.where(rank < per_class)[0], torch.where(rank >= per_class)[0]


SPLIT_PER_CLASS = Exercise(
    id="split_per_class",
    title="A stratified split",
    reference=reference.split_per_class,
    cases=(
        Case("digits", lambda g: {"labels": labels(g, {0: 11, 1: 17, 2: 13, 3: 29}), "per_class": 7}),
        Case("labels with gaps", lambda g: {"labels": labels(g, {21: 7, 3: 5, 8: 13, 5: 11}), "per_class": 5}),
    ),
    properties=(
        Property(
            COUNTS,
            1.5,
            is_true("digits", ["picked", "rest"], are_indices, "picked and rest are not int64 index tensors [number]"),
            fits(
                "digits",
                ["picked"],
                ["labels", "per_class"],
                counts_are_exact,
                "picked does not hold exactly per_class of every class",
            ),
        ),
        Property(
            LOSSES,
            1,
            is_true("digits", ["picked", "rest"], nothing_twice, "some image is named twice"),
            fits("digits", ["picked", "rest"], ["labels"], nothing_lost, "some image is in neither part"),
        ),
        Property(
            ANY,
            0.5,
            fits(
                "labels with gaps",
                ["picked"],
                ["labels", "per_class"],
                counts_are_exact,
                "with the classes 3, 5, 8 and 21 the counts are wrong",
            ),
        ),
    ),
    misconceptions=MISCONCEPTIONS,
    hints=(
        "`torch.where(labels == one_class)[0]` says where the images of a class stand.",
        "Take the first per_class places of every class, and put them together with `torch.cat`.",
        "A boolean mask [N] that is true where an image was picked also tells you the rest.",
    ),
    right_variants=(at_random, one_pass, by_rank),
)
