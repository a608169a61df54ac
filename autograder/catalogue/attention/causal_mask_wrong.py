"""What goes wrong in `causal_mask`."""

from autograder.catalogue.edits import wrong

COLUMNS = "Row i belongs to query i. Which columns j may it see?"
ITSELF = "May a position use its own input?"
TRIANGLE = "torch.ones(size, size, dtype=torch.bool).tril()"

MISTAKES = (
    wrong(
        "inverted mask",
        {".tril()": ".triu(1)"},
        "Your mask marks what is hidden; in this course True means visible (PyTorch's layers use both habits).",
        "What may position 0 see? Which entry of row 0 must be True?",
    ),
    wrong(
        "rows and columns exchanged",
        {".tril()": ".triu()"},
        "Your triangle lies on the wrong side: every position sees the future and not the past.",
        COLUMNS,
    ),
    wrong(
        "diagonal one too high",
        {".tril()": ".tril(1)"},
        "Each position sees the next one too: the answer it should predict. Training is perfect, decoding fails.",
        "Which is the last column that row 0 may see?",
    ),
    wrong(
        "diagonal one too low",
        {".tril()": ".tril(-1)"},
        "No position sees itself, and the first sees nothing at all.",
        ITSELF,
    ),
    wrong("everything visible", {".tril()": ""}, "Your mask hides nothing.", "Which entries concern the future?"),
    wrong(
        "numbers instead of booleans",
        {", dtype=torch.bool": ""},
        "The triangle is right; its entries are numbers where the contract asks for booleans.",
        "What does `.bool()`, or a comparison, give?",
    ),
    wrong(
        "a bias instead of a mask",
        {TRIANGLE: "torch.full((size, size), -torch.inf).triu(1)"},
        "These are numbers to add to the scores (0 and −inf); asked for is a mask, True where visible.",
        "What is True here, and what is False?",
    ),
    wrong(
        "an array of NumPy",
        {".tril()": ".tril().numpy()"},
        "The triangle is right, but it is an array of NumPy; the scores that it is to meet are tensors.",
        "Which function of torch makes the same triangle?",
    ),
    wrong("nothing visible", {"torch.ones": "torch.zeros"}, "Your mask hides everything.", ITSELF),
    wrong("upside down", {".tril()": ".tril().flip(0)"}),
    wrong(
        "more than two axes",
        {"(size, size": "(1, 1, size, size"},
        "Your mask has axes for batch and heads already; asked for is [size, size], and expand_mask adds the rest.",
        "How many axes has [size, size]?",
    ),
)
