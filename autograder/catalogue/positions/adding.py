"""Rows of a table, computed or learned, are added to tokens: what is asked of both, and what goes wrong."""

from autograder.catalogue.checks import finite, is_true, raises, unmoved
from autograder.catalogue.common_mistakes import in_double_precision, in_single_precision, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.exercise import Criterion, common_criterion
from autograder.catalogue.results import close

ROWS = "Which axis of x is the position, and which row does the first token of each sample get?"
LENGTH = "What would you want to read if you passed 13 tokens to a module with max_len = 12?"
ALONE, LEFT = "You return only the rows; add them to x.", "What is left of your output without x?"
TRAINING = "in training something else is added"
SEEN = "what an earlier call has seen is added"
NUMBERS = "the message of ValueError does not mention 13, 12"

# pieces of both references
TOO_LONG = "if length > max_len"
ERROR = 'ValueError(f"a sequence of {length} tokens is longer than max_len ({max_len}): raise max_len")'


REFUSES = "too long a sequence is a ValueError"


def forgets_other_calls():
    """Other calls, of which one was with a single token, change nothing that is added, to one token either."""
    return (
        unmoved("tokens", "tokens after another call", "added", text=SEEN),
        is_true(
            "tokens after another call",
            ["added", "alone"],
            lambda added, alone: close(alone, added[:, :1], 1e-4),
            f"{SEEN} to one token",
        ),
    )


def refuses_and_keeps(*free: str):
    """The criteria that both share; outputs that are `free` may have any dtype."""
    some = finite("as many as there are", "added", text="no finite numbers came back")
    return (
        Criterion(REFUSES, 0.5, raises("one token more", "ValueError", "13", "12")),
        common_criterion(0.5, some, but=free),
    )


def of_adding(rows: str, table: str):
    """Rows of mistakes for a reference that adds `rows` of its `table` [..., max_len, d_model]."""
    added = f"x + {rows}"
    which = (
        ("the same for every position", ":1", "You add row 0 to every token; add row t to token t."),
        ("the last rows", "-length:", "You add the last rows of the table; the first token must get row 0."),
        ("the whole table", ":", "You add all rows, which only fits sequences of max_len tokens; add the first T."),
        ("as many rows as samples", ": len(x)", "You take one row per sample; take one per token."),
    )
    beyond = (
        ("the last row for the rest", "torch.arange(length).clamp(max=max_len - 1)", "every token gets the last row"),
        ("from the beginning again", "torch.arange(length) % max_len", "your positions begin at 0 again"),
    )
    results = (
        ("tokens lost", f"({rows}).expand_as(x)", ALONE),
        ("subtracted", f"x - {rows}", "You subtract the rows from the tokens; add them."),
        ("multiplied", f"x * {rows}", "You multiply the tokens by the rows; add them."),
        (
            "tokens scaled",
            f"x * x.shape[-1] ** 0.5 + {rows}",
            "You multiply x by √d_model; leave that to the embedding.",
        ),
        ("added twice", f"{added} + {rows}", "You add the rows twice; add them once."),
        ("never added", "x", "Your forward returns x unchanged; add the table's rows."),
    )
    return (
        *(mistake(name, {rows: f"{table}[..., {slice_}, :]"}).because(says, ROWS) for name, slice_, says in which),
        *(mistake(name, {added: made}).because(says, LEFT) for name, made, says in results),
        mistake("along the batch axis", {rows: f"{table}[..., : len(x), :].reshape(-1, 1, x.shape[-1])"}).because(
            "You add row b to sample b; add row t to token t of every sample.", ROWS
        ),
        mistake(
            "numbered through the batch", {rows: f"{table}[..., torch.arange(len(x) * length) % max_len, :].view_as(x)"}
        ).because("You continue counting from one sample to the next; start each sample at position 0.", ROWS),
        mistake("dropout by default", {added: f"F.dropout({added}, 0.1, self.training)"}, shown_by=TRAINING).because(
            "In training your layer adds something else, as with dropout. By default it must add only the rows.",
            "Which of your calls differs between train and eval?",
        ),
        mistake("tokens cut from the graph", {added: f"x.detach() + {rows}"}).because(
            "Your output is detached from the tokens, so the layers below cannot learn.",
            "Along which path does a gradient get from the output to x?",
        ),
        mistake(
            "continued from the previous call",
            {
                rows: f"{table}[..., self.start : self.start + length, :]",
                "        if length > max_len": "        self.start = getattr(self, 'next', 0) if length == 1 else 0\n"
                "        self.next = self.start + 1\n"
                "        if self.start + length > max_len",
            },
        ).because(
            "You give a single token the position after that of the previous call. The first token of each call is at "
            "position 0.",
            "Which of your attributes persist after a call of forward?",
        ),
        mistake("rows of the first call kept", {rows: f'vars(self).setdefault("kept", {rows})'}).because(
            "Your layer keeps only the rows that its first sequence needed; a later one may need more.",
            "Which of your attributes persist after a call of forward?",
        ),
        overwrites(
            "x",
            {f"return {added}": f"x += {rows}\n        return x"},
            "`x += …` adds in place, `x = x + …` does not.",
            "tokens overwritten",
        ),
        in_double_precision("added", {added: f"({added}).double()"}),
        in_single_precision("output", {added: f"({added}).float()"}),
        mistake("the width checked too", {TOO_LONG: "if max(x.shape[1:]) > max_len"}).because(
            "You compare the width of the tokens with max_len; compare only their number, axis 1.", LENGTH
        ),
        mistake("without the parent's __init__", {"super().__init__()": "pass"}).because(
            "Your __init__ does not call nn.Module's, which must run before you register anything.",
            "What is the first line of __init__ in every module of PyTorch?",
        ),
        *(
            mistake(f"{kind} instead of ValueError", {ERROR: ERROR.replace("ValueError", kind)}).because(
                f"For too long a sequence you raise {kind}, {what}; raise a ValueError with both lengths.", LENGTH
            )
            for kind, what in (
                ("AssertionError", "as by `assert`"),
                ("IndexError", "as a table raises that has no such row"),
                ("RuntimeError", "as broadcasting raises about shapes"),
            )
        ),
        mistake("an error without the numbers", {ERROR: 'ValueError("too long")'}, shown_by=NUMBERS).because(
            "Your error does not give the length of the sequence and the limit; name both.", LENGTH
        ),
        mistake(
            "an error with one number",
            {ERROR: 'ValueError(f"longer than {max_len}")'},
            shown_by="the message of ValueError does not mention 13",
        ).because(
            "Your error does not give the length of the sequence; name it next to the limit.",
            LENGTH,
        ),
        mistake(
            "an error without the limit",
            {ERROR: 'ValueError(f"{length} tokens are too many")'},
            shown_by="the message of ValueError does not mention 12",
        ).because("Your error does not give max_len; name it next to the length of the sequence.", LENGTH),
        mistake("one token too strict", {TOO_LONG: "if length >= max_len"}).because(
            "You refuse a sequence of exactly max_len tokens; accept it.",
            "What is the longest sequence that has a row for each token?",
        ),
        *(
            mistake(name, {TOO_LONG: "if False", added: made}).because(
                f"Beyond max_len {what}, without an error; raise a ValueError.", LENGTH
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
