"""EncoderBlock(input_dim, num_heads, dim_feedforward, dropout=0.0, *, rngs) as a flax module: post-norm."""

import numpy as np
import torch
from flax import nnx

import course_lib.jax.model as reference
from autograder.catalogue.checks import forgets, is_true, matches, moved, unmoved, where
from autograder.catalogue.common_jax_mistakes import NO_KEY
from autograder.catalogue.edits import right
from autograder.catalogue.encoder.block_cases import DIM, block, masked
from autograder.catalogue.encoder.block_checks import DROPOUT, GRADIENTS, MASK, VALUES, WIRING
from autograder.catalogue.encoder.encoder_block import ENCODER_BLOCK, NORMS_OF_X
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_model.encoder_block_mistakes import MISTAKES, SAME_MASK, TOGETHER
from autograder.catalogue.jax_model.module_checks import (
    DRAWS,
    JIT,
    KEYS,
    OWN_KEYS,
    SILENT,
    STATE,
    in_flax,
    keyed,
    state,
    traced,
    with_keys_alone,
)
from course_lib.jax.layers import FeedForward, LayerNorm, MultiheadAttention

FAR = "sums far from 0"
NOT_SHARED = ("all ones, dropped",)  # here entries that drop are looked at one by one
DROPS = "dropout of both sub-layers, and inside"
NORM = "nnx.LayerNorm(input_dim, epsilon=1e-5, use_fast_variance=False, rngs=rngs)"
PLACED, WHOLE, HIDES = (
    "the parts in the right places",
    "values, with your own parts, each sample by itself",
    "mask is respected",
)


class TwoDropouts(nnx.Module):
    """A dropout for each sub-layer, arguments spelled out, other names for them."""

    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0, *, rngs):
        self.norm1, self.norm2 = (LayerNorm(input_dim, rngs=rngs) for _ in range(2))
        self.linear_net = FeedForward(input_dim, dim_feedforward, dropout, rngs=rngs)
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads, rngs=rngs)
        self.dropout1, self.dropout2 = nnx.Dropout(dropout), nnx.Dropout(dropout)

    def __call__(self, src, src_mask=None, *, deterministic=True, rngs=None):
        attended = self.self_attn(src, mask=src_mask)
        src = self.norm1(self.dropout1(attended, deterministic=deterministic, rngs=rngs) + src)
        hidden = self.linear_net(src, deterministic=deterministic, rngs=rngs)
        return self.norm2(src + self.dropout2(hidden, deterministic=deterministic, rngs=rngs))


def long(g, rate=0.5, **settings):
    """A block, and more tokens than elsewhere: enough entries to compare two masks."""
    return block(g, rate, **settings) | {"x": torch.randn(4, 17, DIM, generator=g)}


def halves(first, second):
    return all(np.isin(mask, (0, 2)).all() and 0.3 < (mask == 0).mean() < 0.7 for mask in (first, second))


def far_from_zero(g):
    """What both norms get has a mean of 300, where a variance from squares loses its digits."""
    inputs = block(g)
    for name in ("self_attn.o_proj.bias", "linear_net.3.bias"):
        inputs["weights"][name] = inputs["weights"][name] + 300
    return inputs


def entrywise(*masks):
    """Whether no axis has the same mask all along."""
    return all((mask == mask.take([0], axis)).mean() < 0.9 for mask in masks for axis in range(mask.ndim))


def differ(first, second):
    return (first != second).mean() > 0.2


JAX_ENCODER_BLOCK = Exercise(
    id="jax_EncoderBlock",
    title="The encoder block as a flax module",
    reference=reference.EncoderBlock,
    answer_key_of=ENCODER_BLOCK,
    cases=(
        *(case for case in ENCODER_BLOCK.cases if case.name not in NOT_SHARED),
        Case("traced", lambda g: block(g, ask="jit"), same_as="values"),
        Case("masked, traced", lambda g: masked(g) | {"ask": "jit"}, same_as="masked"),
        Case(FAR, far_from_zero, tolerance=3e-4, same_as="values"),
        Case("draws", lambda g: block(g, ask="draws"), same_as="values"),
        *keyed(block),
        with_keys_alone(block),
        Case("masks of the two dropouts", lambda g: long(g, training=True, ask="masks")),
    ),
    criteria=(
        Criterion(STATE, 0.5, *state(), *DRAWS),
        Criterion(PLACED, 1, WIRING),
        Criterion(WHOLE, 0.75, *VALUES),
        Criterion("norms of the sum", 0.25, NORMS_OF_X, where(matches("values"), matches(FAR))),
        Criterion(HIDES, 0.75, *MASK),
        Criterion(DROPS, 0.5, *DROPOUT),
        Criterion(
            KEYS,
            0.5,
            unmoved("dropped", "dropped again", text=NO_KEY),
            moved("dropped", "dropped, another key", text="another key drops the same entries"),
            SILENT,
            is_true("masks of the two dropouts", ["first", "second"], halves, "ones don't become 0 or 1 / (1 − rate)"),
            is_true("masks of the two dropouts", ["first", "second"], differ, SAME_MASK),
            is_true("masks of the two dropouts", ["first", "second"], entrywise, TOGETHER),
            OWN_KEYS,
        ),
        Criterion(JIT, 0.25, traced(), traced("masked", "masked, traced")),
        common_criterion(0.25, forgets("values")),
        Criterion("gradients reach every parameter", 0.25, *in_flax(*GRADIENTS)),
    ),
    mistakes=MISTAKES,
    forbidden=("MultiHeadAttention", "dot_product_attention", "MultiHeadDotProductAttention", "SelfAttention"),
    right_variants=(
        right("a norm of flax itself", {"LayerNorm(input_dim, rngs=rngs)": NORM}, times=2),
        TwoDropouts,
    ),
)
