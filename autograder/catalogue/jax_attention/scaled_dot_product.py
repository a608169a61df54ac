"""scaled_dot_product(q, k, v, mask=None) → (values, attention), as a pure function."""

import jax
import jax.numpy as jnp

import course_lib.jax.attention as reference
from autograder.catalogue import exercise
from autograder.catalogue.attention.attention_cases import mask_of, masked, one_query_fully_masked, qkv
from autograder.catalogue.attention.scaled_dot_product import HIDES as HIDES_IN_TORCH
from autograder.catalogue.attention.scaled_dot_product import REACH, SEES_NOTHING, hides_what_it_should
from autograder.catalogue.attention.scaled_dot_product import SCALED_DOT_PRODUCT as OF_TORCH
from autograder.catalogue.checks import fits, is_true, matches, matches_expected_of, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.jax_attention.scaled_dot_product_mistakes import LOWEST, MASKED, MISTAKES, NAN_IN_HALF

CHECKS = {share.name: share.checks for share in OF_TORCH.criteria}
VALUES_HOLD = matches("batch and heads")
KEPT_DTYPE = "float16 in, float16 out"
MASKS = {"a mask [S] for all": (7,), "a mask [h, L, S]": (3, 5, 7)}


def by_einsum(query, key, value, mask=None):
    scores = jnp.einsum("...ld,...sd->...ls", query, key) * key.shape[-1] ** -0.5
    if mask is not None:
        scores = jnp.where(mask.astype(bool), scores, jnp.finfo(scores.dtype).min)
    attention = jax.nn.softmax(scores)
    return jnp.einsum("...ls,...sd->...ld", attention, value), attention


JAX_SCALED_DOT_PRODUCT = Exercise(
    id="jax_scaled_dot_product",
    title="Scaled dot-product attention, pure",
    reference=reference.scaled_dot_product,
    answer_key_of=OF_TORCH,
    cases=(
        *OF_TORCH.cases,
        Case("traced", lambda g: qkv(g, 2, 3) | {"ask": "jit"}, same_as="batch and heads"),
        Case("masked, traced", lambda g: masked(g) | {"ask": "jit"}, same_as="masked"),
        Case("vmapped twice", lambda g: qkv(g, 2, 3) | {"ask": "vmap"}, same_as="batch and heads"),
        Case("masked, vmapped twice", lambda g: masked(g) | {"ask": "vmap"}, same_as="masked"),
        Case(KEPT_DTYPE, lambda g: one_query_fully_masked(g) | {"ask": "float16"}, same_as="masked"),
        *(Case(name, mask_of(*shape)) for name, shape in MASKS.items()),
    ),
    criteria=(
        Criterion(
            "values",
            1.5,
            *CHECKS["values"],
            *CHECKS["each query's weights sum to 1"],
            *CHECKS["any leading dimensions"],
        ),
        Criterion(
            "the mask is respected",
            1.5,
            *CHECKS[HIDES_IN_TORCH],
            *CHECKS["a mask may be boolean or 0/1"],
            *CHECKS[SEES_NOTHING],
            *(fits(case, ["attention"], ["mask"], hides_what_it_should, f"{case} hides other keys") for case in MASKS),
        ),
        Criterion(
            "it works under jit and vmap",
            1,
            unmoved("batch and heads", "traced", text="under jit the numbers differ"),
            unmoved("masked", "masked, traced", text="under jit, with a mask, the numbers differ"),
            unmoved("batch and heads", "vmapped twice", text="vmap over batch and heads gives different numbers"),
            unmoved("masked", "masked, vmapped twice", text="vmap under one mask gives different numbers"),
            where(VALUES_HOLD, matches_expected_of("batch and heads", "traced")),
        ),
        Criterion("gradients reach q, k and v", 0.5, *CHECKS[REACH]),
        exercise.common_criterion(
            0.5,
            is_true(KEPT_DTYPE, ["values"], bool, "float16 in, and the values are not float16"),
            is_true(KEPT_DTYPE, ["attention"], bool, "float16 in, and the attention is not float16"),
            where(
                is_true("a query that sees nothing", ["finite"], bool, ""),
                is_true(KEPT_DTYPE, ["finite"], bool, NAN_IN_HALF),
            ),
        ),
    ),
    mistakes=MISTAKES,
    forbidden=("dot_product_attention", "MultiHeadAttention", "MultiHeadDotProductAttention", "SelfAttention"),
    right_variants=(
        right(
            "minus infinity, then zero",
            {
                LOWEST: "-jnp.inf",
                "    return": "    attention = jnp.where(jnp.isnan(attention), 0.0, attention)\n    return",
            },
        ),
        right("swapped by mT", {"jnp.swapaxes(k, -2, -1)": "k.mT"}),
        right("by a method", {"jnp.swapaxes(k, -2, -1)": "k.swapaxes(-1, -2)"}),
        right(
            "a bias instead of a choice",
            {MASKED: f"scores + jnp.where(mask == 0, {LOWEST} / 2, 0.0)"},
        ),
        right("softmax with where", {"jax.nn.softmax(scores, axis=-1)": "jnp.exp(jax.nn.log_softmax(scores))"}),
        by_einsum,
    ),
)
