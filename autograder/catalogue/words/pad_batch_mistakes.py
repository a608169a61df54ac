"""What goes wrong in `pad_batch`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

LENGTHS, LONGEST = "lengths = [len(expect(", "max(lengths, default=0)"
FULL = "tokens = torch.full((len(lengths), longest), pad, dtype=torch.int64)"
WRITTEN = "tokens[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.int64)"
MASK, RETURN = "padding_mask(lengths, longest)", "return tokens, padding_mask(lengths, longest)"
ROW = "What is the row of the list [5, 7] in a batch whose longest list has four ids?"
SEEN = "Which entries of that row are real, and does it matter which ids they hold?"
RESULT = "What comes back, in which order and of which dtypes?"


MISTAKES = (
    *with_question(
        ROW,
        mistake(
            "padded in front",
            {
                WRITTEN: WRITTEN.replace("row, : len(sequence)", "row, longest - len(sequence) :"),
                MASK: f"{MASK}.flip(1)",
            },
        ).because("Your padding stands in front of the ids; it comes behind."),
        mistake("one column more", {LONGEST: f"{LONGEST} + 1"}, "Your batch has a column of padding alone."),
        mistake("sorted by length", {LENGTHS: f"sequences = sorted(sequences, key=len)\n    {LENGTHS}"}).because(
            "You sort the lists; row b must be list b."
        ),
        mistake("transposed", {RETURN: "return tokens.T, padding_mask(lengths, longest).T"}).because(
            "Your tensors are [T, B]; they are [B, T]."
        ),
        mistake("pad ignored", {", pad, dtype": ", 0, dtype"}, "You fill up with 0, whatever pad is."),
        mistake("filled with −1", {", pad, dtype": ", -1, dtype"}, "You fill up with −1; pad says with what."),
    ),
    *with_question(
        SEEN,
        mistake("the mask by comparing", {MASK: "tokens != pad"}).because(
            "You compare with pad: an id that equals it inside a list is real."
        ),
        mistake("the mask by comparing with 0", {MASK: "tokens != 0"}).because(
            "You compare with 0: pad may be another id, and 0 may be real."
        ),
        mistake("inverted mask", {MASK: f"~{MASK}"}, "Your mask marks the padding; True is a real token."),
        mistake("all real", {MASK: "torch.ones_like(tokens, dtype=torch.bool)"}, "Your mask is True everywhere."),
        mistake("the last token hidden", {MASK: "padding_mask([n - 1 for n in lengths], longest)"}).because(
            "Your mask hides the last real token."
        ),
    ),
    mistake("empty lists left out", {LENGTHS: f"sequences = [s for s in sequences if s]\n    {LENGTHS}"}).because(
        "You leave empty lists out; then row b is no longer list b.",
        "How many rows has a batch of three sentences, one of them empty?",
    ),
    mistake("an empty list has one real token", {MASK: "padding_mask([max(n, 1) for n in lengths], longest)"}).because(
        "An empty list has a real token in your mask; it has none.", SEEN
    ),
    *with_question(
        RESULT,
        mistake(
            "tokens as floats",
            {RETURN: "return tokens.float(), padding_mask(lengths, longest)"},
            shown_by="tokens is float32, expected int64",
        ).because("Your tokens are floats; ids are int64."),
        mistake(
            "tokens as int32",
            {RETURN: "return tokens.int(), padding_mask(lengths, longest)"},
            shown_by="tokens is int32, expected int64",
        ).because("Your tokens are int32; ids are int64."),
        mistake("the mask as numbers", {MASK: f"{MASK}.long()"}, "Your mask holds numbers; it is boolean."),
        mistake("the mask first", {RETURN: "return padding_mask(lengths, longest), tokens"}).because(
            "You return the mask first; the tokens come first."
        ),
        mistake("tokens alone", {RETURN: "return tokens"}, "You return the tokens alone; the mask is due as well."),
        mistake("lengths instead of the mask", {MASK: "torch.tensor(lengths)"}).because(
            "You return the lengths; the mask is [B, T]."
        ),
    ),
    overwrites(
        "sequences",
        {WRITTEN: f"sequence.extend([pad] * (longest - len(sequence)))\n        {WRITTEN}"},
        "`x += y` and `append` write into the caller's own lists.",
        "the caller's lists filled up",
    ),
    mistake(
        "cut to the shortest",
        {
            LONGEST: "min(lengths)",
            WRITTEN: WRITTEN.replace("torch.tensor(sequence,", "torch.tensor(sequence[:longest],"),
        },
    ).because("You cut all lists to the length of the shortest; nothing may be lost.", "Which list decides on T?"),
)
