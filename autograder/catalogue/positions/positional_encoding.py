"""PositionalEncoding(d_model, max_len=5000): sines and cosines."""

import math

import numpy as np
import torch
from torch import nn

import course_lib.model.positions as reference
from autograder.catalogue.checks import is_true, matches, shaped_like_answer, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.positions.positional_encoding_wrong import COSINES, MISTAKES, SINES
from autograder.judging.results import Check, Finding, Results, close

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


def clear_error(case: str, length: int, max_len: int) -> Check:
    """The case ends in an exception whose message is not PyTorch's own, and gives one of the two numbers."""

    def check(results: Results) -> Finding | None:
        error = results.found.get(case, {}).get("error")
        if error is None:
            return Finding(f"{length} tokens for {max_len} positions gave no error", case)
        if "must match the size of tensor" in error["message"]:
            return Finding("the error comes from broadcasting: it does not say that the sequence is too long", case)
        if str(length) not in error["message"] and str(max_len) not in error["message"]:
            return Finding(f"the error names neither the length ({length}) nor max_len ({max_len})", case)
        return None

    return check


class ByExpAndLog(nn.Module):
    """The exponential of a logarithm; an assert; dropout as an extra argument."""

    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
        self.register_buffer("pe", pe.unsqueeze(0), persistent=False)

    def forward(self, x):
        assert x.size(1) <= self.pe.size(1), f"sequence too long: {x.size(1)} > {self.pe.size(1)}"
        return self.dropout(x + self.pe[:, : x.size(1)].requires_grad_(False))


class ByPhase(nn.Module):
    """A cosine is a sine a quarter turn later; a loop; an IndexError in its own words."""

    def __init__(self, d_model: int, max_len: int = 5000):
        super().__init__()
        self.max_len, columns = max_len, []
        t = torch.arange(max_len).double()
        for column in range(d_model):
            angle = t / 10000 ** (2 * (column // 2) / d_model)
            columns.append(torch.sin(angle + (column % 2) * math.pi / 2))
        self.register_buffer("pe", torch.stack(columns, dim=-1)[None].to(torch.get_default_dtype()), persistent=False)

    def forward(self, embeddings):
        length = embeddings.shape[-2]
        if length > self.max_len:
            raise IndexError(f"only {self.max_len} positions")
        return embeddings.add(self.pe.narrow(1, 0, length))


TABLE_HOLDS = matches("printed by CodeEmporium")

POSITIONAL_ENCODING = Exercise(
    id="PositionalEncoding",
    title="Sines and cosines for positions",
    reference=reference.PositionalEncoding,
    cases=(
        Case(
            "printed by CodeEmporium",
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
        Case("tokens in training", tokens(6, 11, 3, 5, 6, ask="training"), like="tokens"),
        Case("tokens after another call", tokens(6, 11, 3, 5, 6, ask="afterwards"), like="tokens"),
        Case("gradient", tokens(6, 11, 3, 5, 6, ask="gradient")),
        Case("as many as there are", tokens(6, 7, 2, 7, 6)),
        Case("one token more", tokens(6, 12, 2, 13, 6, ask="output")),
    ),
    properties=(
        Property("the table of sines and cosines", 3, TABLE_HOLDS, matches("a wider table"), matches("some width")),
        Property(
            "an odd d_model",
            1,
            shaped_like_answer("odd width"),
            shaped_like_answer("width one"),
            where(TABLE_HOLDS, matches("odd width"), matches("width one")),
            is_true("odd width", ["table"], lambda table: abs(table[0, :, -1]).max() > 0, "the last column is empty"),
        ),
        Property(
            "added to the tokens of every sample",
            1.5,
            is_true("tokens", ["added", "own"], added_to_every_sample, "what is added is not pe, row by row"),
            is_true(
                "as many as there are", ["added", "own"], added_to_every_sample, "max_len tokens do not get all of pe"
            ),
            unmoved("tokens", "tokens in training", "added", text="in training something else is added"),
            unmoved("tokens", "tokens after another call", "added", text="what an earlier call has seen is added"),
            is_true("gradient", ["of_x"], lambda of_x: abs(of_x).min() > 0.1, "no gradient gets through to the tokens"),
        ),
        Property(
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
        Property(
            "a buffer that is not saved",
            1,
            is_true(
                "kept",
                ["buffer", "saved"],
                lambda buffer, saved: bool(buffer) and saved == 0,
                "pe is not a buffer, or it is saved in the state dict",
            ),
        ),
        Property("too long a sequence is a clear error", 1, clear_error("one token more", 13, 12)),
    ),
    mistakes=MISTAKES,
    hints=(
        "First the frequencies, one for each pair of columns: 10000 ** (−2i / d_model).",
        "positions[:, None] * frequencies is a table of angles; sin of it goes to pe[:, 0::2], cos to pe[:, 1::2].",
        "With an odd width there is one cosine column fewer than there are sine columns.",
    ),
    right_variants=(
        ByExpAndLog,
        ByPhase,
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
