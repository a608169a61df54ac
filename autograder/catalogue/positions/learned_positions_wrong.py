"""What goes wrong in `LearnedPositions`."""

from autograder.catalogue.edits import wrong
from autograder.catalogue.positions.positional_encoding_wrong import DROPOUT

WHICH = "Which row of the table does the first token of each sample get?"
NAMES = "What is the table called, how many rows has it, and how wide are they?"
BEYOND = "What has the table to say about a position that it has no row for?"

# pieces of the reference
TABLE, LOOK_UP = "nn.Embedding(max_len, d_model)", "torch.arange(length, device=x.device)"
ADDED = f"x + self.table({LOOK_UP})"
TOO_LONG = "if length > max_len"

MISTAKES = (
    wrong(
        "along the batch axis",
        {"x.shape[1]": "x.shape[0]", ADDED: f"{ADDED}[:, None]"},
        "You look up one row for each sample; it is the tokens that have positions.",
        WHICH,
    ),
    wrong(
        "positions from 1",
        {LOOK_UP: "torch.arange(1, length + 1)"},
        "Your first token gets row 1; positions begin at 0.",
        WHICH,
    ),
    wrong("backwards", {LOOK_UP: "torch.arange(length).flip(0)"}, "Your first token gets the last row.", WHICH),
    wrong(
        "the same for every position",
        {TOO_LONG: "if False", "torch.arange(length,": "torch.zeros(length, dtype=torch.long,"},
    ),
    wrong("the last rows", {f"self.table({LOOK_UP})": "self.table.weight[-length:]"}),
    wrong(
        "numbered through the batch",
        {TOO_LONG: "if False", ADDED: "x + self.table(torch.arange(len(x) * length) % max_len).view_as(x)"},
    ),
    wrong(
        "tokens lost",
        {ADDED: f"self.table({LOOK_UP}).expand_as(x)"},
        "You return the rows alone; they are to be added to x.",
        "Where is x in your result?",
    ),
    wrong("multiplied", {"x + self": "x * self"}),
    wrong(
        "the whole table",
        {ADDED: "x + self.table.weight"},
        "You add all rows: that fits sequences of max_len tokens only.",
        "How many tokens has x?",
    ),
    wrong(
        "tokens scaled",
        {"x + self": "x * x.shape[-1] ** 0.5 + self"},
        "You multiply the tokens by √d_model first; that belongs to the embedding, not here.",
        "What must come out when the rows are subtracted again?",
    ),
    wrong(
        "cut from the graph",
        {ADDED: f"{ADDED}.detach()"},
        "`.data`, `.detach()` or `requires_grad_(False)` cuts the table off: it is never trained.",
        "Along which path does a gradient get from the output to the table?",
    ),
    wrong("tokens cut from the graph", {"x + self": "x.detach() + self"}),
    *(
        wrong(
            name,
            {TABLE: "nn.Embedding(d_model, max_len)", TOO_LONG: condition},
            "Your table has d_model rows of max_len numbers: nn.Embedding takes the number of rows first.",
            NAMES,
        )
        for name, condition in (("arguments exchanged", "if False"), ("arguments exchanged, length checked", TOO_LONG))
    ),
    wrong(
        "a plain parameter",
        {
            TABLE: "nn.Parameter(torch.randn(max_len, d_model))",
            ".num_embeddings": ".shape[0]",
            f"({LOOK_UP})": "[torch.arange(length)]",
            TOO_LONG: "if False",
        },
        "Your table is a Parameter named `table`; the contract has an Embedding, whose weight is `table.weight`.",
        NAMES,
    ),
    wrong(
        "another name for table",
        {
            "self.table =": "self.embedding =",
            "self.table.num": "self.embedding.num",
            "self.table(": "self.embedding(",
            TOO_LONG: "if False",
        },
        "Your Embedding has another name than `table`: saved weights would not fit.",
        NAMES,
    ),
    wrong(
        "the last row for the rest",
        {TOO_LONG: "if False", LOOK_UP: "torch.arange(length).clamp(max=max_len - 1)"},
        "Beyond max_len every token gets the last row, and nobody is told.",
        BEYOND,
    ),
    wrong("from the beginning again", {TOO_LONG: "if False", LOOK_UP: "torch.arange(length) % max_len"}),
    wrong(
        "cut off in silence",
        {TOO_LONG: "if False", ADDED: "x[:, :max_len] + self.table.weight[:length]"},
        "You cut a long sequence off without a word: its last tokens disappear.",
        BEYOND,
    ),
    wrong(
        "no position for the rest", {TOO_LONG: "if False", ADDED: "x + F.pad(self.table.weight, (0, 0, 0, 1))[:length]"}
    ),
    wrong(
        "dropout by default",
        {ADDED: f"F.dropout({ADDED}, 0.1, self.training)"},
        *DROPOUT,
        shown_by="in training something else is added",
    ),
    wrong("rows of the first call kept", {ADDED: f'x + vars(self).setdefault("kept", self.table({LOOK_UP}))'}),
)
