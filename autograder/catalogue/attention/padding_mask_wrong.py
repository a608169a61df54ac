"""What goes wrong in `padding_mask`."""

from autograder.catalogue.attention.masks import of_another_kind
from autograder.catalogue.edits import wrong

COMPARED, WIDTH = "positions < lengths[:, None]", "int(lengths.max())"
NO_LIST = "a list of lengths is not taken"

MISTAKES = (
    wrong(
        "inverted mask",
        {"positions <": "positions >="},
        "Your mask marks the padding; here True means a real token.",
        "Of a sequence of length 1, which entry is True?",
    ),
    wrong(
        "one token too many",
        {"positions <": "positions <="},
        "The first padding position counts as real: positions start at 0, so a real one is < its length.",
        "A sequence of length 3 has positions 0, 1 and 2. Does yours let 3 in?",
    ),
    wrong(
        "one token too few",
        {"positions <": "positions + 1 <"},
        "The last real token is hidden.",
        "How many entries should be True in a row of length 3?",
    ),
    wrong(
        "max_len ignored",
        {" if max_len is None else max_len": ""},
        "The mask is as wide as the longest sequence, whatever max_len says.",
        "Where does your code use its argument `max_len`?",
    ),
    *(
        wrong(
            name,
            {WIDTH: width},
            f"Without max_len your mask {what}; it is the longest sequence that decides.",
            "Which of the lengths must the mask have room for, and for no more?",
        )
        for name, width, what in (
            ("one column more", f"{WIDTH} + 1", "has a column too many"),
            ("as wide as the first sequence", "int(lengths[0])", "is as wide as the first sequence"),
            ("as wide as the last sequence", "int(lengths[-1])", "is as wide as the last sequence"),
            ("as wide as there are sequences", "len(lengths)", "has a column for each sequence"),
        )
    ),
    wrong(
        "rows and columns exchanged",
        {COMPARED: "positions[:, None] < lengths"},
        "Your mask is [max_len, B]; the batch comes first.",
        "Which of the two axes counts the sequences?",
    ),
    wrong(
        "padded on the left",
        {COMPARED: f"({COMPARED}).flip(-1)"},
        "The real tokens stand at the end of your rows; here padding follows them.",
        "Which position does the first token of a sequence have?",
    ),
    wrong(
        "an empty slice from the end",  # mask[row, -(max_len - length):] = False
        {COMPARED: "positions < lengths[:, None] % max_len"},
        "Where nothing is to be hidden, your slice `[-0:]` takes the whole row, and all is hidden.",
        "What does `x[-n:]` give when n is 0?",
    ),
    wrong(
        "the last token only",
        {COMPARED: "positions == lengths[:, None] - 1"},
        "Your mask shows the last real token alone; all that come before it are real too.",
        "Of a sequence of length 3, which entries are True?",
    ),
    wrong(
        "sorted by length",
        {"as_tensor(lengths)": "as_tensor(lengths).sort(descending=True).values"},
        "You sort the lengths: row b of the mask must belong to sequence b.",
        "Whose row is the first one?",
    ),
    wrong(
        "tensors only",
        {"torch.as_tensor(lengths)": "lengths"},
        "Your code asks the lengths for something that only a tensor has; they may come as a list too.",
        "What does `torch.as_tensor` make of a list, and what of a tensor?",
        shown_by=NO_LIST,
    ),
    wrong(
        "lengths overwritten",
        {"    positions = ": "    lengths -= 1\n    positions = ", "positions <": "positions <="},
        "You count the lengths down in place: the caller's tensor is another one after the call.",
        "What is the difference between `x -= 1` and `x = x - 1`?",
        shown_by="the argument lengths is another one after the call",
    ),
    *of_another_kind(COMPARED, "[B, max_len]", "[:, None, None]"),
)
