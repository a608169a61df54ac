"""What goes wrong in `padding_mask`."""

from autograder.catalogue.attention.shared import of_another_kind
from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

COMPARED, WIDTH = "positions < lengths[:, None]", "int(lengths.max())"
SORTED = "as_tensor(lengths).sort(descending=True).values"
NO_LIST = "a list of lengths is not taken"

MISTAKES = (
    *with_question(
        "A sequence of length 3 has positions 0, 1 and 2: which entries of its row are True?",
        mistake("inverted mask", {"positions <": "positions >="}, "Your mask marks the padding; True is a real token."),
        mistake("one token too many", {"positions <": "positions <="}, "The first padding position counts as real."),
        mistake("one token too few", {"positions <": "positions + 1 <"}, "The last real token is hidden."),
        mistake("the last token only", {COMPARED: "positions == lengths[:, None] - 1"}).because(
            "You show the last real token alone."
        ),
        mistake("padded on the left", {COMPARED: f"({COMPARED}).flip(-1)"}).because(
            "The real tokens stand at the end of your rows."
        ),
    ),
    *with_question(
        "How wide must the mask be: with max_len, and without?",
        mistake(
            "max_len ignored", {" if max_len is None else max_len": ""}, "The width is that of the longest, always."
        ),
        mistake("one column more", {WIDTH: f"{WIDTH} + 1"}, "Without max_len your mask has a column too many."),
        mistake(
            "as wide as the first sequence", {WIDTH: "int(lengths[0])"}, "The first decides, where the longest should."
        ),
        mistake("as wide as there are sequences", {WIDTH: "len(lengths)"}, "Your mask has a column for each sequence."),
    ),
    *with_question(
        "Which of the two axes counts the sequences, and whose row is the first one?",
        mistake("rows and columns exchanged", {COMPARED: "positions[:, None] < lengths"}, "Your mask is [max_len, B]."),
        mistake("sorted by length", {"as_tensor(lengths)": SORTED}).because(
            "You sort the lengths: row b must belong to sequence b."
        ),
    ),
    mistake("an empty slice from the end", {COMPARED: "positions < lengths[:, None] % max_len"}).because(
        "Where nothing is to be hidden, your slice `[-0:]` takes the whole row, and all is hidden.",
        "What does `x[-n:]` give when n is 0?",
    ),
    mistake("tensors only", {"torch.as_tensor(lengths)": "lengths"}, shown_by=NO_LIST).because(
        "Your code asks the lengths for something that only a tensor has; they may come as a list too.",
        "What does `torch.as_tensor` make of a list, and what of a tensor?",
    ),
    overwrites(
        "lengths",
        {"    positions = ": "    lengths -= 1\n    positions = ", "positions <": "positions <="},
        "counted down in place, they are others after the call.",
    ),
    *of_another_kind(COMPARED, "[B, max_len]", "[:, None, None]"),
    mistake("as wide as the last sequence", {WIDTH: "int(lengths[-1])"}).because(
        "The last decides, where the longest should.", "How wide is the batch that this mask is for?"
    ),
)
