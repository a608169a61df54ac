"""sample_anomaly_sets(features, labels, anomaly_index, set_size, generator) → (sets, target, indices).

No draw is the right one. Judged is what must hold of every draw, and, over many, that all places, classes
and images have their chance.
"""

import numpy as np
import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly import sampling_rules as rule
from autograder.catalogue.anomaly.sample_anomaly_sets_wrong import MISTAKES
from autograder.catalogue.checks import either, fits, is_true
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.judging.results import Finding

COUNTS = {0: 7, 1: 9, 2: 6, 3: 8}  # images of each class


def images(g, sets, counts=COUNTS, **settings):
    """Images in a random order; each of them in turn is the odd one of a set."""
    labels = torch.cat([torch.full((count,), label) for label, count in counts.items()])
    labels = labels[torch.randperm(len(labels), generator=g)]
    odd = (torch.arange(sets) % len(labels))[torch.randperm(sets, generator=g)]
    seed = int(torch.randint(10**6, (1,), generator=g))
    features = torch.randn(len(labels), 3, generator=g)
    return {"features": features, "labels": labels, "anomaly_index": odd, "set_size": 5, "seed": seed} | settings


def used_up(g):
    """The smallest class has just as many images as a set needs of it."""
    return images(g, 19, counts={0: 6, 1: 4, 2: 7})


def set_by_set(features, labels, anomaly_index, set_size, generator):
    """A loop over the sets; the odd one is inserted at its place."""
    targets, rows = [], []
    for odd in anomaly_index.tolist():
        others = [label for label in labels.unique().tolist() if label != labels[odd]]
        label = others[torch.randint(len(others), (1,), generator=generator).item()]
        members = torch.where(labels == label)[0]
        row = members[torch.randperm(len(members), generator=generator)[: set_size - 1]].tolist()
        targets.append(torch.randint(set_size, (1,), generator=generator).item())
        row.insert(targets[-1], odd)
        rows.append(torch.tensor(row))
    indices = torch.stack(rows)
    return features[indices], torch.tensor(targets), indices


def by_multinomial_then_shuffled(imgs, classes, anomalies, size, rng):
    """Weights instead of members, and a shuffle of the whole row instead of a place."""
    kinds = classes.unique()
    allowed = (kinds[None, :] != classes[anomalies][:, None]).float()  # [B, C]
    kind = kinds[torch.multinomial(allowed, 1, generator=rng)]  # [B, 1]
    normal = torch.multinomial((classes[None, :] == kind).float(), size - 1, generator=rng)  # [B, S − 1]
    row = torch.cat([normal, anomalies[:, None]], dim=1)
    order = torch.rand(row.shape, generator=rng).argsort(dim=1)
    return imgs[row.gather(1, order)], (order == size - 1).int().argmax(dim=1), row.gather(1, order)


def exchanged_into_place(features, labels, anomaly_index, set_size, generator):
    """The odd one is last and changes places with the one at the target; numpy, seeded by the generator."""
    rng = np.random.default_rng(torch.randint(2**31, (1,), generator=generator).item())
    kinds, batch = np.unique(labels.numpy()), len(anomaly_index)
    indices = np.empty((batch, set_size), dtype=np.int64)
    for row, odd in zip(indices, anomaly_index.numpy(), strict=True):
        kind = rng.choice(kinds[kinds != labels[odd].item()])
        row[:-1] = rng.choice(np.flatnonzero(labels.numpy() == kind), set_size - 1, replace=False)
        row[-1] = odd
    target = rng.integers(set_size, size=batch)
    rows = np.arange(batch)
    indices[rows, -1], indices[rows, target] = indices[rows, target].copy(), anomaly_index.numpy()
    indices = torch.from_numpy(indices)
    return features[indices], torch.from_numpy(target), indices


IMAGES = ["labels", "anomaly_index", "set_size"]
AGAIN, NEXT, OTHER = ("first", "again"), ("first", "second"), ("first", "other")  # of the draws that are compared
OTHER_SETS = "a generator in the same state gives other sets"
SAME_SETS = "another generator gives the same sets or places"
ANYWHERE = "some places come too often"


def of_sets(holds, text, case="many sets"):
    return fits(case, ["indices"], IMAGES, holds, text)


def in_some_batch(holds, text):
    """Holds of one batch of three: a place that was drawn for a whole batch is not the same in all."""
    many, few, more = (of_sets(holds, text, case) for case in ("many sets", "a few sets", "a class used up"))
    return either(many, either(few, more))


def of_targets(holds, text):
    return fits("many sets", ["target", "indices"], ["anomaly_index"], holds, text)


def of_draws(draws, part, holds, text):
    return is_true("generators", [f"{draw}_{part}" for draw in draws], holds, text)


