"""LearnedPositions(max_len, d_model): a table that is trained."""

import torch

import course_lib.model.positions as reference
from autograder.catalogue.checks import is_true, matches, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.positions.adding import TRAINING, forgets_other_calls, refuses_and_keeps
from autograder.catalogue.positions.learned_positions_mistakes import LOOK_UP, LOOKED_UP, MISTAKES, TABLE

MAX_LEN, WIDTH = 12, 7


def layer(g, *shape, ask="added"):
    """A table with known rows, and x [B, T, d_model]."""
    return {
        "arguments": {"max_len": MAX_LEN, "d_model": shape[-1]},
        "weights": {"table.weight": torch.randn(MAX_LEN, shape[-1], generator=g)},
        "x": torch.randn(*shape, generator=g),
        "ask": ask,
    }


def rows_used(rows, of_x):
    return len(rows) == MAX_LEN and rows[:5].min() > 0.1 and abs(rows[5:]).max() == 0 and of_x > 0.1


ROWS_ADDED = "row t is added to token t of every sample"

LEARNED_POSITIONS = Exercise(
    id="LearnedPositions",
    title="Learned positions",
    reference=reference.LearnedPositions,
    cases=(
        Case("parameters", lambda g: layer(g, 3, 5, WIDTH, ask="parameters")),
        Case("tokens", lambda g: layer(g, 3, 5, WIDTH)),
        Case("tokens in training", lambda g: layer(g, 3, 5, WIDTH, ask="training"), same_as="tokens"),
        Case("tokens after another call", lambda g: layer(g, 3, 5, WIDTH, ask="afterwards"), same_as="tokens"),
        Case("one token of one sample", lambda g: layer(g, 1, 1, 2 * WIDTH)),  # wider than max_len
        Case("as many as there are", lambda g: layer(g, 2, MAX_LEN, WIDTH)),
        Case(
            "in double precision",
            lambda g: (inputs := layer(g, 2, 5, WIDTH, ask="output")) | {"x": inputs["x"].double()},
        ),
        Case("one token more", lambda g: layer(g, 2, MAX_LEN + 1, WIDTH, ask="output")),
        Case("gradients", lambda g: layer(g, 2, 5, WIDTH, ask="gradients")),
    ),
    criteria=(
        Criterion("parameters of the contract", 1, matches("parameters")),
        Criterion(
            ROWS_ADDED,
            2,
            matches("tokens"),
            matches("one token of one sample"),
            matches("as many as there are"),
            unmoved("tokens", "tokens in training", text=TRAINING),
            *forgets_other_calls(),
        ),
        Criterion(
            "the rows that are used learn",
            1,
            is_true(
                "gradients",
                ["rows", "of_x"],
                rows_used,
                "the rows that are used get no gradient, or other rows get one",
            ),
        ),
        *refuses_and_keeps(),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("sliced", {LOOKED_UP: "self.table.weight[:length][None]"}),
        right("sparse gradients", {TABLE: f"{TABLE[:-1]}, sparse=True)"}),
        right(
            "by a product with one-hot rows",
            {LOOKED_UP: "torch.eye(max_len, dtype=x.dtype)[:length] @ self.table.weight"},
        ),
        right(
            "an index for every sample, and dropout as one more argument",
            {
                "d_model: int)": "d_model: int, dropout: float = 0.0)",
                "self.table =": "self.dropout = nn.Dropout(dropout)\n        self.table =",
                f"x + {LOOKED_UP}": f"self.dropout(x + self.table({LOOK_UP}.expand(len(x), -1)))",
            },
        ),
    ),
)
