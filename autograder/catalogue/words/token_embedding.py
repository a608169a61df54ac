"""TokenEmbedding(vocab_size, dim, pad=0): rows of a table."""

import numpy as np
import torch

import course_lib.model.embedding as reference
from autograder.catalogue.checks import finite, fits, forgets, is_true, matches, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.words.token_embedding_mistakes import BOUND, COLUMN, LOOKED_UP, MISTAKES, ROOT, ZERO

VOCAB, DIM = 11, 7
MANY = 131  # so many rows that 1/√vocab_size is far from 1/√dim
NAMES, ROWS, SCALED = "the parameter of the contract", "the row of each token", "times √dim"
NOT_ROWS = "the result is not the row of each token"
BY_INDEX = "torch.where(tokens[..., None] == self.pad, self.table.detach()[tokens], self.table[tokens])"
START, LEARNS = "the row of pad is zero at the start", "all rows learn but that of pad"
BLOCKED = "the row of pad gets no gradient, whatever the table is used for"
SMALL = "entries of about 1/√dim at the start"


def layer(g, *shape, ask="answer", pad=0, vocab=VOCAB, zero=True):
    """A table whose row of pad is zero, or has been trained elsewhere, and tokens, pad among them."""
    table = torch.randn(VOCAB, DIM, generator=g)
    if zero:
        table[pad] = 0
    tokens = torch.randint(VOCAB, shape, generator=g)
    tokens.view(-1)[:3] = torch.tensor([pad, VOCAB - 1, 0])
    arguments = {"vocab_size": vocab, "dim": DIM} | ({"pad": pad} if pad else {})
    return {"arguments": arguments, "weights": {"table": table}, "tokens": tokens, "ask": ask}


def factor(vectors, tokens, table):
    """What the rows of the student's own table were multiplied by; None where they are no such rows."""
    rows = table[tokens]
    by = (vectors * rows).sum() / max((rows * rows).sum(), 1e-9)
    return by if abs(by) > 1e-3 and vectors.shape == rows.shape and np.allclose(vectors, by * rows, atol=1e-4) else None


def are_rows(vectors, table, tokens):
    return factor(vectors, tokens, table) is not None


def times_root(vectors, table, tokens):
    by = factor(vectors, tokens, table)
    return by is None or abs(by - DIM**0.5) < 1e-3


def of_tokens(rule, text, *cases):
    return (fits(case, ["vectors", "table"], ["tokens"], rule, text) for case in cases)


def zero_row(pad):
    return lambda table: not table[pad].any() and np.abs(np.delete(table, pad, axis=0)).max(axis=1).min() > 1e-4


def spread(table):
    """The standard deviation of the rows, without that of pad, times √dim: of 910 right draws, 0.8 is 8 errors off."""
    return table[1:].std() * DIM**0.5


def small_at_first(table):
    return 0.8 < spread(table) < 1.25


def not_up_to_the_root(table):
    """Not those of uniform numbers between ±1/√dim, whose standard deviation is 1/√(3 · dim)."""
    return not (0.5 < spread(table) < 0.65 and np.abs(table).max() * DIM**0.5 <= 1)


def learns(pad):
    """The rows that were used get a gradient, that of pad and those that were not used get none."""

    def rule(gradients, tokens):
        used = np.setdiff1d(tokens, pad)
        others = np.setdiff1d(np.arange(VOCAB), used)
        return np.abs(gradients[used]).min() > 1e-3 and not gradients[others].any()

    return rule


def learns_elsewhere(by_look_up, elsewhere):
    """Every row gets a gradient where the whole table is used; asked of a table that learns at all."""
    return elsewhere.all() or not by_look_up.any()


def asked_with(g, ask, pad=0, vocab=VOCAB):
    return layer(g, 3, 5, ask=ask, pad=pad, vocab=vocab)


TOKEN_EMBEDDING = Exercise(
    id="TokenEmbedding",
    title="The table of word vectors",
    reference=reference.TokenEmbedding,
    cases=(
        Case("parameters", lambda g: asked_with(g, "parameters")),
        Case("tokens", lambda g: layer(g, 3, 5)),
        Case("tokens in training", lambda g: asked_with(g, "training"), same_as="tokens"),
        Case("tokens after another call", lambda g: asked_with(g, "afterwards"), same_as="tokens"),
        Case("one sentence", lambda g: layer(g, 13)),
        Case("three axes", lambda g: layer(g, 2, 3, 5)),
        Case("another pad", lambda g: layer(g, 3, 5, pad=4)),
        Case("a trained row of pad", lambda g: layer(g, 3, 5, pad=4, zero=False)),
        Case("start", lambda g: asked_with(g, "start", vocab=MANY)),
        Case("start with another pad", lambda g: asked_with(g, "start", pad=4)),
        Case("gradients", lambda g: asked_with(g, "gradients")),
        Case("gradients with another pad", lambda g: asked_with(g, "gradients", pad=4)),
    ),
    criteria=(
        Criterion(NAMES, 0.5, matches("parameters")),
        Criterion(
            ROWS,
            0.75,
            *of_tokens(
                are_rows, NOT_ROWS, "tokens", "one sentence", "three axes", "another pad", "a trained row of pad"
            ),
            unmoved("tokens", "tokens in training", text="in training the result differs"),
            forgets("tokens", "tokens after another call"),
        ),
        Criterion(SCALED, 0.5, *of_tokens(times_root, "the rows are not times √dim", "tokens", "three axes")),
        Criterion(
            START,
            0.25,
            is_true("start", ["table"], lambda table: table[:, 0].any() or not table.any(), COLUMN),
            is_true("start", ["table"], zero_row(0), "the row of pad is not zero, or another row is"),
            is_true("start with another pad", ["table"], zero_row(4), "the row of pad, 4, is not zero"),
        ),
        Criterion(
            SMALL,
            0.25,
            is_true("start", ["table"], not_up_to_the_root, BOUND),
            is_true("start", ["table"], small_at_first, "the standard deviation is not about 1/√dim"),
        ),
        Criterion(
            LEARNS,
            0.5,
            *(
                fits(
                    case, ["gradients"], ["tokens"], learns(pad), f"with pad {pad} another row, or that of pad, learns"
                )
                for case, pad in (("gradients", 0), ("gradients with another pad", 4))
            ),
            where(matches("tokens", "vectors"), matches("gradients", "gradients")),
            is_true("gradients", ["gradients", "gradient_elsewhere"], learns_elsewhere, BLOCKED),
        ),
        common_criterion(0.25, finite("tokens", text="no numbers came back")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("rows by indexing, that of pad detached", {LOOKED_UP: BY_INDEX}),
        right(
            "zero under no_grad, the root of math",
            {
                ZERO: "pass",
                "nn.Parameter(table), pad": "nn.Parameter(table), pad\n        with torch.no_grad():\n"
                "            self.table[pad].fill_(0.0)",
                ROOT: "math.sqrt(self.table.size(-1))",
            },
        ),
    ),
)
