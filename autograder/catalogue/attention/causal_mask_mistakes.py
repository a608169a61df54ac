"""What goes wrong in `causal_mask`."""

from autograder.catalogue.attention.shared import of_another_kind
from autograder.catalogue.edits import mistake, with_question

TRIANGLE = "torch.ones(size, size, dtype=torch.bool).tril()"

MISTAKES = (
    *with_question(
        "Row i belongs to query i. Which columns j may it see, and which is the last one that row 0 may see?",
        mistake("inverted mask", {".tril()": ".triu(1)"}).because(
            "Your mask marks what is hidden; here True means visible."
        ),
        mistake("rows and columns exchanged", {".tril()": ".triu()"}).because(
            "In your mask every position sees the future and not the past; swap the two."
        ),
        mistake("diagonal one too high", {".tril()": ".tril(1)"}).because(
            "In your mask each position sees the next one, which it should predict."
        ),
        mistake("everything visible", {".tril()": ""}).because("Your mask hides nothing; hide the future."),
    ),
    *with_question(
        "May a position use its own input?",
        mistake("diagonal one too low", {".tril()": ".tril(-1)"}).because(
            "In your mask no position sees itself, and the first sees nothing; a position may use its own input."
        ),
        mistake("nothing visible", {"torch.ones": "torch.zeros"}).because(
            "Your mask hides everything; show each position itself and its past."
        ),
    ),
    mistake("a bias instead of a mask", {TRIANGLE: "torch.full((size, size), -torch.inf).triu(1)"}).because(
        "You return numbers to add to the scores (0 and −inf); return a mask that is True where visible.",
        "What is True here, and what is False?",
    ),
    *of_another_kind(TRIANGLE, "[size, size]", "[None, None]"),
    mistake("upside down", {".tril()": ".tril().flip(0)"}).because(
        "Your triangle is upside down; the first row must show only the first position.",
        "Which row belongs to the first position?",
    ),
    mistake("an axis for the batch", {TRIANGLE: f"{TRIANGLE}[None]"}).because(
        "Your mask has an axis too many, [1, size, size]. Return [size, size].", "Which shape does the docstring give?"
    ),
    mistake("the last row left out", {".tril()": ".tril() & (torch.arange(size) < size - 1)[:, None]"}).because(
        "Your last row is all False, so the last position sees nothing. Fill that row too.",
        "What is the last value that range(size - 1) returns?",
    ),
    mistake("the first row left out", {".tril()": ".tril() & (torch.arange(size) > 0)[:, None]"}).because(
        "Your first row is all False, so the first position sees nothing. It must see itself.",
        "With which row does your loop start?",
    ),
    mistake("the first row all visible", {".tril()": ".tril() | (torch.arange(size) == 0)[:, None]"}).because(
        "In your mask the first position sees all later ones; show it only itself, which is enough to avoid NaN.",
        "How many entries of row 0 are True?",
    ),
    mistake("only the next position hidden", {".tril()": "& ~torch.ones(size, size).diag(1)"}).because(
        "Your mask hides only the next position of each; hide all later ones.",
        "How many entries of row 0 are True?",
    ),
    mistake("only itself", {TRIANGLE: "torch.eye(size, dtype=torch.bool)"}).because(
        "In your mask a position sees only itself; show it all the earlier ones too.",
        "Which columns of the last row are True?",
    ),
    mistake("only the previous position", {".tril()": ".tril().triu(-1)"}).because(
        "In your mask a position sees only itself and the previous one; show it all the earlier ones.",
        "Which columns of the last row are True?",
    ),
    mistake("one position too many", {"torch.ones(size, size": "torch.ones(size + 1, size + 1"}).because(
        "Your mask is [size + 1, size + 1]; return [size, size].", "How many rows does causal_mask(2) have?"
    ),
)
