"""What goes wrong in `sample_anomaly_sets` with the others of a set, and with the draws; and all its mistakes.

No two submissions draw alike: most rows are shown by a finding.
"""

from autograder.catalogue.anomaly.sample_anomaly_sets_odd_one_mistakes import (
    CLASS_AFTER_CLASS,
    FIRST_LINE,
    OF_THE_ODD_ONE,
)
from autograder.catalogue.common_mistakes import in_double_precision, overwrites, switches
from autograder.catalogue.edits import mistake

WHICH_CLASSES = "With 4 classes and an odd one of class 2: from which classes may the others come, and how often each?"
SMALLEST_KEYS = "key.masked_fill(~is_member, 2.0).topk(set_size - 1, largest=False).indices"
NORMAL = f"{CLASS_AFTER_CLASS}[start[other, None] + member]"
OTHER_KEYS, OTHER_STEPS = {"key = ": "key = 1 - "}, {"+ step)": "- step)"}  # as fair: known by what else they do
MESSAGE = """f"sets of {set_size} need two classes or more, each with at least {set_size - 1} images; "
            f"there are {len(classes)}, the smallest with {counts.min().item()}\""""

MISTAKES = OF_THE_ODD_ONE + (
    mistake(
        "the odd one's own class allowed",
        {"randint(1, len(classes)": "randint(len(classes)"},
        shown_by="the others may be of the odd one's class",
    ).because(
        "Your others may come from the odd one's own class; exclude it, or nothing in the set is odd.", WHICH_CLASSES
    ),
    mistake(
        "others of many classes",
        {NORMAL: "(class_of != class_of[anomaly_index, None]).float().multinomial(set_size - 1, generator=generator)"},
        shown_by="the others are of several classes",
    ).because(
        "Your others are from different classes, so every image of the set is odd; draw them from one class.",
        "How many classes does a set contain?",
    ),
    mistake(
        "always the next class",
        {"+ step)": "+ 1)"},
        shown_by="a class stands against one other class, and never against the rest",
    ).because(
        "Your others always come from the same class for each class of the odd one, such as the next class; draw "
        "their class.",
        WHICH_CLASSES,
    ),
    mistake(
        "classes counted from zero",
        {"(class_of[anomaly_index] + step)": "(labels[anomaly_index] + step)"},
        shown_by="with the classes −1, 8 and 21 the sets are wrong",
    ).because(
        "You treat the labels as 0, 1, 2, …; a class may have any number, so use labels.unique().",
        "Which classes are there in [5, 2, 5], and which number has each among them?",
    ),
    mistake(
        "one class never drawn",
        {"randint(1, len(classes)": "randint(1, len(classes) - 1"},
        shown_by="some class is never combined with some other",
    ).because(
        "You never draw one of the classes. `torch.randint` already excludes its upper end: do not subtract 1 from it.",
        WHICH_CLASSES,
    ),
    mistake(
        "one class never drawn, unless there are two",
        {"randint(1, len(classes)": "randint(1, max(2, len(classes) - 1)"},
        shown_by="some class is never combined with some other",
    ).because(
        "You never draw one of the classes. `torch.randint` already excludes its upper end: do not subtract 1 from it.",
        WHICH_CLASSES,
    ),
    mistake(
        "an image may come twice",
        {SMALLEST_KEYS: "(key[:, : set_size - 1] * counts[other, None]).long()"},
        shown_by="an image is in a set twice",
    ).because(
        "You draw the members with replacement, so an image can be in a set twice; draw without replacement.",
        "Which function returns a random order in which every number occurs once?",
    ),
    mistake(
        "always the first images",
        {SMALLEST_KEYS: "torch.arange(set_size - 1)"},
        shown_by="the others are always the same few images",
    ).because(
        "You always take the first images of a class; draw from all of them.",
        "How many different images of a class appear in your sets?",
    ),
    mistake(
        "neighbours in the list",
        {SMALLEST_KEYS: "(torch.arange(set_size - 1) + (key[:, :1] * 99).long()) % counts[other, None]"},
        shown_by="the same images always come together",
    ).because(
        "You cut a random slice out of a class's list, so the same images always come together; draw each image.",
        "How many different sets can you make of 9 images this way?",
    ),
    mistake(
        "the same company for the whole batch",
        {"torch.rand(size, ": "torch.rand(1, "},
        shown_by="the others are always the same few images within a batch",
    ).because(
        "You draw one order per class for the whole batch; draw one per set.",
        "How many orders do you draw for a batch of B sets?",
    ),
    mistake(
        "generator not used",
        {"generator=generator, ": ""},
        times=3,
        shown_by="a generator in the same state gives different sets",
    ).because(
        "You draw from the global generator; draw from the one passed to you.",
        "Which line of your code passes on `generator`?",
    ),
    mistake(
        "generator set back",
        {FIRST_LINE: f"    generator = torch.Generator().manual_seed(generator.initial_seed())\n{FIRST_LINE}"},
        shown_by="the same generator gives the same sets again and again",
    ).because(
        "You seed the generator in every call, so every batch contains the same sets; do not seed it.",
        "What should a second call with the same generator return?",
    ),
    mistake(
        "sets in another order than indices",
        {"return features[indices]": "return features[torch.cat([anomaly_index[:, None], normal], dim=1)]"},
        shown_by="the images of sets are in another order than indices",
    ).because(
        "The rows of your sets are in a different order from `indices`. Return features[indices].",
        "Which image is features[indices][0, 0]?",
    ),
    mistake(
        "positions within the class", {NORMAL: "member"}, shown_by="the indices of the others count within a class"
    ).because(
        "Your indices count within a class; return indices into all images.",
        "Which list does your index refer to, and which should it refer to?",
    ),
    mistake(
        "one image too many",
        {FIRST_LINE: f"    set_size += 1\n{FIRST_LINE}"},
        shown_by="a set contains one image too many",
    ).because(
        "Your sets contain set_size others and the odd one; take one fewer of the others.",
        "How many of the set_size images are not odd?",
    ),
    mistake(
        "needs one image more than it uses",
        {"topk(set_size - 1, largest=False).indices": "topk(set_size, largest=False).indices[:, 1:]"},
        shown_by="a class of set_size − 1 images is not enough",
    ).because(
        "Your sets are wrong, or refused, if there are only two classes and one has set_size − 1 images. If you draw "
        "set_size images of a class and drop one, draw set_size − 1 instead.",
        "How many images of the other class does a set need?",
    ),
    mistake(
        "target and indices exchanged",
        {"], target, indices": "], indices, target"},
        shown_by="target and indices are swapped",
    ).because(
        "You return the indices before the target; return the target second.",
        "In which order does the docstring name what is returned?",
    ),
    switches(
        "random seed",
        "everybody's random numbers seeded",
        {FIRST_LINE: f"    torch.manual_seed(11)\n{FIRST_LINE}", **OTHER_KEYS},
        "torch.manual_seed seeds the global random numbers, including the dropout of the training.",
    ),
    overwrites(
        "labels",
        {FIRST_LINE: f"    labels[anomaly_index] = -1\n{FIRST_LINE}", **OTHER_STEPS},
        "the next sets are drawn from other classes.",
    ),
    in_double_precision(
        "sets",
        {"return features[indices]": "return features.double()[indices]", **OTHER_KEYS, **OTHER_STEPS},
        "sets in double precision",
    ),
    mistake(
        "nothing refused",
        {"if len(classes) < 2 or counts.min() < set_size - 1:": "if False:"},
        shown_by="no ValueError was raised",
    ).because(
        "You accept a single class, or too few images of a class, for which no set exists; raise a ValueError.",
        "What should happen if set_size is 10 and a class has 8 images?",
    ),
    mistake(
        "an error without its numbers",
        {MESSAGE: '"too few"'},
        shown_by="the message of ValueError does not mention 5, 1",
    ).because(
        "Your error doesn't name the numbers. Name set_size, the number of classes and the size of the smallest class.",
        "Which numbers would you like to read in the error?",
    ),
    mistake(
        "one step for the whole batch",
        {"randint(1, len(classes), (size,)": "randint(1, len(classes), (1,)"},
        shown_by="all sets of a batch take the same step to another class",
    ).because(
        "You draw the step to the other class once per batch; draw it for every set.",
        "How many classes do you draw for a batch of B sets?",
    ),
    mistake(
        "the end of a class left out",
        {"counts[other, None]  # [B, largest class]": "counts.min()"},
        shown_by="the last images of a class are never among the others",
    ).because(
        "You never draw the last images of a class for the others; draw among all images of the class.",
        "Of a class with 9 images, which ones can your draw give?",
    ),
    mistake(
        "the global generator seeded",
        {FIRST_LINE: f"    generator = torch.manual_seed(42)\n{FIRST_LINE}"},
        shown_by="the same generator gives the same sets again and again",
    ).because(
        "You seed the global random numbers and draw the same sets in each call; draw from the generator itself.",
        "Which line of your code passes on `generator`?",
    ),
)
