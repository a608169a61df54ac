"""LearnedPositions(max_len, d_model): a table that is trained."""

import torch

import course_lib.model.positions as reference
from autograder.catalogue.checks import is_true, matches, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.positions.learned_positions_wrong import ADDED, LOOK_UP, MISTAKES
from autograder.judging.results import Finding, Results

MAX_LEN, WIDTH = 11, 7


def layer(g, *shape, ask="added"):
    """A table with known rows, and x [B, T, d_model]."""
    return {
        "arguments": {"max_len": MAX_LEN, "d_model": WIDTH},
        "weights": {"table.weight": torch.randn(MAX_LEN, WIDTH, generator=g)},
        "x": torch.randn(*shape, generator=g),
        "ask": ask,
    }


def alike(added):
    return added.shape == (3, 5, WIDTH) and abs(added - added[:1]).max() < 1e-5 and abs(added).max() > 0.1


def rows_used(rows, of_x):
    return len(rows) == MAX_LEN and rows[:5].min() > 0.1 and abs(rows[5:]).max() == 0 and of_x > 0.1


def refuses_one_token_more(results: Results) -> Finding | None:
    """An error of any kind."""
    case = "one token more"
    refused = "error" in results.found.get(case, {})
    return None if refused else Finding(f"{MAX_LEN + 1} tokens for {MAX_LEN} positions gave no error", case)


LEARNED_POSITIONS = Exercise(
    id="LearnedPositions",
    title="Learned positions",
    reference=reference.LearnedPositions,
    cases=(
        Case("parameters", lambda g: layer(g, 3, 5, WIDTH, ask="parameters")),
        Case("tokens", lambda g: layer(g, 3, 5, WIDTH)),
        Case("tokens in training", lambda g: layer(g, 3, 5, WIDTH, ask="training"), like="tokens"),
        Case("tokens after another call", lambda g: layer(g, 3, 5, WIDTH, ask="afterwards"), like="tokens"),
        Case("one token of one sample", lambda g: layer(g, 1, 1, WIDTH)),
        Case("as many as there are", lambda g: layer(g, 2, MAX_LEN, WIDTH)),
        Case("one token more", lambda g: layer(g, 2, MAX_LEN + 1, WIDTH, ask="output")),
        Case("gradients", lambda g: layer(g, 2, 5, WIDTH, ask="gradients")),
    ),
    properties=(
        Property("parameters of the contract", 1, matches("parameters")),
        Property(
            "row t is added to token t",
            1.5,
            matches("tokens"),
            matches("one token of one sample"),
            matches("as many as there are"),
            unmoved("tokens", "tokens in training", text="in training something else is added"),
            unmoved("tokens", "tokens after another call", text="what an earlier call has seen is added"),
        ),
        Property(
            "the same for every sample",
            0.5,
            is_true("tokens", ["added"], alike, "the samples do not get the same rows"),
        ),
        Property(
            "the rows that are used learn",
            1,
            is_true("gradients", ["rows", "of_x"], rows_used, "the rows that are used get no gradient, or others do"),
        ),
        Property("too long a sequence is an error", 1, refuses_one_token_more),
    ),
    mistakes=MISTAKES,
    hints=(
        "`nn.Embedding(rows, width)` is a table of learned rows; call it with the numbers of the rows that you want.",
        "The rows are 0, 1, …, T − 1: torch.arange, on the device of x. [T, d_model] broadcasts over the batch.",
    ),
    right_variants=(
        right(
            "sliced, with an assert",
            {
                "if length > max_len": "assert length <= max_len\n        if False",
                f"self.table({LOOK_UP})": "self.table.weight[:length][None]",
            },
        ),
        right(
            "by a product with one-hot rows",
            {f"self.table({LOOK_UP})": "torch.eye(max_len, dtype=x.dtype)[:length] @ self.table.weight"},
        ),
        right(
            "an index for every sample, and dropout as one more argument",
            {
                "d_model: int)": "d_model: int, dropout: float = 0.0)",
                "self.table =": "self.dropout = nn.Dropout(dropout)\n        self.table =",
                ADDED: f"self.dropout(x + self.table({LOOK_UP}.expand(len(x), -1)))",
            },
        ),
    ),
)
