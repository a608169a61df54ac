"""What goes wrong in `sample_anomaly_sets`. No two submissions draw alike: most rows are shown by a finding."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites, switches
from autograder.catalogue.edits import mistake

WHICH_CLASSES = "With 4 classes and an odd one of class 2: from which classes may the others come, and how often each?"
TARGET = "torch.randint(set_size, (size,), generator=generator, device=device)"
SMALLEST_KEYS = "key.masked_fill(~is_member, 2.0).topk(set_size - 1, largest=False).indices"
CLASS_AFTER_CLASS = "class_of.argsort(stable=True)"
NORMAL = f"{CLASS_AFTER_CLASS}[start[other, None] + member]"
FIRST_LINE = "    size, device ="
OTHER_KEYS, OTHER_STEPS = {"key = ": "key = 1 - "}, {"+ step)": "- step)"}  # as fair: known by what else they do
MESSAGE = """f"sets of {set_size} need two classes or more, each with at least {set_size - 1} images; "
            f"there are {len(classes)}, the smallest with {counts.min().item()}\""""

MISTAKES = (
    *(
        mistake(
            f"the odd one always {place}",
            {TARGET: f"torch.full_like(anomaly_index, {index})"},
            shown_by=f"the odd one is always {place}",
        ).because(
            f"The odd one is always {place}: a model that looks at the place and never at the image reaches 100 %.",
            "If a model always answered with the same place, how often would it be right?",
        )
        for place, index in (("last", "set_size - 1"), ("first", "0"))
    ),
    mistake(
        "one place left out", {"randint(set_size,": "randint(set_size - 1,"}, shown_by="the odd one is never last"
    ).because(
        "The odd one is never last: `torch.randint` leaves out its upper end already.",
        "What is the largest number that torch.randint(4, …) can give?",
    ),
    mistake(
        "some places likelier than others",
        {TARGET: "(torch.rand(size, generator=generator) * (set_size - 1)).round().long()"},
    ),
    mistake(
        "one place for the whole batch",
        {TARGET: "torch.randint(set_size, (1,), generator=generator).expand(size)"},
        "The odd one stands at the same place in every set: one place is used for the whole batch.",
        "How many targets do you draw for a batch of B sets?",
        shown_by="the odd one of every set stands at one place",
    ),
    mistake(
        "shuffled after the target was noted",
        {
            TARGET: "torch.full_like(anomaly_index, set_size - 1)",
            "    return features": "    order = torch.rand(indices.shape, generator=generator).argsort(dim=1)\n"
            "    indices = indices.gather(1, order)\n    return features",
        },
        "You note where the odd one stands and shuffle afterwards: the target is no longer true.",
        "What happens to the target when you permute the set?",
        shown_by="the target is the same for all sets, and the odd one stands elsewhere",
    ),
    mistake(
        "target drawn, odd one not moved",
        {"- target[:, None]": "+ torch.ones_like(target)[:, None]"},
        "You draw a target but leave the odd one at the end: the two have nothing to do with each other.",
        "Which line puts the odd image at the target?",
        shown_by="the odd one stays at one place, whatever the target says",
    ),
    mistake(
        "target as an image", {"], target,": "], anomaly_index.clone(),"}, shown_by="target is the number of the image"
    ).because(
        "Your target says which image is the odd one; asked for is its place in the set, 0 … S − 1.",
        "Between which two numbers does a place lie in a set of five?",
    ),
    mistake("target counted from one", {"], target,": "], target + 1,"}, shown_by="target is too large by 1").because(
        "Your target is too large by 1: places count from 0, as the classes of a softmax do.",
        "What is the target when the odd one is the first?",
    ),
    mistake(
        "another image than the one given",
        {"[anomaly_index[:, None], normal]": f"[{CLASS_AFTER_CLASS}[start[class_of[anomaly_index], None]], normal]"},
    ),
    mistake(
        "the odd one's own class allowed",
        {"randint(1, len(classes)": "randint(len(classes)"},
        shown_by="the others may be of the odd one's class",
    ).because("The others may come from the odd one's own class; then nothing in the set is odd.", WHICH_CLASSES),
    mistake(
        "others of many classes",
        {NORMAL: "(class_of != class_of[anomaly_index, None]).float().multinomial(set_size - 1, generator=generator)"},
        shown_by="the others are of several classes",
    ).because(
        "The others are from different classes, so every image of the set is odd.", "How many classes does a set hold?"
    ),
    mistake(
        "always the next class",
        {"+ step)": "+ 1)"},
        shown_by="a class stands against one other class, and never against the rest",
    ).because("The others always come from the class after that of the odd one.", WHICH_CLASSES),
    mistake(
        "classes counted from zero",
        {"(class_of[anomaly_index] + step)": "(labels[anomaly_index] + step)"},
        "You take the labels for 0, 1, 2, …; a class may have any number, so count with labels.unique().",
        "Which classes are there in [5, 2, 5], and which number has each among them?",
        shown_by="with the classes 3, 8 and 21 the sets are wrong",
    ),
    mistake(
        "one class never drawn",
        {"randint(1, len(classes)": "randint(1, len(classes) - 1"},
        shown_by="some class never stands against some other",
    ).because("One class never comes: `torch.randint` leaves out its upper end already.", WHICH_CLASSES),
    mistake(
        "an image may come twice",
        {SMALLEST_KEYS: "(key[:, : set_size - 1] * counts[other, None]).long()"},
        "You draw the members one by one and put them back: the same image can stand twice in a set.",
        "Which function gives a random order in which every number stands once?",
        shown_by="an image stands twice in a set",
    ),
    mistake(
        "always the first images",
        {SMALLEST_KEYS: "torch.arange(set_size - 1)"},
        "You always take the first images of a class; all the others are never seen.",
        "How many different images of a class appear in your sets?",
        shown_by="the others are always the same few images",
    ),
    mistake(
        "neighbours in the list",
        {SMALLEST_KEYS: "(torch.arange(set_size - 1) + (key[:, :1] * 99).long()) % counts[other, None]"},
        "You cut a random piece out of the list of a class, so the same images always come together.",
        "How many different sets can you make of 9 images this way?",
        shown_by="the same images always come together",
    ),
    mistake(
        "the same company for the whole batch",
        {"torch.rand(size, ": "torch.rand(1, "},
        "You draw one order of each class and use it for every set of the batch.",
        "How many orders do you draw for a batch of B sets?",
        shown_by="the others are always the same few images within a batch",
    ),
    mistake(
        "generator not used",
        {"generator=generator, ": ""},
        "Your draws come from the global generator, so they cannot be repeated with the one you were given.",
        "Which line of your code hands on `generator`?",
        times=3,
        shown_by="a generator in the same state gives other sets",
    ),
    mistake(
        "generator set back",
        {FIRST_LINE: f"    generator = torch.Generator().manual_seed(generator.initial_seed())\n{FIRST_LINE}"},
        "You seed the generator in every call: each batch of the training holds the same sets.",
        "What should a second call with the same generator give?",
        shown_by="the same generator gives the same sets again and again",
    ),
    mistake(
        "sets in another order than indices",
        {"return features[indices]": "return features[torch.cat([anomaly_index[:, None], normal], dim=1)]"},
    ),
    mistake(
        "positions within the class", {NORMAL: "member"}, shown_by="the indices of the others count within a class"
    ).because(
        "Your indices count within a class; they should count among all images.",
        "Of which list is your index a position, and of which should it be?",
    ),
    mistake(
        "one image too many",
        {FIRST_LINE: f"    set_size += 1\n{FIRST_LINE}"},
        shown_by="a set holds one image too many",
    ).because("Your sets hold set_size others and the odd one.", "How many of the set_size images are not odd?"),
    mistake(
        "target as one-hot vectors",
        {"], target,": "], F.one_hot(target, set_size),"},
        "Your target is a row of zeros with a one; asked for is the place, a number for each set.",
        "What does F.cross_entropy take as its target?",
        shown_by="target is not one whole number for each set",
    ),
    mistake(
        "needs one image more than it uses",
        {"topk(set_size - 1, largest=False).indices": "topk(set_size, largest=False).indices[:, 1:]"},
        "You draw set_size images of a class and drop one, so a class of set_size − 1 images is not enough.",
        "How many images of the other class does a set need?",
        shown_by="a class of set_size − 1 images is not enough",
    ),
    mistake(
        "target and indices exchanged",
        {"], target, indices": "], indices, target"},
        "You return the indices before the target; the target comes second.",
        "In which order does the docstring name what is returned?",
        shown_by="target and indices have changed places",
    ),
    switches(
        "random seed",
        "everybody's random numbers seeded",
        {FIRST_LINE: f"    torch.manual_seed(11)\n{FIRST_LINE}", **OTHER_KEYS},
        "torch.manual_seed seeds everybody's random numbers, the dropout of the training among them.",
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
        "With one class only, or too few images of a class, there are no such sets: a ValueError should say so.",
        "What should happen when sets of 10 are asked for, and a class has 8 images?",
        shown_by="no ValueError was raised",
    ),
    mistake("an error without its numbers", {MESSAGE: '"too few"'}),
    mistake(
        "turned the wrong way",
        {"- target[:, None]": "+ target[:, None]"},
        shown_by="the odd one stands at −target, counted around",
    ).because(
        "You turn the rows the wrong way round: the odd one lands as far from the end as target says.",
        "A row of five with the odd one first: which place does each image get when target is 1?",
    ),
    mistake(
        "one step for the whole batch",
        {"randint(1, len(classes), (size,)": "randint(1, len(classes), (1,)"},
        shown_by="all sets of a batch take the same step to another class",
    ).because(
        "You draw once which other class comes, and use it for every set of the batch.",
        "How many classes do you draw for a batch of B sets?",
    ),
    mistake(
        "the end of a class left out",
        {"counts[other, None]  # [B, largest class]": "counts.min()"},
        shown_by="the last images of a class never stand among the others",
    ).because(
        "You draw among the first few images of a class, as many as the smallest has: the others are never seen.",
        "Of a class with 9 images, which ones can your draw give?",
    ),
    mistake(
        "the first place left out", {"randint(set_size,": "randint(1, set_size,"}, shown_by="the odd one is never first"
    ).because(
        "The odd one is never first: places count from 0.",
        "What is the smallest number that torch.randint(1, 5, …) can give?",
    ),
    mistake(
        "the global generator seeded",
        {FIRST_LINE: f"    generator = torch.manual_seed(42)\n{FIRST_LINE}"},
        shown_by="the same generator gives the same sets again and again",
    ).because(
        "You seed everybody's random numbers, and draw the same sets in each call; draw from the generator itself.",
        "Which line of your code hands on `generator`?",
    ),
)
