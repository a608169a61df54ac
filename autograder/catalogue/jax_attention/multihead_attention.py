"""multihead_attention(params, x, num_heads, mask=None) → (output, attention), as a function of its parameters."""

import course_lib.jax.attention as reference
from autograder.catalogue import exercise
from autograder.catalogue.checks import forgets, matches, same_alone, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.jax_attention.multihead_attention_mistakes import HEADS, MERGED, MISTAKES
from autograder.catalogue.multi_head.both_layers import REFUSED
from autograder.catalogue.multi_head.multihead_attention import (
    ATTENTION_HOLDS,
    LISTENS,
    MULTIHEAD_ATTENTION,
    PARAMETERS,
    VALUES_HOLD,
    layer,
    masked,
)

NOT_SHARED = ("parameters", "plainly", "in training")
CHECKS = {share.name: share.checks for share in MULTIHEAD_ATTENTION.criteria}
ADJACENT = "q, k and v of a head lie next to each other"
JIT, GRADIENTS = "it works under jit and vmap", "gradients reach every parameter and x"
NAMES = (*PARAMETERS, "x")

BY_VMAP = "scaled_dot_product(q, k, v, mask) if mask is not None else jax.vmap(scaled_dot_product, 1, 1)(q, k, v)"
RETURNED = 'values @ o_proj["kernel"] + o_proj["bias"], attention'

JAX_MULTIHEAD_ATTENTION = Exercise(
    id="jax_multihead_attention",
    title="Multi-head attention as a function of its parameters",
    reference=reference.multihead_attention,
    answer_key_of=MULTIHEAD_ATTENTION,
    cases=(
        *(case for case in MULTIHEAD_ATTENTION.cases if case.name not in NOT_SHARED),
        Case("traced", lambda g: layer(g, ask="jit"), same_as="values"),
        Case("masked, traced", lambda g: masked(g) | {"ask": "jit"}, same_as="masked"),
        Case("two layers at once", lambda g: layer(g, ask="ensemble"), same_as="values"),
    ),
    criteria=(
        Criterion("values", 1, VALUES_HOLD, where(VALUES_HOLD, ATTENTION_HOLDS)),
        Criterion(ADJACENT, 0.25, *CHECKS[ADJACENT]),
        Criterion("input_dim may differ from embed_dim", 0.5, *CHECKS["input_dim may differ from embed_dim"]),
        Criterion(
            "mask is respected",
            1,
            *CHECKS["mask is respected"],
            *CHECKS["masks of any rank and kind"],
        ),
        Criterion(
            "nothing but a sample and its mask decides",
            0.25,
            LISTENS,
            unmoved(
                "values",
                "another second sample",
                at=lambda o: o[:1] if o.ndim else o,
                text="one sample changes the output of another",
            ),
            same_alone("values", "the first sample alone", 0),
        ),
        Criterion(
            JIT,
            0.5,
            LISTENS,
            unmoved("values", "traced", text="under jit the numbers differ"),
            unmoved("masked", "masked, traced", text="under jit, with a mask, the numbers differ"),
            unmoved(
                "values", "two layers at once", text="vmap over the parameters of two layers gives different numbers"
            ),
        ),
        Criterion(
            GRADIENTS,
            0.5,
            gradients_reach("gradients", NAMES, ("x",)),
            where(matches("values"), gradients_whole("gradients", NAMES)),
            where(matches("masked"), gradients_whole("gradients under a mask", NAMES)),
        ),
        *(share for share in MULTIHEAD_ATTENTION.criteria if share.name == REFUSED),
        exercise.common_criterion(0.5, forgets("values")),
    ),
    mistakes=MISTAKES,
    forbidden=("dot_product_attention", "MultiHeadAttention", "MultiHeadDotProductAttention", "SelfAttention"),
    right_variants=(
        right("heads by vmap", {HEADS: BY_VMAP}),
        right("a list", {f"return {RETURNED}": f"return [{RETURNED}]"}),
        right("by einsum", {MERGED: 'jnp.einsum("bhtd->bthd", values).reshape(B, T, -1)'}),
    ),
)
