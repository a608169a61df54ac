"""What goes wrong in `LearnedPositions`."""

from autograder.catalogue.common_mistakes import other_names
from autograder.catalogue.edits import mistake
from autograder.catalogue.positions.adding import ALONE, LEFT, ROWS, TOO_LONG, of_adding

NAMES = "What is the table called, how many rows does it have, and how wide are they?"

# pieces of the reference
TABLE, LOOK_UP = "nn.Embedding(max_len, d_model)", "torch.arange(length, device=x.device)"
LOOKED_UP = f"self.table({LOOK_UP})"

MISTAKES = (
    *of_adding(LOOKED_UP, "self.table.weight"),
    mistake("positions from 1", {LOOK_UP: "torch.arange(1, length + 1)"}).because(
        "Your first token gets row 1, not 0.", ROWS
    ),
    mistake(
        "as many rows as samples, and none refused", {"length, max_len = x.shape[1]": "length, max_len = x.shape[0]"}
    ).because("You take one row per sample and compare their number with max_len; use axis 1, the tokens.", ROWS),
    mistake("tokens lost, for one sample", {f"x + {LOOKED_UP}": LOOKED_UP}).because(ALONE, LEFT),
    mistake("tokens looked up", {LOOK_UP: "x.long()"}).because(
        "You look up x itself in the table; look up the positions 0, 1, …, T − 1.", ROWS
    ),
    mistake("backwards", {LOOK_UP: "torch.arange(length).flip(0)"}).because(
        "Your first token gets the last row; it must get row 0.", ROWS
    ),
    mistake("the first sample alone", {f"x + {LOOKED_UP}": f"torch.cat([x[:1] + {LOOKED_UP}, x[1:]])"}).because(
        "Only the first sample gets positions. Add them to every sample of the batch.",
        "What is the shape of x, and what is the shape of the rows you add?",
    ),
    mistake("cut from the graph", {LOOKED_UP: f"{LOOKED_UP}.detach()"}).because(
        "You detach the table (`.data`, `.detach()` or `requires_grad_(False)`), so it is never trained.",
        "Along which path does a gradient get from the output to the table?",
    ),
    *(
        mistake(name, {TABLE: "nn.Embedding(d_model, max_len)", find: checked}).because(
            "Your table has d_model rows of max_len numbers. The number of rows comes first, in your `__init__` and in "
            "nn.Embedding.",
            NAMES,
        )
        for name, find, checked in (
            ("arguments exchanged", TOO_LONG, "if False"),
            ("arguments exchanged, length checked", TOO_LONG, TOO_LONG),
            ("arguments exchanged, length checked by max_len", ".num_embeddings", ".embedding_dim"),
        )
    ),
    mistake(
        "a plain parameter",
        {
            TABLE: "nn.Parameter(torch.randn(max_len, d_model))",
            ".num_embeddings": ".shape[0]",
            f"({LOOK_UP})": "[torch.arange(length)]",
            TOO_LONG: "if False",
        },
    ).because("Your table is a Parameter named `table`; use an Embedding, whose weight is `table.weight`.", NAMES),
    mistake(
        "a plain parameter, length checked",
        {
            TABLE: "nn.Parameter(torch.randn(max_len, d_model))",
            ".num_embeddings": ".shape[0]",
            f"({LOOK_UP})": "[torch.arange(length)]",
        },
    ).because("Your table is a Parameter named `table`; use an Embedding, whose weight is `table.weight`.", NAMES),
    mistake(
        "rows kept for each length", {LOOKED_UP: f'vars(self).setdefault(f"rows {{length}}", {LOOKED_UP})'}
    ).because(
        "You keep the rows that an earlier call looked up, but training changes the table. Look them up in each call.",
        "Which of your attributes persist after a call of forward?",
    ),
    mistake("row 0 as padding", {TABLE: "nn.Embedding(max_len, d_model, padding_idx=0)"}).because(
        "Row 0 of your table gets no gradient, as with padding_idx=0. Let every row learn.",
        "Which arguments do you pass to nn.Embedding?",
    ),
    mistake("rows cut to length 1", {TABLE: "nn.Embedding(max_len, d_model, max_norm=1.0)"}).because(
        "You scale the rows of the table down to norm 1, as max_norm does. Add the rows as they are.",
        "Which arguments do you pass to nn.Embedding?",
    ),
    mistake("one row too many", {TABLE: "nn.Embedding(max_len + 1, d_model)"}).because(
        "Your table has max_len + 1 rows; give it max_len.", NAMES
    ),
    other_names({f"table{use}": f"rows{use}" for use in (" = ", ".num", "(torch")}),
)
