"""sample_anomaly_sets(features, labels, anomaly_index, set_size, generator) → (sets, target, indices).

No draw is the right one. Judged is what must hold of every draw, and, over many, that all places, classes
and images have their chance.
"""

import numpy as np
import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly import sampling_rules as rule
from autograder.catalogue.anomaly.sample_anomaly_sets_mistakes import MISTAKES
from autograder.catalogue.checks import either, fits, is_true, raises, where
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.results import Finding

COUNTS = {0: 7, 1: 9, 2: 6, 3: 8}  # images of each class


def images(g, sets, counts=COUNTS, **settings):
    """Images in a random order; each of them in turn is the odd one of a set."""
    labels = torch.cat([torch.full((count,), label) for label, count in counts.items()])
    labels = labels[torch.randperm(len(labels), generator=g)]
    odd = (torch.arange(sets) % len(labels))[torch.randperm(sets, generator=g)]
    seed = int(torch.randint(10**6, (1,), generator=g))
    features = torch.randn(len(labels), 3, generator=g)
    return {"features": features, "labels": labels, "anomaly_index": odd, "set_size": 5, "seed": seed} | settings


def refuse(labels, set_size):
    sizes = np.unique(labels.numpy(), return_counts=True)[1]
    if len(sizes) < 2 or min(sizes) < set_size - 1:
        raise ValueError(f"no sets of {set_size} from {len(sizes)} classes of {sizes} images")


def set_by_set(features, labels, anomaly_index, set_size, generator):
    """A loop over the sets; the odd one is inserted at its place."""
    refuse(labels, set_size)
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


IMAGES = ["labels", "anomaly_index", "set_size"]
AGAIN, NEXT, OTHER = ("first", "again"), ("first", "second"), ("first", "other")  # of the draws that are compared
OTHER_SETS = "a generator in the same state gives different sets"
SAME_SETS = "another generator gives the same sets or places"
ANYWHERE, SMALL_BATCHES = "some places come up too often", "in small batches some places come up too often"


def of_sets(holds, text, case="many sets"):
    return fits(case, ["indices"], IMAGES, holds, text)


def of_batches(says, many=True):
    """`says` what is wrong of batches that were drawn one after the other, beside, if asked for, one of many sets."""

    def check(results):
        drawn = [("generators", f"{draw}_indices") for draw in ("first", "second", "third", "other")]
        drawn += [("many sets", "indices")] * many
        text = says([(results.output(*at), *(results.given(at[0], name) for name in IMAGES)) for at in drawn])
        return Finding(text, "generators") if text else None

    return check


def of_targets(holds, text):
    return fits("many sets", ["target", "indices"], ["anomaly_index"], holds, text)


def of_draws(draws, part, holds, text):
    return is_true("generators", [f"{draw}_{part}" for draw in draws], holds, text)


def of_draws_in_turn(draws, holds, text):
    return is_true("generators", [f"{draw}_{part}" for draw in draws for part in ("target", "indices")], holds, text)


def in_case(case, text):
    """One odd one a set here, if it is so in many sets; an error that comes only here says the same as a wrong set."""

    def check(results):
        errors = {name for name, record in results.actual.items() if "error" in record}
        if errors - {"one class", "small classes"} == {case}:
            return Finding(text, case)
        return None if ONE_ODD(results) else of_sets(rule.set_size_and_one_odd, text, case)(results)

    return check


CHANGING = of_draws_in_turn(
    ("first", "second", "third", "other"), rule.places_change, "every batch has the same places"
)
IN_ORDER = of_targets(rule.sets_in_order, "the sets are in another order than anomaly_index")
ONE_ODD = of_sets(rule.one_odd, "a set does not contain exactly one image of the odd class")
TRUE_TARGET = of_targets(rule.target_is_given, "the image at the target is not the one that was given")

FEATURES, TARGET = "sets holds the features of indices", "target says where the given image stands"
OTHERS, ONCE = "the others are of one other class", "no image stands twice in a set"
PLACE, CHANCE = "the odd one stands at a random place", "classes and images are drawn at random"
GENERATOR, ENOUGH, ANY_LABELS = "the generator decides", "a class may be used up", "labels of any kind"
REFUSED = "too few images or classes are refused"

