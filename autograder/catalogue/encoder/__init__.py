"""Stage 04: layer norm, feed-forward, the encoder block in its two forms, and the stack."""

from autograder.catalogue.encoder.encoder_block import ENCODER_BLOCK
from autograder.catalogue.encoder.feed_forward import FEED_FORWARD
from autograder.catalogue.encoder.layer_norm import LAYER_NORM
from autograder.catalogue.encoder.pre_norm_block import PRE_NORM_ENCODER_BLOCK
from autograder.catalogue.encoder.transformer_encoder import TRANSFORMER_ENCODER

EXERCISES = (LAYER_NORM, FEED_FORWARD, ENCODER_BLOCK, PRE_NORM_ENCODER_BLOCK, TRANSFORMER_ENCODER)
