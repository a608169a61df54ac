"""What goes wrong in `split_per_class`, and what a teaching assistant would say of it."""

import torch

from autograder.catalogue.exercise import Misconception

COUNTS, LOSSES, ANY = "per_class of every class", "nothing lost, nothing twice", "labels of any kind"
ALL = (COUNTS, LOSSES, ANY)
HOW_MANY = "With 3 classes and per_class = 4: how many images of each class are picked, and how many in all?"


def places_of(labels):
    """The places of each class."""
    return [torch.where(labels == one_class)[0] for one_class in labels.unique()]


def picked_and_rest(picked, labels):
    is_picked = torch.zeros(len(labels), dtype=torch.bool)
    is_picked[picked] = True
    return picked, torch.where(~is_picked)[0]


def first_images(labels, per_class):
    every = torch.arange(len(labels))
    size = per_class * len(labels.unique())
    return every[:size], every[size:]


def random_images(labels, per_class):
    every = torch.randperm(len(labels))
    size = per_class * len(labels.unique())
    return every[:size], every[size:]


def in_proportion(labels, per_class):
    share = per_class * len(labels.unique()) / len(labels)
    return picked_and_rest(torch.cat([p[: round(share * len(p))] for p in places_of(labels)]), labels)


def one_too_many(labels, per_class):
    return picked_and_rest(torch.cat([p[: per_class + 1] for p in places_of(labels)]), labels)


def one_too_few(labels, per_class):
    return picked_and_rest(torch.cat([p[: per_class - 1] for p in places_of(labels)]), labels)


def last_class_forgotten(labels, per_class):
    return picked_and_rest(torch.cat([p[:per_class] for p in places_of(labels)[:-1]]), labels)


def rest_is_everything(labels, per_class):
    picked = torch.cat([p[:per_class] for p in places_of(labels)])
    return picked, torch.arange(len(labels))


def rest_is_as_small(labels, per_class):
    places = places_of(labels)
    return torch.cat([p[:per_class] for p in places]), torch.cat([p[per_class : 2 * per_class] for p in places])


def rest_of_the_last_class(labels, per_class):
    for place in places_of(labels):
        rest = place[per_class:]
    return torch.cat([p[:per_class] for p in places_of(labels)]), rest


def drawn_with_replacement(labels, per_class):
    chosen = [p[torch.randint(len(p), (per_class,))] for p in places_of(labels)]
    return picked_and_rest(torch.cat(chosen), labels)


def exchanged(labels, per_class):
    picked, rest = picked_and_rest(torch.cat([p[:per_class] for p in places_of(labels)]), labels)
    return rest, picked


def as_masks(labels, per_class):
    is_picked = torch.zeros(len(labels), dtype=torch.bool)
    is_picked[torch.cat([p[:per_class] for p in places_of(labels)])] = True
    return is_picked, ~is_picked


def the_labels_themselves(labels, per_class):
    picked, rest = picked_and_rest(torch.cat([p[:per_class] for p in places_of(labels)]), labels)
    return labels[picked], labels[rest]


def a_table(labels, per_class):
    picked = torch.stack([p[:per_class] for p in places_of(labels)])
    return picked, picked_and_rest(picked.flatten(), labels)[1]


def places_among_sorted(labels, per_class):
    """Right for sorted labels only: the places are those in the sorted order."""
    ends = labels.unique(return_counts=True)[1].cumsum(0).tolist()
    starts = [0, *ends[:-1]]
    return picked_and_rest(torch.cat([torch.arange(start, start + per_class) for start in starts]), labels)


def labels_are_counted(labels, per_class):
    """Right when the labels are 0, 1, 2, …"""
    classes = range(len(labels.unique()))
    picked = torch.cat([torch.where(labels == one_class)[0][:per_class] for one_class in classes])
    return picked_and_rest(picked, labels)


def picked_alone(labels, per_class):
    return torch.cat([p[:per_class] for p in places_of(labels)])


def labels_crossed_off(labels, per_class):
    picked = []
    for one_class in labels.unique().tolist():
        for _ in range(per_class):
            picked.append(int((labels == one_class).int().argmax()))
            labels[picked[-1]] = -1
    return picked_and_rest(torch.tensor(picked), labels)


