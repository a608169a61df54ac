"""What goes wrong in `causal_mask`."""

from autograder.catalogue.attention.shared import of_another_kind
from autograder.catalogue.edits import mistake, with_question

TRIANGLE = "torch.ones(size, size, dtype=torch.bool).tril()"

MISTAKES = (
    *with_question(
        "Row i belongs to query i. Which columns j may it see, and which is the last one that row 0 may see?",
        mistake("inverted mask", {".tril()": ".triu(1)"}, "Your mask marks what is hidden; here True means visible."),
        mistake(
            "rows and columns exchanged", {".tril()": ".triu()"}, "Every position sees the future and not the past."
        ),
        mistake("diagonal one too high", {".tril()": ".tril(1)"}).because(
            "Each position sees the next one: what it should predict."
        ),
        mistake("everything visible", {".tril()": ""}, "Your mask hides nothing."),
    ),
    *with_question(
        "May a position use its own input?",
        mistake(
            "diagonal one too low", {".tril()": ".tril(-1)"}, "No position sees itself, and the first sees nothing."
        ),
        mistake("nothing visible", {"torch.ones": "torch.zeros"}, "Your mask hides everything."),
    ),
    mistake("a bias instead of a mask", {TRIANGLE: "torch.full((size, size), -torch.inf).triu(1)"}).because(
        "These are numbers to add to the scores (0 and −inf); asked for is a mask, True where visible.",
        "What is True here, and what is False?",
    ),
    *of_another_kind(TRIANGLE, "[size, size]", "[None, None]"),
    mistake("upside down", {".tril()": ".tril().flip(0)"}).because(
        "Your triangle stands on its head.", "Which row belongs to the first position?"
    ),
)