SAMPLE_ANOMALY_SETS = Exercise(
    id="sample_anomaly_sets",
    title="Sets with an odd one out",
    reference=reference.sample_anomaly_sets,
    cases=(
        Case("a few sets", lambda g: images(g, 13)),
        Case("many sets", lambda g: images(g, 241, outputs=["target", "indices"])),
        Case("small batches", lambda g: images(g, 601, outputs=["target"], batch_size=4)),
        Case("generators", lambda g: images(g, 17, compare=True)),
        Case("a class used up", lambda g: images(g, 19, {0: 6, 1: 4})),
        Case("labels with gaps", lambda g: images(g, 23, {21: 6, -1: 5, 8: 7})),
        Case("one class", lambda g: images(g, 11, {0: 29})),
        Case("small classes", lambda g: images(g, 7, {0: 13, 1: 9, 2: 11}, set_size=11)),
    ),
    criteria=(
        Criterion(
            FEATURES,
            0.5,
            is_true("a few sets", ["target", "indices"], rule.not_exchanged, "target and indices are swapped"),
            fits("a few sets", ["indices"], ["set_size"], rule.not_one_more, "a set contains one image too many"),
            *(
                fits("a few sets", ["sets", "indices"], ["features", "anomaly_index", "set_size"], holds, text)
                for holds, text in (
                    (rule.not_reordered, "the images of sets are in another order than indices"),
                    (rule.are_features, "sets is not features[indices]"),
                )
            ),
        ),
        Criterion(
            TARGET,
            1,
            is_true("a few sets", ["target"], rule.one_per_set, "target is not one number for each set"),
            of_targets(rule.target_not_the_image, "target is the number of the image"),
            of_targets(rule.target_not_off_by(-1), "target is too small by 1"),
            of_targets(rule.target_not_off_by(1), "target is too large by 1"),
            of_targets(rule.odd_moves, "the odd one stays at one place, regardless of the target"),
            of_targets(rule.target_not_mirrored, "the odd one stands at −target, counted around"),
            of_targets(rule.target_moves, "the target is the same for all sets, and the odd one is elsewhere"),
            IN_ORDER,
            fits(
                "many sets",
                ["target", "indices"],
                ["anomaly_index", "labels"],
                rule.odd_one_itself,
                "the image at the target is another one of its class",
            ),
            TRUE_TARGET,
        ),
        Criterion(
            OTHERS,
            0.75,
            either(of_sets(rule.count_among_all, "the indices of the others count within a class"), ONE_ODD),
            where(
                IN_ORDER,
                of_sets(rule.no_second_odd, "the others may be of the odd one's class"),
                ONE_ODD,
                of_sets(rule.others_agree, "the others are of several classes"),
            ),
        ),
        Criterion(ONCE, 0.5, is_true("many sets", ["indices"], rule.all_differ, "an image is in a set twice")),
        Criterion(
            PLACE,
            2.75,
            of_batches(rule.one_place),
            of_sets(rule.sometimes_at(-1), "the odd one is never last"),
            of_sets(rule.sometimes_at(0), "the odd one is never first"),
            of_sets(rule.odd_anywhere, ANYWHERE),
            where(
                TRUE_TARGET,
                fits("small batches", ["target"], ["set_size"], rule.target_anywhere, SMALL_BATCHES),
                CHANGING,
            ),
        ),
        Criterion(
            CHANCE,
            0.75,
            of_batches(rule.one_opponent),
            of_sets(rule.every_pair, "some class is never combined with some other"),
            of_batches(rule.same_company, many=False),
            of_sets(rule.seen_to_the_end, "the last images of a class are never among the others"),
            of_sets(rule.every_image, "some image is never among the others"),
            of_sets(rule.members_alike, "some images of a class come up more often"),
            of_sets(rule.many_groups, "the same images always come together"),
        ),
        Criterion(
            GENERATOR,
            0.5,
            of_draws(AGAIN, "target", rule.equal, OTHER_SETS),
            of_draws(AGAIN, "indices", rule.equal, OTHER_SETS),
            of_draws(NEXT, "indices", rule.differ, "the same generator gives the same sets again and again"),
            where(
                CHANGING,
                of_draws(
                    NEXT, "target", rule.constant_or_differ, "the same generator gives the same places again and again"
                ),
                of_draws(OTHER, "target", rule.constant_or_differ, SAME_SETS),
            ),
            of_draws(OTHER, "indices", rule.differ, SAME_SETS),
        ),
        Criterion(ENOUGH, 0.25, in_case("a class used up", "a class of set_size − 1 images is not enough")),
        Criterion(ANY_LABELS, 0.25, in_case("labels with gaps", "with the classes −1, 8 and 21 the sets are wrong")),
        Criterion(
            REFUSED, 0.25, raises("one class", "ValueError", "5", "1"), raises("small classes", "ValueError", "11", "9")
        ),
        common_criterion(0.5, is_true("a few sets", ["sets"], lambda sets: True, "nothing came back")),
    ),
    mistakes=MISTAKES,
    right_variants=(set_by_set,),
)
