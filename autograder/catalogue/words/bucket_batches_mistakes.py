"""What goes wrong in `bucket_batches`. No two submissions draw alike: rows are shown by what is found."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

PLACES = "places = torch.randperm(len(lengths), generator=generator).tolist()"
SORTED_PLACES = "sorted(places, key=lambda place: lengths[place])"
FITS = "(len(batches[-1]) + 1) * lengths[place] <= max_tokens"
RETURN = "return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]"
WIDE, AGAIN = "a batch holds more than max_tokens", "a generator in the same state gives other batches"
TWICE = "the same generator gives the same batches again and again"
NO_MORE, PADDED, MISSING = (
    "another sequence would fit",
    "more than 5 % are padding",
    "an index is missing, or there twice",
)
SAME_ORDER, SAME_COMPANY = "the batches come in the same order each time", "the same sentences meet each time"
ROOM = "How many numbers does a padded batch hold, given its rows and its longest sequence?"
ORDER = "In which order should the sequences be when you fill batches, and in which the batches afterwards?"


MISTAKES = (
    *with_question(
        ROOM,
        mistake("the limit passed by one row", {"+ 1) *": ") *"}, shown_by=WIDE).because(
            "You ask whether the batch fits before the next sequence is in it."
        ),
        mistake(
            "real tokens counted, not padding",
            {FITS: "sum(lengths[i] for i in batches[-1]) + lengths[place] <= max_tokens"},
            shown_by=WIDE,
        ).because("You add up the lengths; padded, every row is as long as the longest."),
        mistake("rows counted, not tokens", {FITS: "len(batches[-1]) < max_tokens"}, shown_by=WIDE).because(
            "max_tokens is no number of rows: it is rows × longest."
        ),
        mistake(
            "as many rows in every batch",
            {FITS: "len(batches[-1]) < max(1, max_tokens // max(lengths))"},
            shown_by=NO_MORE,
        ).because("All your batches have as many rows as the longest sequence allows; short ones leave room for more."),
        mistake("room for one left", {"+ 1) *": "+ 2) *"}, shown_by=NO_MORE).because(
            "Your batches end although one more sequence would fit."
        ),
        mistake("less than max_tokens", {"<= max_tokens": "< max_tokens"}, shown_by=NO_MORE).because(
            "A batch may hold just max_tokens; yours holds less."
        ),
        mistake(
            "long sequences left out",
            {SORTED_PLACES: f"(p for p in {SORTED_PLACES} if lengths[p] <= max_tokens)"},
            shown_by=MISSING,
        ).because("You leave out a sequence longer than max_tokens; it gets a batch of its own."),
        mistake(
            "the first of each batch decides", {"* lengths[place]": "* lengths[batches[-1][0]]"}, shown_by=WIDE
        ).because("You multiply by the length of the first sequence, the shortest; the longest of a batch decides."),
    ),
    *with_question(
        ORDER,
        mistake(
            "not sorted",
            {SORTED_PLACES: "places", "* lengths[place]": "* max(lengths[i] for i in [*batches[-1], place])"},
            shown_by=PADDED,
        ).because("Short and long sequences stand in one batch: most of it is padding."),
        mistake(
            "sorted by place",
            {SORTED_PLACES: "sorted(places)", "* lengths[place]": "* max(lengths[i] for i in [*batches[-1], place])"},
            shown_by=PADDED,
        ).because("You sort the places themselves; their lengths are the key."),
        mistake("batches in the order of their lengths", {RETURN: "return batches"}, shown_by=SAME_ORDER).because(
            "Your batches come from short to long in every epoch; they are shuffled as well."
        ),
        mistake(
            "indices shuffled after all",
            {
                RETURN: "mixed = torch.randperm(len(lengths), generator=generator).tolist()\n"
                "    return [[mixed.pop() for _ in batch] for batch in batches]"
            },
            shown_by=WIDE,
        ).because("You shuffle the indices and not the batches: what was sorted is mixed again."),
    ),
    *with_question(
        "Two sequences of one length: what decides which of them comes first?",
        mistake(
            "equal lengths in the order in which they come",
            {PLACES: "places = range(len(lengths))"},
            shown_by=SAME_COMPANY,
        ).because("Among equal lengths the order of the text decides, so that the same sentences meet in every epoch."),
    ),
    *with_question(
        "Which of your lines draw random numbers, and from which generator?",
        mistake(
            "the generator not used",
            {PLACES: PLACES.replace(", generator=generator", ""), RETURN: RETURN.replace(", generator=generator", "")},
            shown_by=AGAIN,
        ).because("You draw from torch's own generator: the seed of the one that was passed decides nothing."),
        mistake(
            "batches shuffled from elsewhere", {RETURN: RETURN.replace(", generator=generator", "")}, shown_by=AGAIN
        ).because("The order of your batches is drawn from another generator than the one that was passed."),
        mistake(
            "always the same batches",
            {PLACES: f"generator = torch.Generator().manual_seed(0)\n    {PLACES}"},
            shown_by=SAME_ORDER,
        ).because("Your draws are the same whatever the generator."),
        mistake(
            "always from the generator's first state",
            {PLACES: f"generator = torch.Generator().manual_seed(generator.initial_seed())\n    {PLACES}"},
            shown_by=TWICE,
        ).because("You begin again from the generator's seed each time: every epoch is the same."),
    ),
    *with_question(
        "Which indices are in your batches, and how often?",
        mistake(
            "the last batch lost", {RETURN: f"batches = batches[:-1] or batches\n    {RETURN}"}, shown_by=MISSING
        ).because("Your last batch is lost."),
        mistake(
            "lengths instead of places",
            {RETURN: RETURN.replace("batches[i]", "[lengths[k] for k in batches[i]]")},
            shown_by=MISSING,
        ).because("Your batches hold lengths; they hold places in the list of lengths."),
        mistake(
            "a sequence in two batches",
            {"batches.append([place])": "batches.append([*batches[-1][-1:], place] if batches else [place])"},
            shown_by=MISSING,
        ).because("The sequence that no longer fits is in two batches."),
    ),
    *with_question(
        "What does the docstring say that comes back?",
        mistake("tensors instead of lists", {RETURN: RETURN.replace("batches[i]", "torch.tensor(batches[i])")}).because(
            "Your batches are tensors; they are lists of ints."
        ),
        mistake("numbers that are tensors", {PLACES: PLACES.replace(".tolist()", "")}).because(
            "Your indices are tensors of one number: `.tolist()` makes ints of them."
        ),
    ),
    overwrites(
        "lengths",
        {RETURN: f"lengths.sort()\n    {RETURN}"},
        "they no longer belong to their sentences.",
        "lengths sorted in place",
    ),
)
