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
        mistake("inverted mask", {"positions <": "positions >="}).because(
            "Your mask marks the padding; True must mark a real token."
        ),
        mistake("one token too many", {"positions <": "positions <="}).because(
            "Your mask counts the first padding position as real."
        ),
        mistake("one token too few", {"positions <": "positions + 1 <"}).because(
            "Your mask hides the last real token."
        ),
        mistake("the last token only", {COMPARED: "positions == lengths[:, None] - 1"}).because(
            "You show only the last real token; show all of them."
        ),
        mistake("padded on the left", {COMPARED: f"({COMPARED}).flip(-1)"}).because(
            "In your rows the real tokens come last; they must come first."
        ),
    ),
    *with_question(
        "How wide must the mask be: with max_len, and without?",
        mistake("max_len ignored", {" if max_len is None else max_len": ""}).because(
            "With a larger max_len your mask is still only as wide as the longest sequence; make it max_len wide."
        ),
        mistake("one column more", {WIDTH: f"{WIDTH} + 1"}).because(
            "Without max_len your mask has one column too many."
        ),
        mistake("as wide as the first sequence", {WIDTH: "int(lengths[0])"}).because(
            "The first sequence decides your width; the longest must."
        ),
        mistake("as wide as there are sequences", {WIDTH: "len(lengths)"}).because(
            "Your mask has one column per sequence; it needs one per position."
        ),
    ),
    *with_question(
        "Which of the two axes counts the sequences, and whose row is the first one?",
        mistake("rows and columns exchanged", {COMPARED: "positions[:, None] < lengths"}).because(
            "Your mask is [max_len, B]; return [B, max_len]."
        ),
        mistake("sorted by length", {"as_tensor(lengths)": SORTED}).because(
            "You sort the lengths; row b must belong to sequence b."
        ),
    ),
    mistake("an empty slice from the end", {COMPARED: "positions < lengths[:, None] % max_len"}).because(
        "If nothing must be hidden, your slice `[-0:]` is the whole row, and everything is hidden.",
        "What does `x[-n:]` give when n is 0?",
    ),
    mistake("tensors only", {"torch.as_tensor(lengths)": "lengths"}, shown_by=NO_LIST).because(
        "Your code uses a method of tensors on the lengths; accept a list too.",
        "What does `torch.as_tensor` return for a list, and for a tensor?",
    ),
    overwrites(
        "lengths",
        {"    positions = ": "    lengths -= 1\n    positions = ", "positions <": "positions <="},
        "the caller still needs the lengths of its batch.",
    ),
    *of_another_kind(COMPARED, "[B, max_len]", "[:, None, None]"),
    mistake("at least as wide as there are sequences", {WIDTH: "max(len(lengths), int(lengths.max()))"}).because(
        "Your mask is at least as wide as there are sequences; only the longest sequence decides.",
        "How wide is the batch that this mask is for?",
    ),
    mistake("as wide as the last sequence", {WIDTH: "int(lengths[-1])"}).because(
        "The last sequence decides your width; the longest must.", "How wide is the batch that this mask is for?"
    ),
    mistake("as wide as all sequences together", {WIDTH: "int(lengths.sum())"}).because(
        "Without max_len your mask is as wide as all the lengths added up; make it as wide as the longest sequence.",
        "How wide is the batch that this mask is for?",
    ),
    mistake("as wide as the shortest sequence", {WIDTH: "int(lengths.min())"}).because(
        "The shortest sequence decides your width; the longest must.", "How wide is the batch that this mask is for?"
    ),
    mistake("the last column left out", {COMPARED: f"({COMPARED}) & (positions < max_len - 1)"}).because(
        "Your last column is all False; it must be True for a sequence that is max_len long.",
        "Which entries are True in the row of the longest sequence?",
    ),
    mistake(
        "as long as the longest, every one", {COMPARED: "positions < lengths.max() + 0 * lengths[:, None]"}
    ).because(
        "Your rows are all those of the longest sequence; row b must end at the length of sequence b.",
        "Which of the lengths does row b of your mask use?",
    ),
    *(
        mistake(f"as long as {which}, every one", {COMPARED: f"positions < {length} + 0 * lengths[:, None]"}).because(
            f"Your rows all end at {which}; row b must end at the length of sequence b.",
            "Which of the lengths does row b of your mask use?",
        )
        for which, length in (
            ("the mean length", "lengths.float().mean()"),
            ("the shortest length", "lengths.min()"),
            ("the first length", "lengths[0]"),
            ("the last length", "lengths[-1]"),
        )
    ),
    mistake("the first row left out", {COMPARED: f"({COMPARED}) & (torch.arange(len(lengths)) > 0)[:, None]"}).because(
        "Your first row is all False; sequence 0 has real tokens too.", "With which row does your loop start?"
    ),
    mistake(
        "the last row left out", {COMPARED: f"({COMPARED}) & (torch.arange(len(lengths)) < len(lengths) - 1)[:, None]"}
    ).because(
        "Your last row is all False; the last sequence has real tokens too.", "With which row does your loop end?"
    ),
)
