"""sample_anomaly_sets(features, labels, anomaly_index, set_size, generator) → (sets, target, indices).

No draw is the right one. Judged is what must hold of every draw, and, over many, that all places, classes
and images have their chance.
"""

import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly import sampling_rules as rule
from autograder.catalogue.anomaly import sampling_variants as right
from autograder.catalogue.anomaly.sampling_mistakes import (
    FEATURES,
    GENERATOR,
    MISCONCEPTIONS,
    ODD_ONE_OUT,
    PLACE,
    RANDOM,
    SMALL,
    TARGET,
    TWICE,
)
from autograder.catalogue.checks import fits, is_true
from autograder.catalogue.exercise import Case, Exercise, Property

COUNTS = {0: 7, 1: 9, 2: 6, 3: 8}  # images of each class


def images(g, sets, counts=COUNTS, **settings):
    """Images in a random order; each of them in turn is the odd one of a set."""
    labels = torch.cat([torch.full((count,), label) for label, count in counts.items()])
    labels = labels[torch.randperm(len(labels), generator=g)]
    odd = (torch.arange(sets) % len(labels))[torch.randperm(sets, generator=g)]
    seed = int(torch.randint(10**6, (1,), generator=g))
    features = torch.randn(len(labels), 3, generator=g)
    return {
        "features": features,
        "labels": labels,
        "anomaly_index": odd,
        "set_size": 5,
        "seed": seed,
    } | settings


def used_up(g):
    """The smallest class has just as many images as a set needs of it."""
    return images(g, 19, counts={0: 6, 1: 4, 2: 7})


IMAGES = ["labels", "anomaly_index", "set_size"]
OTHER_SETS = "a generator in the same state gives other sets"
AGAIN = "the same generator gives the same sets, or the same places, again and again"
SAME_SETS = "another generator gives the same sets or places"

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
            FEATURES,
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
            TARGET,
            1.5,
            is_true("a few sets", ["target"], rule.is_index, "target is not an int64 tensor [B]"),
            fits(
                "many sets", ["target", "indices"], ["anomaly_index"], rule.target_not_early, "target is too small by 1"
            ),
            fits(
                "many sets", ["target", "indices"], ["anomaly_index"], rule.target_not_late, "target is too large by 1"
            ),
            fits(
                "many sets",
                ["target", "indices"],
                ["anomaly_index"],
                rule.target_is_odd,
                "the image at the target is not the one that was given",
            ),
        ),
        Property(
            ODD_ONE_OUT,
            1.5,
            fits("many sets", ["indices"], IMAGES, rule.no_second_odd, "the others may be of the odd one's class"),
            fits("many sets", ["indices"], IMAGES, rule.one_odd, "a set does not hold exactly one of the odd class"),
            fits("many sets", ["indices"], IMAGES, rule.others_agree, "the others are of several classes"),
        ),
        Property(
            TWICE,
            1,
            is_true("many sets", ["indices"], rule.all_differ, "an image stands twice in a set"),
        ),
        Property(
            PLACE,
            1,
            fits("many sets", ["indices"], IMAGES, rule.not_always_last, "the odd one is always last"),
            fits("many sets", ["indices"], IMAGES, rule.not_always_first, "the odd one is always first"),
            fits("many sets", ["indices"], IMAGES, rule.not_one_place, "the odd one of every set stands at one place"),
            fits("many sets", ["indices"], IMAGES, rule.sometimes_last, "the odd one is never last"),
            fits("many sets", ["indices"], IMAGES, rule.sometimes_first, "the odd one is never first"),
            fits("many sets", ["indices"], IMAGES, rule.odd_anywhere, "some places hold the odd one too often"),
            fits("many places", ["target"], ["set_size"], rule.target_anywhere, "some targets come too often"),
        ),
        Property(
            RANDOM,
            1,
            fits("many sets", ["indices"], IMAGES, rule.every_pair, "some class never stands against some other"),
            fits("many sets", ["indices"], IMAGES, rule.every_image, "some image never stands among the others"),
            fits("many sets", ["indices"], IMAGES, rule.members_alike, "some images of a class come more often"),
            fits("many sets", ["indices"], IMAGES, rule.many_companies, "the same images always come together"),
        ),
        Property(
            GENERATOR,
            0.5,
            is_true("generators", ["first_target", "again_target"], rule.equal, OTHER_SETS),
            is_true("generators", ["first_indices", "again_indices"], rule.equal, OTHER_SETS),
            is_true("generators", ["first_target", "second_target"], rule.constant_or_differ, AGAIN),
            is_true("generators", ["first_indices", "second_indices"], rule.differ, AGAIN),
            is_true("generators", ["first_target", "other_target"], rule.constant_or_differ, SAME_SETS),
            is_true("generators", ["first_indices", "other_indices"], rule.differ, SAME_SETS),
        ),
        Property(
            SMALL,
            0.5,
            fits(
                "a class used up",
                ["indices"],
                IMAGES,
                rule.others_agree,
                "a class of set_size − 1 images is not enough",
            ),
        ),
    ),
    mistakes=MISCONCEPTIONS,
    hints=(
        "Draw another class for every set first, then its members, then the place of the odd one.",
        "The first few of `torch.randperm(n, generator=generator)` are a draw without replacement.",
        "Draw the target, and put the odd image there: what you return is then true by construction.",
    ),
    right_variants=right.VARIANTS,
)
