"""What goes wrong in `padding_mask`."""

from autograder.catalogue.attention.shared import of_another_kind
from autograder.catalogue.edits import asked, wrong
from autograder.catalogue.slips import overwrites

COMPARED, WIDTH = "positions < lengths[:, None]", "int(lengths.max())"
SORTED = "as_tensor(lengths).sort(descending=True).values"
NO_LIST = "a list of lengths is not taken"

MISTAKES = (
    *asked(
        "A sequence of length 3 has positions 0, 1 and 2: which entries of its row are True?",
        wrong("inverted mask", {"positions <": "positions >="}, "Your mask marks the padding; True is a real token."),
        wrong("one token too many", {"positions <": "positions <="}, "The first padding position counts as real."),
        wrong("one token too few", {"positions <": "positions + 1 <"}, "The last real token is hidden."),
        wrong("the last token only", {COMPARED: "positions == lengths[:, None] - 1"}).because(
            "You show the last real token alone."
        ),
        wrong("padded on the left", {COMPARED: f"({COMPARED}).flip(-1)"}).because(
            "The real tokens stand at the end of your rows."
        ),
    ),
    *asked(
        "How wide must the mask be: with max_len, and without?",
        wrong("max_len ignored", {" if max_len is None else max_len": ""}, "The width is that of the longest, always."),
        wrong("one column more", {WIDTH: f"{WIDTH} + 1"}, "Without max_len your mask has a column too many."),
        wrong(
            "as wide as the first sequence", {WIDTH: "int(lengths[0])"}, "The first decides, where the longest should."
        ),
        wrong("as wide as there are sequences", {WIDTH: "len(lengths)"}, "Your mask has a column for each sequence."),
    ),
    *asked(
        "Which of the two axes counts the sequences, and whose row is the first one?",
        wrong("rows and columns exchanged", {COMPARED: "positions[:, None] < lengths"}, "Your mask is [max_len, B]."),
        wrong("sorted by length", {"as_tensor(lengths)": SORTED}).because(
            "You sort the lengths: row b must belong to sequence b."
        ),
    ),
    wrong("an empty slice from the end", {COMPARED: "positions < lengths[:, None] % max_len"}).because(
        "Where nothing is to be hidden, your slice `[-0:]` takes the whole row, and all is hidden.",
        "What does `x[-n:]` give when n is 0?",
    ),
    wrong("tensors only", {"torch.as_tensor(lengths)": "lengths"}, shown_by=NO_LIST).because(
        "Your code asks the lengths for something that only a tensor has; they may come as a list too.",
        "What does `torch.as_tensor` make of a list, and what of a tensor?",
    ),
    overwrites(
        "lengths",
        {"    positions = ": "    lengths -= 1\n    positions = ", "positions <": "positions <="},
        "counted down in place, they are others after the call.",
    ),
    *of_another_kind(COMPARED, "[B, max_len]", "[:, None, None]"),
    wrong("as wide as the last sequence", {WIDTH: "int(lengths[-1])"}).because(
        "The last decides, where the longest should.", "How wide is the batch that this mask is for?"
    ),
)
