"""PositionalEncoding(d_model, max_len=5000): sines and cosines."""

import math

import numpy as np
import torch

import course_lib.model.positions as reference
from autograder.catalogue.checks import is_true, matches, shaped_as_expected, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.positions.adding import TRAINING, forgets_other_calls, refuses_and_keeps
from autograder.catalogue.positions.positional_encoding_mistakes import COSINES, EXPONENTS, GROW, MISTAKES, ROWS, SINES
from autograder.catalogue.results import close

PRINTED = [  # d_model 6, 10 positions
    [0.0000, 1.0000, 0.0000, 1.0000, 0.0000, 1.0000],
    [0.8415, 0.5403, 0.0464, 0.9989, 0.0022, 1.0000],
    [0.9093, -0.4161, 0.0927, 0.9957, 0.0043, 1.0000],
    [0.1411, -0.9900, 0.1388, 0.9903, 0.0065, 1.0000],
    [-0.7568, -0.6536, 0.1846, 0.9828, 0.0086, 1.0000],
    [-0.9589, 0.2837, 0.2300, 0.9732, 0.0108, 0.9999],
    [-0.2794, 0.9602, 0.2749, 0.9615, 0.0129, 0.9999],
    [0.6570, 0.7539, 0.3192, 0.9477, 0.0151, 0.9999],
    [0.9894, -0.1455, 0.3629, 0.9318, 0.0172, 0.9999],
    [0.4121, -0.9111, 0.4057, 0.9140, 0.0194, 0.9998],
]


def encoding(d_model, max_len=None, **settings):
    arguments = {"d_model": d_model} | ({} if max_len is None else {"max_len": max_len})
    return lambda g: {"arguments": arguments} | settings


def tokens(d_model, max_len, *shape, ask="added"):
    return lambda g: encoding(d_model, max_len)(g) | {"x": torch.randn(*shape, generator=g), "ask": ask}


def some_width(g):
    """An even width that nobody can have counted on."""
    return encoding(2 * int(torch.randint(4, 9, (), generator=g)), 13)(g)


def added_to_every_sample(added, own):
    return (
        own.shape == added.shape[1:]
        and close(added, np.broadcast_to(own, added.shape), 1e-5)
        and abs(own[1:] - own[:-1]).max() > 0.005
    )


def fall(table):
    """Row 1 does not hold sine and cosine of 10000^(2/6) in its second pair; for larger numbers rounding decides."""
    return not close(table[0, 1, 2:4], np.array([math.sin(10000 ** (1 / 3)), math.cos(10000 ** (1 / 3))]), 1e-3)


PUBLISHED = "published example (CodeEmporium)"
BUFFER = "a buffer that is not saved"
TABLE_HOLDS = matches(PUBLISHED)

POSITIONAL_ENCODING = Exercise(
    id="PositionalEncoding",
    title="Sines and cosines for positions",
    reference=reference.PositionalEncoding,
    cases=(
        Case(
            PUBLISHED,
            encoding(6, 10),
            printed={"table": [PRINTED]},
            source="CodeEmporium (A. Halthor), Transformer-Neural-Network, Positional_Encoding notebook",
            tolerance=1e-4,
        ),
        Case("a wider table", encoding(14, 23)),
        Case("some width", some_width),
        Case("odd width", encoding(7, 11)),
        Case("width one", encoding(1, 5)),
        Case("the default", encoding(6, ask="ends"), tolerance=5e-3),
        Case("kept", encoding(6, 11, ask="kept")),
        Case("kept by default", encoding(6, ask="kept")),
        Case("tokens", tokens(6, 11, 3, 5, 6)),
        Case("tokens in training", tokens(6, 11, 3, 5, 6, ask="training"), same_as="tokens"),
        Case("tokens after another call", tokens(6, 11, 3, 5, 6, ask="afterwards"), same_as="tokens"),
        Case("gradient", tokens(14, 11, 3, 5, 14, ask="gradients")),  # wider than max_len
        Case("as many as there are", tokens(6, 7, 2, 7, 6)),
        Case(
            "in double precision",
            lambda g: (inputs := tokens(6, 11, 3, 5, 6, ask="output")(g)) | {"x": inputs["x"].double()},
        ),
        Case("one token more", tokens(6, 12, 2, 13, 6, ask="output")),
    ),
    criteria=(
        Criterion(
            "the table of sines and cosines",
            3,
            shaped_as_expected(PUBLISHED),
            is_true(PUBLISHED, ["table"], fall, GROW),
            TABLE_HOLDS,
            matches("a wider table"),
            matches("some width"),
        ),
        Criterion(
            "an odd d_model",
            1,
            shaped_as_expected("odd width"),
            shaped_as_expected("width one"),
            where(TABLE_HOLDS, matches("odd width"), matches("width one")),
            is_true("odd width", ["table"], lambda table: abs(table[0, :, -1]).max() > 0, "the last column is empty"),
        ),
        Criterion(
            "added to the tokens of every sample",
            1.5,
            is_true("tokens", ["added", "own"], added_to_every_sample, "what is added is not pe, row by row"),
            is_true(
                "as many as there are", ["added", "own"], added_to_every_sample, "max_len tokens do not get all of pe"
            ),
            unmoved("tokens", "tokens in training", "added", text=TRAINING),
            *forgets_other_calls(),
            is_true("gradient", ["of_x"], lambda of_x: abs(of_x).min() > 0.1, "no gradient reaches the tokens"),
        ),
        Criterion(
            "max_len positions, 5000 by default",
            0.5,
            is_true("kept", ["shape"], lambda shape: shape.tolist() == [1, 11, 6], "pe is not [1, max_len, d_model]"),
            is_true(
                "kept by default",
                ["shape"],
                lambda shape: shape.tolist() == [1, 5000, 6],
                "without max_len there are not 5000 positions",
            ),
            where(TABLE_HOLDS, matches("the default")),
        ),
        Criterion(
            BUFFER,
            1,
            is_true("kept", ["named"], bool, "the table has another name than pe"),
            is_true("kept", ["buffer"], bool, "pe is not a buffer"),
            is_true("kept", ["saved"], lambda saved: saved == 0, "the state dict is not empty"),
        ),
        *refuses_and_keeps("table", "ends", "own"),  # a table may have another dtype than what comes out
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(
            "by exp and log, and dropout as one more argument",
            {
                "max_len: int = 5000": "max_len: int = 5000, dropout: float = 0.0",
                f"10000.0 ** ({EXPONENTS})": "torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))",
                "_init__()": "_init__()\n        self.dropout = nn.Dropout(dropout)",
                f"x + {ROWS}": f"self.dropout(x + {ROWS}.requires_grad_(False))",
            },
        ),
        right("a cosine is a sine a quarter turn later", {"].cos()": "].add(math.pi / 2).sin()"}),
        right(
            "a table in double, cast when it is added",
            {
                "torch.zeros(1, max_len, d_model)": "torch.zeros(1, max_len, d_model).double()",
                ROWS: f"{ROWS}.to(x.dtype)",
            },
        ),
        right(
            "other names, and max_len by its name alone",
            {
                "self, d_model: int, max_len": "self, width: int, *, max_len",
                "_init__()": "_init__()\n        d_model = width",
            },
        ),
        right(
            "stacked and flattened",
            {
                SINES: "pe[0] = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]",
                COSINES: "pass",
            },
        ),
    ),
)
