"""split_per_class(labels, per_class) → (picked, rest); any choice is right that has the counts."""

import numpy as np
import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly.split_per_class_mistakes import CLASS_AFTER_CLASS, LOST_OF_MINUS_ONE, MISTAKES
from autograder.catalogue.checks import either, fits, is_true, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.results import Finding


def labels(g, counts):
    """`counts` = {label: images}, in a random order."""
    every = torch.cat([torch.full((count,), label) for label, count in counts.items()])
    return every[torch.randperm(len(every), generator=g)]


def case(name, per_class, counts):
    return Case(name, lambda g: {"labels": labels(g, counts), "per_class": per_class})


def are_indices(picked, rest):
    return all(index.ndim == 1 and index.dtype.kind == "i" for index in (picked, rest))


def are_places(index, labels, per_class):
    """Whether the rules of places can be asked of it; others say that something is wrong."""
    return are_indices(index, index) and (index >= 0).all() and (index < len(labels)).all()


def counts_of(places, labels):
    """How many images of each class stand at these places."""
    return np.array([(labels[places] == one_class).sum() for one_class in np.unique(labels)])


def counts_are_exact(picked, labels, per_class):
    return (counts_of(picked, labels) == per_class).all()


def counts_are_not(step):
    """Not just as many images of every class as there should be, and `step` more."""
    return lambda index, labels, per_class: (counts_of(index, labels) != per_class + step).any()


def not_all_the_others(index, labels, per_class):
    return (counts_of(index, labels) + per_class != counts_of(range(len(labels)), labels)).any()


def not_a_table(picked, labels, per_class):
    return picked.shape != (len(np.unique(labels)), per_class)


def not_classes(picked, labels, per_class):
    return not np.array_equal(np.sort(picked), np.sort(np.repeat(np.unique(labels), per_class)))


def has(one_class):
    return lambda picked, labels, per_class: (
        not are_places(picked, labels, per_class) or (labels[picked] == one_class).any()
    )


def not_the_same(picked, rest):
    return not np.array_equal(np.sort(picked), np.sort(rest))


def not_from_zero(rest, labels):
    """Renumbered: the number of images that are left, not which; all of them, or none, are another rule's business."""
    return len(rest) in (0, len(labels)) or not np.array_equal(np.sort(rest), np.arange(len(rest)))


def nothing_twice(picked, rest):
    return len(np.intersect1d(picked, rest)) == 0 and all(len(np.unique(i)) == len(i) for i in (picked, rest))


def nothing_lost(picked, rest, labels):
    return np.isin(np.arange(len(labels)), np.concatenate([picked, rest])).all()


def of_part(holds, text, part="picked", case="digits"):
    return fits(case, [part], ["labels", "per_class"], holds, text)


def not_alone(results):
    """Both parts came back; if not, the finding says which of them."""
    if "rest" in results.actual.get("digits", {}).get("tensors", {"rest": "an error is another check's"}):
        return None
    is_rest = of_part(not_all_the_others, "the rest came back alone")(results)
    return is_rest or Finding("picked came back alone", "digits")


def one_pass(labels, per_class):
    """A loop that counts, from the end."""
    seen, picked, rest = {}, [], []
    for index in reversed(range(len(labels))):
        label = int(labels[index])
        seen[label] = seen.get(label, 0) + 1
        (picked if seen[label] <= per_class else rest).append(index)
    if min(seen.values()) < per_class:
        rare = min(seen, key=seen.get)
        raise ValueError(f"there are {seen[rare]} images of class {rare}, and per_class is {per_class}")
    return torch.tensor(picked), torch.tensor(rest, dtype=torch.int64)


EXACT = of_part(counts_are_exact, "picked does not contain exactly per_class of every class")
NONE_LOST = fits("digits", ["picked", "rest"], ["labels"], nothing_lost, "some image is in neither part")
COUNTS, EACH_ONCE, ANY_LABELS = "per_class of every class", "nothing lost, nothing twice", "labels of any kind"
REFUSED = "too few of a class are refused"

SPLIT_PER_CLASS = Exercise(
    id="split_per_class",
    title="A stratified split",
    reference=reference.split_per_class,
    cases=(
        case("digits", 7, {0: 29, 1: 11, 2: 13, 3: 17}),
        case("labels with gaps", 5, {21: 7, 3: 5, -1: 13, 5: 11}),
        case("nothing left", 3, {0: 3, 1: 3}),
        case("nothing left of other classes", 2, {9: 2, 4: 2}),
        case("too few of a class", 17, {6: 19, 31: 13, 2: 23}),
    ),
    criteria=(
        Criterion(
            COUNTS,
            1.25,
            not_alone,
            of_part(not_a_table, "picked has a row for each class"),
            of_part(not_classes, "picked holds the classes"),
            is_true(
                "digits",
                ["picked", "rest"],
                are_indices,
                "picked and rest are not tensors of indices (int64, one axis)",
            ),
            where(
                of_part(are_places, "picked are no places"),
                of_part(counts_are_not(1), "picked contains one image too many of every class"),
                of_part(counts_are_not(-1), "picked contains one image too few of every class"),
                of_part(has(3), "picked contains nothing of the last class"),
                of_part(has(0), "picked contains nothing of class 0"),
            ),
            where(
                of_part(are_places, "rest are no places", "rest"),
                either(of_part(counts_are_not(0), "rest contains per_class of every class", "rest"), EXACT),
            ),
            EXACT,
        ),
        Criterion(
            EACH_ONCE,
            0.75,
            is_true("digits", ["picked", "rest"], not_the_same, "rest is the same as picked"),
            either(
                fits("digits", ["rest"], ["labels"], not_from_zero, "rest is 0, 1, 2, … as far as it goes"), NONE_LOST
            ),
            is_true("digits", ["picked", "rest"], nothing_twice, "some image is listed twice"),
            NONE_LOST,
        ),
        Criterion(
            ANY_LABELS,
            0.25,
            of_part(has(21), "the class 21 is never picked", case="labels with gaps"),
            of_part(counts_are_exact, "with the classes −1, 3, 5 and 21 the counts are wrong", case="labels with gaps"),
            where(NONE_LOST, fits("labels with gaps", ["picked", "rest"], ["labels"], nothing_lost, LOST_OF_MINUS_ONE)),
        ),
        Criterion(REFUSED, 0.25, raises("too few of a class", "ValueError", "17", "13", "31")),
        common_criterion(0.5, is_true("digits", ["picked"], lambda picked: True, "nothing came back")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "drawn at random",
            CLASS_AFTER_CLASS
            | {
                "[:per_class]": "[torch.randperm(count)[:per_class]]",
                "one_class in classes": "one_class, count in zip(classes, counts.tolist())",
            },
        ),
        one_pass,
    ),
)
