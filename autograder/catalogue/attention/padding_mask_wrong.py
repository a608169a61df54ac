"""What goes wrong in `padding_mask`."""

from autograder.catalogue.edits import wrong

LONGEST = "Which of the lengths must the mask have room for?"
COMPARED, WIDTH = "positions < lengths[:, None]", "int(lengths.max())"

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
    wrong(
        "one column more",
        {WIDTH: f"{WIDTH} + 1"},
        "Without max_len the mask is one column wider than the longest sequence.",
        "How many positions does the longest sequence have?",
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
        "numbers instead of booleans",
        {COMPARED: f"({COMPARED}).float()"},
        "The entries are numbers where the contract asks for booleans.",
        "What does a comparison give, before anything is done to it?",
    ),
    wrong(
        "an array of NumPy",
        {COMPARED: f"({COMPARED}).numpy()"},
        "The mask is right, but it is an array of NumPy; the scores that it is to meet are tensors.",
        "Which function of torch does the same as the one of NumPy?",
    ),
    *(
        wrong(
            f"as wide as the {which} sequence",
            {WIDTH: f"int(lengths[{index}])"},
            f"Without max_len your mask is as wide as the {which} sequence; it is the longest that decides.",
            LONGEST,
        )
        for which, index in (("first", 0), ("last", -1))
    ),
    wrong(
        "as wide as there are sequences",
        {WIDTH: "len(lengths)"},
        "Without max_len your mask has a column for each sequence; it needs one for each position of the longest.",
        "What do the columns of the mask stand for?",
    ),
    wrong(
        "an empty slice from the end",  # mask[row, -(max_len - length):] = False
        {COMPARED: "positions < lengths[:, None] % max_len"},
        "Where nothing is to be hidden, your slice `[-0:]` takes the whole row, and all is hidden.",
        "What does `x[-n:]` give when n is 0?",
    ),
    wrong("the last token only", {COMPARED: "positions == lengths[:, None] - 1"}),
    wrong("sorted by length", {"as_tensor(lengths)": "as_tensor(lengths).sort(descending=True).values"}),
    wrong(
        "more than two axes",
        {"lengths[:, None]": "lengths[:, None, None, None]"},
        "Your mask has axes for heads and queries already; asked for is [B, max_len].",
        "How many axes has [B, max_len]?",
    ),
)
