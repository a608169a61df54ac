"""Rows of a table, computed or learned, are added to tokens: what is asked of both, and what goes wrong."""

from autograder.catalogue.checks import finite, raises
from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.exercise import Criterion, Promise, common_criterion

ROWS = "Which axis of x is the position, and which row does the first token of each sample get?"
LENGTH = "What should somebody read who gives 13 tokens to a module with max_len = 12?"
ALONE, LEFT = "You return the rows alone; they are to be added to x.", "What is left of your output without x?"
TRAINING = "in training something else is added"
NUMBERS = "the message of ValueError does not mention 13, 12"

# pieces of both references
TOO_LONG = "if length > max_len"
ERROR = 'ValueError(f"a sequence of {length} tokens is longer than max_len ({max_len}): raise max_len")'


REFUSES = "too long a sequence is a ValueError"
PROMISES = (
    Promise(
        "A sequence longer than `max_len` raises a `ValueError` that names both lengths.",
        REFUSES,
        "RuntimeError instead of ValueError",
    ),
    Promise("T is larger than max_len; the message names both.", REFUSES, "an error with one number"),
)


def refuses_and_keeps(*free: str):
    """The properties that both share; outputs that are `free` may have any dtype."""
    some = finite("as many as there are", "added", text="no finite numbers came back")
    return (
        Criterion(REFUSES, 0.5, raises("one token more", "ValueError", "13", "12")),
        common_criterion(0.5, some, but=free),
    )


def of_adding(rows: str, table: str):
    """Rows of mistakes for a reference that adds `rows` of its `table` [..., max_len, d_model]."""
    added = f"x + {rows}"
    which = (
        ("the same for every position", ":1", "Every token gets row 0: nobody can tell them apart."),
        ("the last rows", "-length:", "You take the last rows of the table; the first token must get row 0."),
        ("the whole table", ":", "You add all rows: that fits sequences of max_len tokens only."),
        ("as many rows as samples", ": len(x)", "You take a row for each sample; there must be one for each token."),
    )
    beyond = (
        ("the last row for the rest", "torch.arange(length).clamp(max=max_len - 1)", "every token gets the last row"),
        ("from the beginning again", "torch.arange(length) % max_len", "your positions begin at 0 again"),
    )
    results = (
        ("tokens lost", f"({rows}).expand_as(x)", ALONE),
        ("multiplied", f"x * {rows}", "You multiply the tokens by the rows; they are to be added."),
        ("tokens scaled", f"x * x.shape[-1] ** 0.5 + {rows}", "You multiply x by √d_model; the embedding does that."),
        ("added twice", f"{added} + {rows}", "You add the rows twice."),
        ("never added", "x", "forward gives x back: the table is made and not used."),
    )
    return (
        *(mistake(name, {rows: f"{table}[..., {slice_}, :]"}).because(says, ROWS) for name, slice_, says in which),
        *(mistake(name, {added: made}).because(says, LEFT) for name, made, says in results),
        mistake("along the batch axis", {rows: f"{table}[..., : len(x), :].reshape(-1, 1, x.shape[-1])"}).because(
            "You add row b to sample b: every token of a sample gets the same, and the samples differ.", ROWS
        ),
        mistake(
            "numbered through the batch", {rows: f"{table}[..., torch.arange(len(x) * length) % max_len, :].view_as(x)"}
        ).because("You go on counting from one sample to the next; each sample begins at position 0.", ROWS),
        mistake("dropout by default", {added: f"F.dropout({added}, 0.1, self.training)"}, shown_by=TRAINING).because(
            "In training your layer drops something though nobody asked for it: by default it only adds.",
            "Which of your calls differs between train and eval?",
        ),
        mistake("tokens cut from the graph", {added: f"x.detach() + {rows}"}).because(
            "The tokens are cut off from the output: nothing that made them can learn.",
            "Along which path does a gradient get from the output to x?",
        ),
        mistake("rows of the first call kept", {rows: f'vars(self).setdefault("kept", {rows})'}).because(
            "Your layer keeps the rows that its first sequence needed; a later one may be longer.",
            "Which of your attributes outlive a call of forward?",
        ),
        overwrites(
            "x",
            {f"return {added}": f"x += {rows}\n        return x"},
            "`x += pe` adds in place, x = x + pe does not.",
            "tokens overwritten",
        ),
        in_double_precision("added", {added: f"({added}).double()"}),
        mistake("without the parent's __init__", {"super().__init__()": "pass"}).because(
            "Your __init__ does not call that of nn.Module, which makes the place for what you register.",
            "What is the first line of __init__ in every module of PyTorch?",
        ),
        *(
            mistake(f"{kind} instead of ValueError", {ERROR: ERROR.replace("ValueError", kind)}).because(
                f"Too long a sequence ends in {kind}, {what}; the contract has a ValueError with both lengths.", LENGTH
            )
            for kind, what in (
                ("AssertionError", "as by `assert`"),
                ("IndexError", "as a table raises that has no such row"),
                ("RuntimeError", "as broadcasting raises about shapes"),
            )
        ),
        mistake("an error without the numbers", {ERROR: 'ValueError("too long")'}, shown_by=NUMBERS).because(
            "Your error does not say how long the sequence was, or what the limit is.", LENGTH
        ),
        mistake("an error with one number", {ERROR: 'ValueError(f"longer than {max_len}")'}),
        mistake("one token too strict", {TOO_LONG: "if length >= max_len"}).because(
            "You refuse a sequence of exactly max_len tokens; it fits.",
            "Which is the longest sequence that there are rows for?",
        ),
        *(
            mistake(name, {TOO_LONG: "if False", added: made}).because(
                f"Beyond max_len {what}, and nobody is told.", LENGTH
            )
            for name, made, what in (
                *((name, f"x + {table}[..., {index}, :]", what) for name, index, what in beyond),
                ("cut off in silence", f"x[:, :max_len] + {table}[..., :length, :]", "your tokens disappear"),
                (
                    "no position for the rest",
                    f"x + F.pad({table}[..., :length, :], (0, 0, 0, max(0, length - max_len)))",
                    "your tokens get no position",
                ),
            )
        ),
    )
