"""What goes wrong in `bucket_batches`. No two submissions draw alike: rows are shown by what is found."""

from autograder.catalogue.edits import wrong

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
CHANGED = "the argument lengths is another one after the call"
ROOM = "How many numbers does a padded batch hold, given its rows and its longest sequence?"
ORDER = "In which order should the sequences be when you fill batches, and in which the batches afterwards?"


def rows(question, *told):
    """Rows (name, edits, what shows it, what is said)."""
    return tuple(wrong(name, edits, shown_by=shown).because(says, question) for name, edits, shown, says in told)


MISTAKES = (
    *rows(
        ROOM,
        (
            "the limit passed by one row",
            {"+ 1) *": ") *"},
            WIDE,
            "You ask whether the batch fits before the next sequence is in it.",
        ),
        (
            "real tokens counted, not padding",
            {FITS: "sum(lengths[i] for i in batches[-1]) + lengths[place] <= max_tokens"},
            WIDE,
            "You add up the lengths; padded, every row is as long as the longest.",
        ),
        (
            "rows counted, not tokens",
            {FITS: "len(batches[-1]) < max_tokens"},
            WIDE,
            "max_tokens is no number of rows: it is rows × longest.",
        ),
        (
            "as many rows in every batch",
            {FITS: "len(batches[-1]) < max(1, max_tokens // max(lengths))"},
            NO_MORE,
            "All your batches have as many rows as the longest sequence allows; short ones leave room for more.",
        ),
        (
            "room for one left",
            {"+ 1) *": "+ 2) *"},
            NO_MORE,
            "Your batches end although one more sequence would fit.",
        ),
        (
            "less than max_tokens",
            {"<= max_tokens": "< max_tokens"},
            NO_MORE,
            "A batch may hold just max_tokens; yours holds less.",
        ),
        (
            "long sequences left out",
            {SORTED_PLACES: f"(p for p in {SORTED_PLACES} if lengths[p] <= max_tokens)"},
            MISSING,
            "You leave out a sequence longer than max_tokens; it gets a batch of its own.",
        ),
        (
            "the first of each batch decides",
            {"* lengths[place]": "* lengths[batches[-1][0]]"},
            WIDE,
            "You multiply by the length of the first sequence, the shortest; the longest of a batch decides.",
        ),
    ),
    *rows(
        ORDER,
        (
            "not sorted",
            {SORTED_PLACES: "places", "* lengths[place]": "* max(lengths[i] for i in [*batches[-1], place])"},
            PADDED,
            "Short and long sequences stand in one batch: most of it is padding.",
        ),
        (
            "sorted by place",
            {SORTED_PLACES: "sorted(places)", "* lengths[place]": "* max(lengths[i] for i in [*batches[-1], place])"},
            PADDED,
            "You sort the places themselves; their lengths are the key.",
        ),
        (
            "batches in the order of their lengths",
            {RETURN: "return batches"},
            SAME_ORDER,
            "Your batches come from short to long in every epoch; they are shuffled as well.",
        ),
        (
            "batches from long to short",
            {RETURN: "return batches[::-1]"},
            SAME_ORDER,
            "Your batches come from long to short in every epoch; they are shuffled as well.",
        ),
        (
            "indices shuffled after all",
            {
                RETURN: "mixed = torch.randperm(len(lengths), generator=generator).tolist()\n"
                "    return [[mixed.pop() for _ in batch] for batch in batches]"
            },
            WIDE,
            "You shuffle the indices and not the batches: what was sorted is mixed again.",
        ),
    ),
    *rows(
        "Two sequences of one length: what decides which of them comes first?",
        (
            "equal lengths in the order in which they come",
            {PLACES: "places = range(len(lengths))"},
            SAME_COMPANY,
            "Among equal lengths the order of the text decides, so that the same sentences meet in every epoch.",
        ),
    ),
    *rows(
        "Which of your lines draw random numbers, and from which generator?",
        (
            "the generator not used",
            {PLACES: PLACES.replace(", generator=generator", ""), RETURN: RETURN.replace(", generator=generator", "")},
            AGAIN,
            "You draw from torch's own generator: the seed of the one that was passed decides nothing.",
        ),
        (
            "batches shuffled from elsewhere",
            {RETURN: RETURN.replace(", generator=generator", "")},
            AGAIN,
            "The order of your batches is drawn from another generator than the one that was passed.",
        ),
        (
            "always the same batches",
            {PLACES: f"generator = torch.Generator().manual_seed(0)\n    {PLACES}"},
            SAME_ORDER,
            "Your draws are the same whatever the generator.",
        ),
        (
            "always from the generator's first state",
            {PLACES: f"generator = torch.Generator().manual_seed(generator.initial_seed())\n    {PLACES}"},
            TWICE,
            "You begin again from the generator's seed each time: every epoch is the same.",
        ),
    ),
    *rows(
        "Which indices are in your batches, and how often?",
        (
            "the last batch lost",
            {RETURN: f"batches = batches[:-1] or batches\n    {RETURN}"},
            MISSING,
            "Your last batch is lost.",
        ),
        (
            "lengths instead of places",
            {RETURN: RETURN.replace("batches[i]", "[lengths[k] for k in batches[i]]")},
            MISSING,
            "Your batches hold lengths; they hold places in the list of lengths.",
        ),
        (
            "a sequence in two batches",
            {"batches.append([place])": "batches.append([*batches[-1][-1:], place] if batches else [place])"},
            MISSING,
            "The sequence that no longer fits is in two batches.",
        ),
        (
            "places from 1",
            {
                "].append(place)": "].append(place + 0)",
                RETURN: RETURN.replace("batches[i]", "[k + 1 for k in batches[i]]"),
            },
            MISSING,
            "You count from 1.",
        ),
    ),
    *rows(
        "What does the docstring say that comes back?",
        (
            "tensors instead of lists",
            {RETURN: RETURN.replace("batches[i]", "torch.tensor(batches[i])")},
            None,
            "Your batches are tensors; they are lists of ints.",
        ),
        (
            "numbers that are tensors",
            {PLACES: PLACES.replace(".tolist()", "")},
            None,
            "Your indices are tensors of one number: `.tolist()` makes ints of them.",
        ),
    ),
    wrong("lengths sorted in place", {RETURN: f"lengths.sort()\n    {RETURN}"}, shown_by=CHANGED).because(
        "You sort the caller's lengths: they no longer belong to their sentences.", "Who else holds this list?"
    ),
)
