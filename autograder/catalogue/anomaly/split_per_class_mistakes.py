"""What goes wrong in `split_per_class`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

HOW_MANY = "With 3 classes and per_class = 4: how many images of each class are picked, and how many in all?"
OF_A_CLASS = "torch.where(labels == one_class)[0][:per_class]"
PICKED = f"torch.cat([{OF_A_CLASS} for one_class in classes])"
FIRST, REST = "torch.where(is_picked)[0]", "torch.where(~is_picked)[0]"
MESSAGE = 'f"per_class ({per_class}) must not exceed the images of any class; {rare} has {count}"'
RETURN = "    return torch"
LOST_OF_MINUS_ONE = "with the classes −1, 3, 5 and 21 some image is in neither part"
CLASS_AFTER_CLASS = {FIRST: "picked"}  # not brought in order, as most would write it

MISTAKES = (
    mistake("one image of each class", {"[:per_class]": "[:1]"}).because(
        "You pick one image of each class. Pick per_class of them.", "Where do you use per_class?"
    ),
    mistake("the first images, whatever their class", {PICKED: "torch.arange(per_class * len(classes))"}).because(
        "You take the first images of all classes together; take per_class of each class.", HOW_MANY
    ),
    mistake(
        "random images, whatever their class",
        {
            f"picked = {PICKED}": "order, size = torch.randperm(len(labels)), per_class * len(classes)\n"
            "    return order[:size], order[size:]"
        },
    ).because("You take random images of all classes together; take per_class of each class.", HOW_MANY),
    mistake(
        "in proportion to the class",
        CLASS_AFTER_CLASS
        | {
            "[:per_class]": "[: round(per_class * len(classes) / len(labels) * count)]",
            "one_class in classes": "one_class, count in zip(classes, counts.tolist())",
        },
    ).because("You take the same share of every class; take the same number instead.", HOW_MANY),
    *(
        mistake(
            f"one too {many} of each",
            {"[:per_class]": f"[: per_class {step}]"},
            shown_by=f"picked contains one image too {many} of every class",
        ).because(f"You take one image {more} of each class than per_class; take exactly per_class.", HOW_MANY)
        for many, more, step in (("many", "more", "+ 1"), ("few", "less", "- 1"))
    ),
    mistake(
        "last class forgotten", {"in classes": "in classes[:-1]"}, shown_by="picked contains nothing of the last class"
    ).because("Your picked lacks the last class; go through all classes.", "How many classes does your loop visit?"),
    mistake(
        "class 0 left out", {"in classes": "in classes if one_class"}, shown_by="picked contains nothing of class 0"
    ).because(
        "Your picked lacks class 0; 0 is a class like any other.",
        "Where does your loop start, and what is `if 0`?",
    ),
    mistake("rest is everything", {REST: "torch.arange(len(labels))"}, shown_by="some image is listed twice").because(
        "Your rest contains the picked images too, so the model would be tested on what it has seen; leave them out.",
        "May an image be in both parts?",
    ),
    mistake("mask not inverted", {REST: FIRST}, shown_by="rest is the same as picked").because(
        "Your two parts are both the picked images; the rest is where the mask is False.", "Where is `~is_picked` true?"
    ),
    mistake("rest as small as picked", {REST: PICKED.replace("[:per_class]", "[per_class : 2 * per_class]")}).because(
        "Your rest contains only per_class of every class; put all remaining images in it.",
        "How many images should picked and rest have together?",
    ),
    mistake("rest of the last class", {REST: "torch.where(labels == classes[-1])[0][per_class:]"}).because(
        "Your rest contains images of the last class only. Put the remaining images of every class in it.",
        "How many images should picked and rest have together?",
    ),
    mistake(
        "drawn with replacement",
        CLASS_AFTER_CLASS
        | {OF_A_CLASS: "(places := torch.where(labels == one_class)[0])[torch.randint(len(places), (per_class,))]"},
    ).because(
        "You draw with replacement, so an image can come twice; draw without replacement.",
        "Which function returns a random order in which every number occurs once?",
    ),
    mistake(
        "parts exchanged", {f"{FIRST}, {REST}": f"{REST}, {FIRST}"}, shown_by="rest contains per_class of every class"
    ).because(
        "You return (rest, picked); return (picked, rest).",
        "In which order does the docstring name the two parts?",
    ),
    mistake("masks instead of indices", {FIRST: "is_picked", REST: "~is_picked"}).because(
        "You return boolean masks; return the indices where they are True.",
        "What does torch.where return for a mask?",
    ),
    mistake(
        "labels instead of indices",
        {FIRST: "labels[is_picked]", REST: "labels[~is_picked]"},
        shown_by="picked holds the classes",
    ).because("You return the classes of the picked images; return their indices.", "What would features[picked] be?"),
    mistake("labels instead of indices in the rest", {REST: "labels[~is_picked]"}).because(
        "Your rest holds the classes of the remaining images; return their indices.", "What would features[rest] be?"
    ),
    *(
        mistake(
            f"{what} of each class",
            CLASS_AFTER_CLASS | {REST: PICKED.replace("[:per_class]", f"[per_class {step} 1 :]")},
        ).because(says, "In a class of 7 images with per_class = 4: which of them are in rest?")
        for what, step, says in (
            (
                "a gap after the picked",
                "+",
                "You leave out one image of each class: it is neither in picked nor in rest. Start rest at per_class.",
            ),
            (
                "an overlap with the picked",
                "-",
                "The last picked image of each class is in your rest too. Start rest at per_class.",
            ),
        )
    ),
    mistake(
        "a row for each class",
        CLASS_AFTER_CLASS | {"torch.cat(": "torch.stack("},
        shown_by="picked has a row for each class",
    ).because(
        "Your picked has one row per class, so features[picked] would have one axis too many; join the rows.",
        "Which of torch.stack and torch.cat adds an axis?",
    ),
    mistake(
        "only right for sorted labels",
        {PICKED: "torch.cat([torch.arange(start, start + per_class) for start in counts.cumsum(0) - counts])"},
    ).because(
        "You assume that the labels are sorted; the images of a class can be anywhere.",
        "At which indices are the images of class 1 in [1, 0, 1, 0]?",
    ),
    mistake(
        "picked images marked by a class",
        CLASS_AFTER_CLASS
        | {
            "torch.zeros_like(labels, dtype=torch.bool)": "labels.clone()",
            "is_picked[picked] = True": "is_picked[picked] = -1\n    is_picked = is_picked == -1",
        },
        shown_by=LOST_OF_MINUS_ONE,
    ).because(
        "You mark the picked images by a number, such as −1, that may be a class itself; use a boolean mask.",
        "Which numbers may a class have?",
    ),
    mistake(
        "a percentage of each class",
        CLASS_AFTER_CLASS
        | {
            "[:per_class]": "[: count * per_class // 100]",
            "one_class in classes": "one_class, count in zip(classes, counts.tolist())",
        },
    ).because("You take per_class as a percentage of each class; it is a number of images.", HOW_MANY),
    mistake(
        "classes counted from zero", {"in classes": "in range(len(classes))"}, shown_by="the class 21 is never picked"
    ).because(
        "You go through 0, 1, 2, …; a class may have any number, so go through labels.unique().",
        "Which classes are there in [5, 2, 5]?",
    ),
    mistake("no rest", {f", {REST}": ""}, shown_by="picked came back alone").because(
        "You return only the picked images; return the rest too.",
        "What will the model be tested on?",
    ),
    mistake("rest alone", {f"{FIRST}, ": ""}, shown_by="the rest came back alone").because(
        "You return only the rest; return the picked images before it.",
        "Which two things does the docstring say the function returns?",
    ),
    mistake("lists instead of tensors", {FIRST: f"{FIRST}.tolist()", REST: f"{REST}.tolist()"}).because(
        "You return Python lists; return index tensors, with torch.tensor(…).",
        "What do torch.where and torch.cat return, and which line converts it to a list?",
    ),
    overwrites("labels", {RETURN: f"    labels[picked] = -1\n{RETURN}"}, "after the split they are gone."),
    mistake(
        "indices of 32 bits",
        {FIRST: f"{FIRST}.int()", REST: f"{REST}.int()"},
        shown_by="picked is int32, expected int64",
    ).because(
        "Your indices are int32; return int64, as torch.where and torch.arange do.",
        "What is the dtype of torch.where(…)[0]?",
    ),
    mistake(
        "nothing refused", {"if counts.min() < per_class:": "if False:"}, shown_by="no ValueError was raised"
    ).because(
        "You split a class with fewer than per_class images, so picked has too few of it; raise a ValueError.",
        "What should happen if per_class is 7 and a class has 5 images?",
    ),
    mistake("an assert in its place", {"raise ValueError(": "raise AssertionError("}).because(
        "You raise an AssertionError. Raise a ValueError.", "What happens to an assert under python -O?"
    ),
    mistake(
        "an error without its numbers",
        {MESSAGE: '"too few"'},
        shown_by="the message of ValueError does not mention 17, 13, 31",
    ).because(
        "Your error doesn't name both numbers. Name per_class and the size of the class that is too small.",
        "Which two numbers would you like to read in the error?",
    ),
    mistake(
        "the last image named as the one before it",
        {"torch.where(~is_picked)[0]": "torch.where(~is_picked)[0].clamp(max=len(labels) - 2)"},
    ).because(
        "Your rest repeats the last image but one, and leaves out the last. List every image once.",
        "How many different images are in the two parts together?",
    ),
    mistake(
        "rest renumbered",
        {REST: "torch.arange(len(labels) - len(classes) * per_class)"},
        shown_by="rest is 0, 1, 2, … as far as it goes",
    ).because(
        "Your rest counts from 0; keep each image's index in labels.",
        "Which of the five images are left in the docstring's example?",
    ),
    mistake(
        "floats if nothing is left",
        {REST: f"torch.tensor({REST}.tolist())"},
        shown_by="rest is float32, expected int64",
    ).because(
        "If every image is picked, your rest is float32, because torch.tensor([]) sees no integers; pass "
        "dtype=torch.int64.",
        "What is the dtype of torch.tensor([])?",
    ),
    mistake("rest as a mask", {REST: "~is_picked"}).because(
        "Your rest is a boolean mask; return the indices where it is True.", "What does torch.where return for a mask?"
    ),
)
