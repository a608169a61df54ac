"""What goes wrong in `bucket_batches`. No two submissions draw alike: rows are shown by what is found."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

PLACES = "places = torch.randperm(len(lengths), generator=generator).tolist()"
SORTED_PLACES = "sorted(places, key=lambda place: lengths[place])"
FITS = "(len(batches[-1]) + 1) * lengths[place] <= max_tokens"
RETURN = "return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]"
WIDE, AGAIN = "a batch contains more than max_tokens", "a generator in the same state gives different batches"
ONE_ROW_MORE = "the batches have room only without their last row"
SUMS = "the lengths of a batch add up to at most max_tokens, but its rows × longest don't"
BY_ROWS = "a batch has as many rows as max_tokens"
BY_SHORTEST = "rows × shortest is at most max_tokens, but rows × longest isn't"
NOT_QUITE = "the batches contain less than max_tokens, never exactly as many"
ONE_ROW_LESS = "exactly one more row would fit in the batches"
EQUAL_ROWS = "every batch has as many rows as the longest sequence allows"
UPWARDS, DOWNWARDS = "the batches come from short to long", "the batches come from long to short"
OTHER_COMPANY = "a generator in the same state puts other sentences of equal length together"
OTHER_ORDER = "a generator in the same state gives the batches in another order"
OTHER_INSIDE = "a generator in the same state gives the indices of a batch in another order"
SORTED_INDICES = "the indices of the batches are right only for sorted lengths"
SO_FAR = "rows × longest is at most max_tokens only without the longest row"
EQUAL_ONLY = "a batch ends where the length changes, though another sequence would fit"
ALONE = "every batch holds a single sequence"
HARDLY = "most batches still come from short to long, or from long to short"
TWICE = "the same generator gives the same batches again and again"
NO_MORE, PADDED, MISSING = (
    "another sequence would fit",
    "more than 5 % are padding",
    "an index is missing, or occurs twice",
)
EMPTY, EMPTY_BEFORE_LONG = "a batch is empty", "a batch is empty where no sequence fits"
SAME_ORDER, SAME_COMPANY = "the batches come in the same order each time", "the same sentences share a batch each time"
ROOM = "How many numbers does a padded batch contain, given its rows and its longest sequence?"
ORDER = "In which order should the sequences be when you fill batches, and in which the batches afterwards?"


MISTAKES = (
    *with_question(
        ROOM,
        mistake("the limit passed by one row", {"+ 1) *": ") *"}, shown_by=ONE_ROW_MORE).because(
            "You test whether the batch fits without the next sequence; include it."
        ),
        mistake(
            "real tokens counted, not padding",
            {FITS: "sum(lengths[i] for i in batches[-1]) + lengths[place] <= max_tokens"},
            shown_by=SUMS,
        ).because("You add up the lengths; multiply the rows by the longest, because every row is padded to it."),
        mistake("rows counted, not tokens", {FITS: "len(batches[-1]) < max_tokens"}, shown_by=BY_ROWS).because(
            "You use max_tokens as the number of rows; it limits rows × longest."
        ),
        mistake(
            "as many rows in every batch",
            {FITS: "len(batches[-1]) < max(1, max_tokens // max(lengths))"},
            shown_by=EQUAL_ROWS,
        ).because("You give all batches as many rows as the longest sequence allows; put more short ones in a batch."),
        mistake("room for one left", {"+ 1) *": "+ 2) *"}, shown_by=ONE_ROW_LESS).because(
            "Your batches end although one more sequence would fit; add it."
        ),
        mistake("less than max_tokens", {"<= max_tokens": "< max_tokens"}, shown_by=NOT_QUITE).because(
            "You leave a batch of exactly max_tokens incomplete; allow it."
        ),
        mistake(
            "from the longest down, by the newcomer's length",
            {SORTED_PLACES: SORTED_PLACES.replace("lengths[place]", "-lengths[place]")},
            shown_by=BY_SHORTEST,
        ).because(
            "You multiply the rows of a batch by its shortest length; multiply by the longest, because every row is "
            "padded to it."
        ),
        mistake(
            "the longest so far decides", {"* lengths[place]": "* lengths[batches[-1][-1]]"}, shown_by=SO_FAR
        ).because(
            "You multiply by the longest length of the batch before the next sequence is in it; that one is as long or "
            "longer, so multiply by its length."
        ),
        mistake(
            "equal lengths only", {FITS: f"lengths[batches[-1][0]] == lengths[place] and {FITS}"}, shown_by=EQUAL_ONLY
        ).because(
            "You put only sequences of equal length in a batch; go on with the next length while another sequence fits."
        ),
        mistake("one sequence in each batch", {FITS: "False"}, shown_by=ALONE).because(
            "Each of your batches holds a single sequence; add the next ones while they fit."
        ),
        mistake(
            "long sequences left out",
            {SORTED_PLACES: f"(p for p in {SORTED_PLACES} if lengths[p] <= max_tokens)"},
            shown_by=MISSING,
        ).because("You leave out a sequence longer than max_tokens; give it a separate batch."),
        mistake(
            "the first of each batch decides", {"* lengths[place]": "* lengths[batches[-1][0]]"}, shown_by=BY_SHORTEST
        ).because(
            "You multiply the rows of a batch by its shortest length; multiply by the longest, because every row is "
            "padded to it."
        ),
    ),
    *with_question(
        ORDER,
        mistake(
            "not sorted",
            {SORTED_PLACES: "places", "* lengths[place]": "* max(lengths[i] for i in [*batches[-1], place])"},
            shown_by=PADDED,
        ).because("You put short and long sequences in one batch, so most of it is padding; sort by length first."),
        mistake("not sorted, by the newcomer's length", {SORTED_PLACES: "places"}).because(
            "You do not sort the sequences, and treat the length of the newcomer as the longest; sort by length first."
        ),
        mistake(
            "sorted by place",
            {SORTED_PLACES: "sorted(places)", "* lengths[place]": "* max(lengths[i] for i in [*batches[-1], place])"},
            shown_by=PADDED,
        ).because("You sort the indices themselves; sort them by their lengths."),
        mistake("batches in the order of their lengths", {RETURN: "return batches"}, shown_by=UPWARDS).because(
            "Your batches come from short to long in every epoch; shuffle them."
        ),
        mistake("batches from long to short", {RETURN: "return batches[::-1]"}, shown_by=DOWNWARDS).because(
            "Your batches come from long to short in every epoch; shuffle them."
        ),
        mistake(
            "batches shuffled alike each time",
            {RETURN: f"generator = torch.Generator().manual_seed(0)\n    {RETURN}"},
            shown_by=SAME_ORDER,
        ).because("You put the batches in the same order in every epoch; draw a new order from `generator` each time."),
        *(
            mistake(name, {RETURN: returned}, shown_by=HARDLY).because(
                "You change the order of the batches only a little, so most of them still follow each other by length; "
                "draw a random order of all batches, as with torch.randperm."
            )
            for name, returned in (
                (
                    "batches only rotated",
                    "k = int(torch.randint(len(batches), (1,), generator=generator))\n"
                    "    return batches[k:] + batches[:k]",
                ),
                (
                    "one batch put first",
                    "k = int(torch.randint(len(batches), (1,), generator=generator))\n"
                    "    return [batches[k], *batches[:k], *batches[k + 1 :]]",
                ),
                (
                    "neighbouring batches exchanged",
                    "pairs = [batches[k : k + 2] for k in range(0, len(batches), 2)]\n"
                    "    turned = torch.rand(len(pairs), generator=generator) < 0.5\n"
                    "    return [b for pair, turn in zip(pairs, turned) for b in (pair[::-1] if turn else pair)]",
                ),
            )
        ),
        mistake(
            "indices into the sorted lengths",
            {PLACES: f"lengths = sorted(lengths)\n    {PLACES}"},
            shown_by=SORTED_INDICES,
        ).because(
            "Your indices count in the sorted list of lengths; sort the indices by their lengths, so that they count "
            "in `lengths` itself."
        ),
        mistake(
            "indices shuffled after all",
            {
                RETURN: "mixed = torch.randperm(len(lengths), generator=generator).tolist()\n"
                "    return [[mixed.pop() for _ in batch] for batch in batches]"
            },
            shown_by=WIDE,
        ).because("You shuffle the sorted indices; shuffle the batches instead."),
    ),
    *with_question(
        "Two sequences of one length: what decides which of them comes first?",
        mistake(
            "equal lengths in the order in which they come",
            {PLACES: "places = range(len(lengths))"},
            shown_by=SAME_COMPANY,
        ).because(
            "You keep the order of the text among equal lengths, so the same sentences share a batch in every "
            "epoch; shuffle them."
        ),
    ),
    *with_question(
        "Which of your lines draw random numbers, and from which generator?",
        mistake(
            "the generator not used",
            {PLACES: PLACES.replace(", generator=generator", ""), RETURN: RETURN.replace(", generator=generator", "")},
            shown_by=AGAIN,
        ).because("You draw from torch's global generator; draw from the one passed to you."),
        mistake(
            "batches shuffled from elsewhere",
            {RETURN: RETURN.replace(", generator=generator", "")},
            shown_by=OTHER_ORDER,
        ).because("You draw the order of the batches from another generator; draw from the one passed to you."),
        mistake(
            "equal lengths shuffled from elsewhere",
            {PLACES: PLACES.replace(", generator=generator", "")},
            shown_by=OTHER_COMPANY,
        ).because("You draw the order of equal lengths from another generator; draw from the one passed to you."),
        mistake(
            "each batch shuffled from elsewhere",
            {
                RETURN: RETURN.replace(
                    "[batches[i]", "[[batches[i][k] for k in torch.randperm(len(batches[i])).tolist()]"
                )
            },
            shown_by=OTHER_INSIDE,
        ).because("You shuffle the indices inside each batch with another generator; draw from the one passed to you."),
        mistake(
            "always the same batches",
            {PLACES: f"generator = torch.Generator().manual_seed(0)\n    {PLACES}"},
            shown_by=SAME_COMPANY,
        ).because("Your draws do not depend on the generator; draw from it."),
        mistake(
            "always from the generator's first state",
            {PLACES: f"generator = torch.Generator().manual_seed(generator.initial_seed())\n    {PLACES}"},
            shown_by=TWICE,
        ).because("You restart from the generator's seed each time, so every epoch is the same; do not seed it."),
    ),
    *with_question(
        "Which indices are in your batches, and how often?",
        mistake(
            "the last batch lost", {RETURN: f"batches = batches[:-1] or batches\n    {RETURN}"}, shown_by=MISSING
        ).because("You lose the last batch; append it."),
        mistake(
            "lengths instead of places",
            {RETURN: RETURN.replace("batches[i]", "[lengths[k] for k in batches[i]]")},
            shown_by=MISSING,
        ).because("Your batches contain lengths; return indices into the list of lengths."),
        mistake(
            "an empty batch before a long sequence",
            {"batches = []": "batches = [[]]", "if batches and (": "if ("},
            shown_by=EMPTY_BEFORE_LONG,
        ).because(
            "If even the shortest sequence is longer than max_tokens, you close a batch that is still empty. Close a "
            "batch only if it contains an index."
        ),
        mistake("an empty batch", {RETURN: f"batches.append([])\n    {RETURN}"}, shown_by=EMPTY).because(
            "One of your batches is empty. Close a batch only if it contains an index."
        ),
        mistake(
            "a sequence in two batches",
            {"batches.append([place])": "batches.append([*batches[-1][-1:], place] if batches else [place])"},
            shown_by=MISSING,
        ).because("You put the sequence that no longer fits in two batches; put it only in the next."),
    ),
    *with_question(
        "What does the docstring say the function returns?",
        mistake("tensors instead of lists", {RETURN: RETURN.replace("batches[i]", "torch.tensor(batches[i])")}).because(
            "Your batches are tensors; return lists of ints."
        ),
        mistake("numbers that are tensors", {PLACES: PLACES.replace(".tolist()", "")}).because(
            "Your indices are tensors of one number; convert them to ints with `.tolist()`."
        ),
    ),
    overwrites(
        "lengths",
        {RETURN: f"lengths.sort()\n    {RETURN}"},
        "they no longer belong to their sentences.",
        "lengths sorted in place",
    ),
)
