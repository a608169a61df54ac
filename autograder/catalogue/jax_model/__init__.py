"""Stage 22: the encoder and the predictor as flax modules that hold parameters only."""

from autograder.catalogue.jax_model.encoder_block import JAX_ENCODER_BLOCK
from autograder.catalogue.jax_model.positional_encoding import JAX_POSITIONAL_ENCODING
from autograder.catalogue.jax_model.predictor import JAX_PREDICTOR
from autograder.catalogue.jax_model.transformer_encoder import JAX_TRANSFORMER_ENCODER

EXERCISES = (JAX_POSITIONAL_ENCODING, JAX_ENCODER_BLOCK, JAX_TRANSFORMER_ENCODER, JAX_PREDICTOR)
