"""PositionalEncoding(d_model, max_len=5000) as a flax module without state."""

import jax.numpy as jnp
import numpy as np
from flax import nnx

import course_lib.jax.model as reference
from autograder.catalogue.checks import is_true, matches, raises, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_model.positional_encoding_mistakes import ADDED, ANGLES, EXPONENTS, MISTAKES, STACKED
from autograder.catalogue.positions.adding import REFUSES
from autograder.catalogue.positions.positional_encoding import POSITIONAL_ENCODING as OF_TORCH
from autograder.catalogue.positions.positional_encoding import TABLE_HOLDS, encoding, tokens

NOT_SHARED = ("kept", "kept by default", "tokens in training")
CHECKS = {share.name: share.checks for share in OF_TORCH.criteria}
ADDED_TO_ALL, NO_STATE, JIT = "added to the tokens of every sample", "the module holds no state", "it works under jit"

ADDS = (  # nobody keeps a promise who adds nothing, or anything
    is_true("tokens", ["own"], lambda own: abs(own[1:] - own[:-1]).max() > 0.005, "every position gets the same"),
    is_true("tokens", ["steady"], bool, "a second call adds other numbers"),
)


class ByNumPy(nnx.Module):
    """A table made by NumPy while tracing, which JAX writes into the program as a constant."""

    def __init__(self, d_model, max_len=5000):
        self.width, self.longest = d_model, max_len

    def __call__(self, x):
        if x.shape[-2] > self.longest:
            raise ValueError(f"{x.shape[-2]} tokens, but max_len is {self.longest}")
        columns = np.arange(self.width)
        angles = np.arange(x.shape[-2])[:, None] / 10000.0 ** ((columns - columns % 2) / self.width)
        return x + jnp.asarray(np.where(columns % 2, np.cos(angles), np.sin(angles)), x.dtype)


JAX_POSITIONAL_ENCODING = Exercise(
    id="jax_PositionalEncoding",
    title="Sines and cosines, without state",
    reference=reference.PositionalEncoding,
    answer_key_of=OF_TORCH,
    cases=(
        *(case for case in OF_TORCH.cases if case.name not in NOT_SHARED),
        Case("state", encoding(6, 11, ask="state")),
        Case("traced", tokens(6, 11, 3, 5, 6, ask="jit"), same_as="tokens"),
        Case("wider than long", encoding(14, 5)),
        Case("5,001 tokens by default", tokens(2, None, 1, 5001, 2, ask="output")),
    ),
    criteria=(
        Criterion(
            "the rows of sines and cosines",
            0.5,
            *CHECKS["the table of sines and cosines"],
            where(TABLE_HOLDS, matches("the default"), matches("wider than long")),
        ),
        Criterion("an odd d_model", 0.25, *ADDS, *CHECKS["an odd d_model"]),
        Criterion(
            ADDED_TO_ALL,
            0.25,
            *CHECKS[ADDED_TO_ALL][:2],
            unmoved("tokens", "tokens after another call", "added", text="what an earlier call has seen is added"),
            is_true("gradient", ["of_x"], lambda of_x: abs(of_x).min() > 0.1, "no gradient gets through to the tokens"),
        ),
        Criterion(
            NO_STATE, 0.25, *ADDS, is_true("state", ["leaves"], lambda n: n == 0, "nnx.state(module) isn't empty")
        ),
        Criterion(JIT, 0.25, *ADDS, unmoved("tokens", "traced", "added", text="under jit the numbers differ")),
        Criterion(REFUSES, 0.25, *CHECKS[REFUSES], raises("5,001 tokens by default", "ValueError", "5001", "5000")),
        common_criterion(0.25, *ADDS),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("by exp and log", {f"10000.0 ** ({EXPONENTS})": f"jnp.exp({EXPONENTS} * jnp.log(10000.0))"}),
        right(
            "written into zeros",
            {
                STACKED: "jnp.zeros((length, self.d_model)).at[:, 0::2].set(jnp.sin(angles))"
                ".at[:, 1::2].set(jnp.cos(angles)[:, : self.d_model // 2])",
                ADDED: "x + pe",
            },
        ),
        right("angles by outer", {ANGLES: "jnp.outer(jnp.arange(length), frequencies)"}),
        ByNumPy,
    ),
)
