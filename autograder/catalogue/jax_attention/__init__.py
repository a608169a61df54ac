"""Stage 21: attention as pure functions of arrays, parameters and keys."""

from autograder.catalogue.jax_attention.dropout import JAX_DROPOUT
from autograder.catalogue.jax_attention.expand_mask import JAX_EXPAND_MASK
from autograder.catalogue.jax_attention.init_attention import JAX_INIT_ATTENTION
from autograder.catalogue.jax_attention.multihead_attention import JAX_MULTIHEAD_ATTENTION
from autograder.catalogue.jax_attention.scaled_dot_product import JAX_SCALED_DOT_PRODUCT

EXERCISES = (
    JAX_SCALED_DOT_PRODUCT,
    JAX_EXPAND_MASK,
    JAX_INIT_ATTENTION,
    JAX_MULTIHEAD_ATTENTION,
    JAX_DROPOUT,
)
