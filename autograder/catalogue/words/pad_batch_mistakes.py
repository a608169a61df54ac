"""What goes wrong in `pad_batch`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

LENGTHS, LONGEST = "lengths = [len(expect(", "max(lengths, default=0)"
FULL = "tokens = torch.full((len(lengths), longest), pad, dtype=torch.int64)"
WRITTEN = "tokens[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.int64)"
MASK, RETURN = "padding_mask(lengths, longest)", "return tokens, padding_mask(lengths, longest)"
FLOATS_FOR_THE_FIRST, FLOATS_FOR_ANY, FLOATS_FOR_ALL = (
    f"the tokens are floats if {when} empty" for when in ("the first list is", "a list is", "all lists are")
)
ROW = "What is the row of the list [5, 7] in a batch whose longest list has four ids?"
SEEN = "Which entries of that row are real, and does it matter which ids they are?"
RESULT = "What does the function return, in which order and with which dtypes?"


MISTAKES = (
    *with_question(
        ROW,
        mistake(
            "padded in front",
            {
                WRITTEN: WRITTEN.replace("row, : len(sequence)", "row, longest - len(sequence) :"),
                MASK: f"{MASK}.flip(1)",
            },
        ).because("You put the padding before the ids; put it after them."),
        mistake(
            "padded in front, masked behind",
            {WRITTEN: WRITTEN.replace("row, : len(sequence)", "row, longest - len(sequence) :")},
        ).because(
            "You put the padding before the ids, and your mask says that it comes after them; put it after them."
        ),
        mistake("one column more", {LONGEST: f"{LONGEST} + 1"}).because(
            "Your batch has a column with nothing but padding; make it as wide as the longest list."
        ),
        mistake("sorted by length", {LENGTHS: f"sequences = sorted(sequences, key=len)\n    {LENGTHS}"}).because(
            "You sort the lists; row b must be list b."
        ),
        mistake(
            "sorted by length, the longest first",
            {LENGTHS: f"sequences = sorted(sequences, key=len, reverse=True)\n    {LENGTHS}"},
        ).because("You sort the lists; row b must be list b."),
        mistake("transposed", {RETURN: "return tokens.T, padding_mask(lengths, longest).T"}).because(
            "Your tensors are [T, B]; they are [B, T]."
        ),
        mistake("pad ignored", {", pad, dtype": ", 0, dtype"}).because("You always pad with 0; use `pad`."),
        mistake("filled with −1", {", pad, dtype": ", -1, dtype"}).because("You pad with −1; use `pad`."),
    ),
    *(
        mistake(
            f"padded in front, the mask by comparing with {what}",
            {WRITTEN: WRITTEN.replace("row, : len(sequence)", "row, longest - len(sequence) :"), MASK: mask},
        ).because(
            f"You put the padding before the ids, and your mask compares with {what}. Put it after them, and make the "
            "mask from the lengths.",
            ROW,
        )
        for what, mask in (("pad", "tokens != pad"), ("0", "tokens != 0"))
    ),
    *with_question(
        SEEN,
        mistake("the mask by comparing", {MASK: "tokens != pad"}).because(
            "You compare with pad; use the lengths, because an id equal to pad inside a list is real."
        ),
        mistake("the mask by comparing with 0", {MASK: "tokens != 0"}).because(
            "You compare with 0; use the lengths, because pad may be another id and 0 may be real."
        ),
        *(
            mistake(name, {MASK: f"padding_mask([{length} for s in sequences], longest)"}).because(
                f"{says}; use the lengths, because an id equal to pad inside a list is real."
            )
            for name, length, says in (
                (
                    "the mask up to the last id that is not pad",
                    "max((i + 1 for i, one in enumerate(s) if one != pad), default=0)",
                    "Your mask ends at the last id that isn't pad",
                ),
                (
                    "the mask up to the first pad",
                    "[*s, pad].index(pad)",
                    "Your mask ends at the first id that equals pad",
                ),
                (
                    "as many as are not pad",
                    "sum(one != pad for one in s)",
                    "Your mask has as many True as the list has ids other than pad",
                ),
            )
        ),
        mistake("inverted mask", {MASK: f"~{MASK}"}).because(
            "Your mask marks the padding; True must mark a real token."
        ),
        mistake("all real", {MASK: "torch.ones_like(tokens, dtype=torch.bool)"}).because(
            "Your mask is True everywhere; it must be False at the padding."
        ),
        mistake("one padding token real", {MASK: "torch.arange(longest) <= torch.tensor(lengths)[:, None]"}).because(
            "Your mask has one True too many after each shorter list; n ids are real at 0 to n − 1, so compare with <."
        ),
        mistake("the last token hidden", {MASK: "padding_mask([n - 1 for n in lengths], longest)"}).because(
            "Your mask hides the last real token; show it."
        ),
    ),
    mistake("empty lists left out", {LENGTHS: f"sequences = [s for s in sequences if s]\n    {LENGTHS}"}).because(
        "You leave empty lists out, so row b is no longer list b; keep them as rows of padding.",
        "How many rows does a batch of three sentences have if one is empty?",
    ),
    mistake("an empty list has one real token", {MASK: "padding_mask([max(n, 1) for n in lengths], longest)"}).because(
        "Your mask shows a real token for an empty list; it has none.", SEEN
    ),
    *with_question(
        RESULT,
        mistake(
            "tokens as floats",
            {RETURN: "return tokens.float(), padding_mask(lengths, longest)"},
            shown_by="tokens is float32, expected int64",
        ).because("Your tokens are floats; return int64."),
        mistake(
            "tokens as int32",
            {RETURN: "return tokens.int(), padding_mask(lengths, longest)"},
            shown_by="tokens is int32, expected int64",
        ).because("Your tokens are int32; return int64."),
        *(
            mistake(
                f"floats if {when}",
                {FULL: f"{FULL}\n    if {holds}:\n        tokens = tokens.float()"},
                shown_by=finding,
            ).because(f"Your tokens are floats if {when}, because torch.tensor([]) sees no integers; pass a dtype.")
            for when, holds, finding in (
                ("the first list is empty", "not lengths[0]", FLOATS_FOR_THE_FIRST),
                ("any list is empty", "not all(lengths)", FLOATS_FOR_ANY),
                ("all lists are empty", "not any(lengths)", FLOATS_FOR_ALL),
            )
        ),
        mistake("the mask as numbers", {MASK: f"{MASK}.long()"}).because(
            "Your mask contains numbers; return booleans."
        ),
        mistake("the mask with an axis for the queries", {MASK: f"{MASK}.unsqueeze(1)"}).because(
            "Your mask is [B, 1, T]; return [B, T]."
        ),
        mistake("the mask first", {RETURN: "return padding_mask(lengths, longest), tokens"}).because(
            "You return the mask first; return the tokens first."
        ),
        mistake("tokens alone", {RETURN: "return tokens"}).because("You return only the tokens; return the mask too."),
        mistake("lengths instead of the mask", {MASK: "torch.tensor(lengths)"}).because(
            "You return the lengths; return a mask [B, T]."
        ),
    ),
    overwrites(
        "sequences",
        {WRITTEN: f"sequence.extend([pad] * (longest - len(sequence)))\n        {WRITTEN}"},
        "`x += y` and `append` change the caller's own lists.",
        "the caller's lists filled up",
    ),
    mistake(
        "cut to the shortest",
        {
            LONGEST: "min(lengths)",
            WRITTEN: WRITTEN.replace("torch.tensor(sequence,", "torch.tensor(sequence[:longest],"),
        },
    ).because("You cut all lists to the length of the shortest; pad them to the longest.", "Which list determines T?"),
)