def is_enough(results):
    """A class is used up: an error that comes only there says that it is not enough, as a wrong set does."""
    case, text = "a class used up", "a class of set_size − 1 images is not enough"
    if [name for name, record in results.found.items() if "error" in record] == [case]:
        return Finding(text, case)
    return of_sets(rule.others_agree, text, case)(results)


ONE_ODD = of_sets(rule.one_odd, "a set does not hold exactly one of the odd class")
EVERY_IMAGE = of_sets(rule.every_image, "some image never stands among the others")
NEW_IMAGES = fits(
    "generators",
    ["first_indices", "second_indices"],
    IMAGES,
    rule.not_the_same_few,
    "the others are always the same few images",
)

SAMPLE_ANOMALY_SETS = Exercise(
    id="sample_anomaly_sets",
    title="Sets with an odd one out",
    reference=reference.sample_anomaly_sets,
    cases=(
        Case("a few sets", lambda g: images(g, 13)),
        Case("many sets", lambda g: images(g, 241, outputs=["target", "indices"])),
        Case("many places", lambda g: images(g, 601, outputs=["target"])),
        Case("generators", lambda g: images(g, 17, compare=True)),
        Case("a class used up", used_up),
    ),
    properties=(
        Property(
            "sets holds the features of indices",
            1,
            is_true("a few sets", ["target", "indices"], rule.not_exchanged, "target and indices have changed places"),
            fits("a few sets", ["indices"], ["set_size"], rule.not_one_more, "a set holds one image too many"),
            fits(
                "a few sets",
                ["sets", "indices"],
                ["features", "anomaly_index", "set_size"],
                rule.are_features,
                "sets is not features[indices]",
            ),
        ),
        Property(
            "target says where the given image stands",
            1.5,
            is_true("a few sets", ["target"], rule.is_index, "target is not an int64 tensor [B]"),
            of_targets(rule.target_not_off_by(-1), "target is too small by 1"),
            of_targets(rule.target_not_off_by(1), "target is too large by 1"),
            of_targets(rule.target_is_given, "the image at the target is not the one that was given"),
        ),
        Property(
            "the others are of one other class",
            1.5,
            either(of_sets(rule.count_among_all, "the indices of the others count within a class"), ONE_ODD),
            of_sets(rule.no_second_odd, "the others may be of the odd one's class"),
            ONE_ODD,
            of_sets(rule.others_agree, "the others are of several classes"),
        ),
        Property(
            "no image stands twice in a set",
            1,
            is_true("many sets", ["indices"], rule.all_differ, "an image stands twice in a set"),
        ),
        Property(
            "the odd one stands at a random place",
            1,
            in_some_batch(rule.not_always_at(-1), "the odd one is always last"),
            in_some_batch(rule.not_always_at(0), "the odd one is always first"),
            of_sets(rule.not_one_place, "the odd one of every set stands at one place"),
            of_sets(rule.sometimes_at(-1), "the odd one is never last"),
            of_sets(rule.sometimes_at(0), "the odd one is never first"),
            of_sets(rule.odd_anywhere, ANYWHERE),
            fits("many places", ["target"], ["set_size"], rule.target_in_set, "some target is no place of a set"),
            fits("many places", ["target"], ["set_size"], rule.target_anywhere, ANYWHERE),
        ),
        Property(
            "classes and images are drawn at random",
            1,
            of_sets(rule.several_opponents, "a class stands against one other class, and never against the rest"),
            of_sets(rule.every_pair, "some class never stands against some other"),
            either(NEW_IMAGES, EVERY_IMAGE),
            EVERY_IMAGE,
            of_sets(rule.members_alike, "some images of a class come more often"),
            of_sets(rule.many_groups, "the same images always come together"),
        ),
        Property(
            "the generator decides",
            0.5,
            of_draws(AGAIN, "target", rule.equal, OTHER_SETS),
            of_draws(AGAIN, "indices", rule.equal, OTHER_SETS),
            of_draws(NEXT, "indices", rule.differ, "the same generator gives the same sets again and again"),
            of_draws(
                NEXT, "target", rule.constant_or_differ, "the same generator gives the same places again and again"
            ),
            of_draws(OTHER, "target", rule.constant_or_differ, SAME_SETS),
            of_draws(OTHER, "indices", rule.differ, SAME_SETS),
        ),
        Property("a class may be used up", 0.5, is_enough),
    ),
    mistakes=MISTAKES,
    hints=(
        "Draw another class for every set first, then its members, then the place of the odd one.",
        "The first few of `torch.randperm(n, generator=generator)` are a draw without replacement.",
        "Draw the target, and put the odd image there: what you return is then true by construction.",
    ),
    right_variants=(set_by_set, by_multinomial_then_shuffled, exchanged_into_place),
)
