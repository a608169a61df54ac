"""What goes wrong in `sample_anomaly_sets` with the odd one: which image it is, its place, and the target."""

from autograder.catalogue.edits import mistake

TARGET = "torch.randint(set_size, (size,), generator=generator, device=device)"
CLASS_AFTER_CLASS = "class_of.argsort(stable=True)"
FIRST_LINE = "    size, device ="

OF_THE_ODD_ONE = (
    *(
        mistake(
            f"the odd one always {place}",
            {TARGET: f"torch.full_like(anomaly_index, {index})"},
            shown_by=f"the odd one is always {place}",
        ).because(
            f"Your odd one is always {place}, so a model that only looks at the place reaches 100 %; draw the place.",
            "If a model always answered with the same place, how often would it be right?",
        )
        for place, index in (("last", "set_size - 1"), ("first", "0"))
    ),
    mistake(
        "one place left out", {"randint(set_size,": "randint(set_size - 1,"}, shown_by="the odd one is never last"
    ).because(
        "Your odd one is never last; draw from all places. `torch.randint` already excludes its upper end: do not "
        "subtract 1 from it.",
        "What is the largest number that torch.randint(4, …) can return?",
    ),
    mistake(
        "some places more likely than others",
        {TARGET: "(torch.rand(size, generator=generator) * (set_size - 1)).round().long()"},
    ).because(
        "Some places of the odd image are more likely than others in your sets. Draw the place "
        "with torch.randint(set_size, …).",
        "How often does each place come up in 10,000 draws?",
    ),
    mistake(
        "places of a permutation",
        {TARGET: "torch.randperm(size, generator=generator) % set_size"},
        shown_by="in small batches some places come up too often",
    ).because(
        "In a small batch some of your places come up too often, as they do if you shuffle 0, 1, 2, …; draw each "
        "place independently, with torch.randint(set_size, …).",
        "Which places can come up in a batch of a single set?",
    ),
    *(
        mistake(name, {TARGET: places}, shown_by="every batch has the same places").because(
            "Your places follow from the number of the set or of the image, so they are the same in every batch; draw "
            "them from the generator.",
            "Where does your target come from?",
        )
        for name, places in (
            ("places in turn", "torch.arange(size) % set_size"),
            ("the place from the image", "anomaly_index % set_size"),
        )
    ),
    mistake(
        "sets in another order",
        {
            FIRST_LINE: "    anomaly_index = anomaly_index[torch.randperm(len(anomaly_index), generator=generator)]\n"
            f"{FIRST_LINE}"
        },
        shown_by="the sets are in another order than anomaly_index",
    ).because(
        "You shuffle the sets; set b must be that of anomaly_index[b].",
        "Which image should be the odd one of set 0?",
    ),
    *(
        mistake(
            f"target as {dtype}", {"], target,": f"], target.{cast}(),"}, shown_by=f"target is {dtype}, expected int64"
        ).because(
            f"Your target is {dtype}; make it int64, as F.cross_entropy needs it.",
            "What does F.cross_entropy expect as its target?",
        )
        for dtype, cast in (("float32", "float"), ("int32", "int"))
    ),
    mistake(
        "one place for the whole batch",
        {TARGET: "torch.randint(set_size, (1,), generator=generator).expand(size)"},
        shown_by="the odd one of every set stands at one place",
    ).because(
        "You draw one place for the whole batch; draw one per set.",
        "How many targets do you draw for a batch of B sets?",
    ),
    mistake(
        "shuffled after the target was noted",
        {
            TARGET: "torch.full_like(anomaly_index, set_size - 1)",
            "    return features": "    order = torch.rand(indices.shape, generator=generator).argsort(dim=1)\n"
            "    indices = indices.gather(1, order)\n    return features",
        },
        shown_by="the target is the same for all sets, and the odd one is elsewhere",
    ).because(
        "You note the place of the odd one and shuffle afterwards, so the target is no longer true; shuffle first.",
        "What happens to the target when you permute the set?",
    ),
    mistake(
        "target drawn, odd one not moved",
        {"- target[:, None]": "+ torch.ones_like(target)[:, None]"},
        shown_by="the odd one stays at one place, regardless of the target",
    ).because(
        "You draw a target but leave the odd one at the end; put it at the target.",
        "Which line puts the odd image at the target?",
    ),
    mistake(
        "target as an image", {"], target,": "], anomaly_index.clone(),"}, shown_by="target is the number of the image"
    ).because(
        "Your target is the number of the odd image; return its place in the set, 0 … S − 1.",
        "What are the smallest and the largest place in a set of five?",
    ),
    mistake("target counted from one", {"], target,": "], target + 1,"}, shown_by="target is too large by 1").because(
        "Your target is too large by 1; count places from 0.",
        "What is the target if the odd one is first?",
    ),
    mistake(
        "another image than the one given",
        {"[anomaly_index[:, None], normal]": f"[{CLASS_AFTER_CLASS}[start[class_of[anomaly_index], None]], normal]"},
        shown_by="the image at the target is another one of its class",
    ).because(
        "Your odd image is a different image of its class. Use the one in anomaly_index.",
        "Which image should be the odd one of set 0?",
    ),
    mistake(
        "target as one-hot vectors",
        {"], target,": "], F.one_hot(target, set_size),"},
        shown_by="target is not one number for each set",
    ).because(
        "Your target is one-hot; return the place, one number per set.",
        "What does F.cross_entropy expect as its target?",
    ),
    mistake(
        "turned the wrong way",
        {"- target[:, None]": "+ target[:, None]"},
        shown_by="the odd one stands at −target, counted around",
    ).because(
        "You roll the rows in the wrong direction, so the odd one is target places from the end; roll them "
        "the other way.",
        "A row of five with the odd one first: which place does each image get when target is 1?",
    ),
    mistake(
        "the first place left out", {"randint(set_size,": "randint(1, set_size,"}, shown_by="the odd one is never first"
    ).because(
        "Your odd one is never first; draw places from 0.",
        "What is the smallest number that torch.randint(1, 5, …) can return?",
    ),
)