MISCONCEPTIONS = (
    Misconception(
        "the first images, whatever their class",
        first_images,
        "You take the first images of all; how many of each class that gives is luck.",
        HOW_MANY,
        (COUNTS, ANY),
    ),
    Misconception(
        "random images, whatever their class",
        random_images,
        "You take random images of all; how many of each class that gives is luck.",
        HOW_MANY,
        (COUNTS, ANY),
    ),
    Misconception(
        "in proportion to the class",
        in_proportion,
        "You take the same share of every class; asked for is the same number.",
        HOW_MANY,
        (COUNTS, ANY),
    ),
    Misconception(
        "one too many of each",
        one_too_many,
        "There is one image more of each class than per_class says.",
        HOW_MANY,
        (COUNTS, ANY),
        shown_by="picked holds one image too many of every class",
    ),
    Misconception(
        "one too few of each",
        one_too_few,
        "There is one image less of each class than per_class says.",
        HOW_MANY,
        (COUNTS, ANY),
        shown_by="picked holds one image too few of every class",
    ),
    Misconception(
        "last class forgotten",
        last_class_forgotten,
        "The last class is missing from picked.",
        "How many classes does your loop visit?",
        (COUNTS, ANY),
    ),
    Misconception(
        "rest holds everything",
        rest_is_everything,
        "The picked images are in the rest as well: the model would be tested on what it has seen.",
        "May an image stand in both parts?",
        (LOSSES,),
        shown_by="some image is named twice",
    ),
    Misconception(
        "rest as small as picked",
        rest_is_as_small,
        "Your rest holds per_class of every class too; all the others are in neither part.",
        "How long should picked and rest be together?",
        (LOSSES,),
    ),
    Misconception(
        "rest of the last class",
        rest_of_the_last_class,
        "Your rest is overwritten in each turn of the loop, so only that of the last class is left.",
        "How long should picked and rest be together?",
        (LOSSES,),
    ),
    Misconception(
        "drawn with replacement",
        drawn_with_replacement,
        "You draw each image anew, so the same one can come twice.",
        "Which function gives a random order in which every number stands once?",
        (LOSSES,),
    ),
    Misconception(
        "parts exchanged",
        exchanged,
        "The rest comes first and the picked images second; it should be the other way round.",
        "In which order does the docstring name the two parts?",
        (COUNTS, ANY),
        shown_by="rest holds per_class of every class",
    ),
    Misconception(
        "masks in the place of indices",
        as_masks,
        "These are boolean masks; asked for are the places where they are true.",
        "What does torch.where give for a mask?",
        (COUNTS, LOSSES),
    ),
    Misconception(
        "labels in the place of indices",
        the_labels_themselves,
        "These are the classes of the picked images; asked for is where the images stand.",
        "What would features[picked] be?",
        ALL,
        shown_by="picked holds the classes",
    ),
    Misconception(
        "a row for each class",
        a_table,
        "Your picked has a row for each class; features[picked] would get an axis too many.",
        "Which of torch.stack and torch.cat adds an axis?",
        (COUNTS, LOSSES),
        shown_by="picked has a row for each class",
    ),
    Misconception(
        "only right for sorted labels",
        places_among_sorted,
        "You count as if the labels were sorted; the images of a class stand anywhere.",
        "Where do the images of class 1 stand in [1, 0, 1, 0]?",
        (COUNTS, ANY),
    ),
    Misconception(
        "classes counted from zero",
        labels_are_counted,
        "You go through 0, 1, 2, …; a class may have any number, so go through labels.unique().",
        "Which classes are there in [5, 2, 5]?",
        (ANY,),
        shown_by="the class 21 is never picked",
    ),
    Misconception(
        "no rest",
        picked_alone,
        "The picked images come back alone; the others, all that are left over, belong beside them.",
        "What will the model be tested on?",
        (COUNTS, LOSSES),
        shown_by="“rest” did not come back",
    ),
    Misconception(
        "labels overwritten",
        labels_crossed_off,
        "You cross off labels in the caller's own tensor: after the split they are gone.",
        "Which of your lines writes into `labels` itself?",
        (LOSSES,),
        shown_by="the labels have been overwritten",
    ),
)
