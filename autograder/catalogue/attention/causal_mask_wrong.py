"""What goes wrong in `causal_mask`."""

from autograder.catalogue.attention.masks import of_another_kind
from autograder.catalogue.edits import wrong

COLUMNS = "Row i belongs to query i. Which columns j may it see?"
ITSELF = "May a position use its own input?"
TRIANGLE = "torch.ones(size, size, dtype=torch.bool).tril()"

MISTAKES = (
    *(
        wrong(name, {".tril()": triangle}, says, asks)
        for name, triangle, says, asks in (
            (
                "inverted mask",
                ".triu(1)",
                "Your mask marks what is hidden; in this course True means visible (PyTorch's layers use both habits).",
                "What may position 0 see? Which entry of row 0 must be True?",
            ),
            (
                "rows and columns exchanged",
                ".triu()",
                "Your triangle lies on the wrong side: every position sees the future and not the past.",
                COLUMNS,
            ),
            (
                "diagonal one too high",
                ".tril(1)",
                "Each position sees the next one too: the answer it should predict. It trains well and decodes badly.",
                "Which is the last column that row 0 may see?",
            ),
            (
                "diagonal one too low",
                ".tril(-1)",
                "No position sees itself, and the first sees nothing at all.",
                ITSELF,
            ),
            ("everything visible", "", "Your mask hides nothing.", "Which entries concern the future?"),
            ("nothing visible", ".tril() & False", "Your mask hides everything.", ITSELF),
            ("upside down", ".tril().flip(0)", "Your triangle stands on its head.", COLUMNS),
        )
    ),
    wrong(
        "a bias instead of a mask",
        {TRIANGLE: "torch.full((size, size), -torch.inf).triu(1)"},
        "These are numbers to add to the scores (0 and −inf); asked for is a mask, True where visible.",
        "What is True here, and what is False?",
    ),
    *of_another_kind(TRIANGLE, "[size, size]", "[None, None]"),
)
