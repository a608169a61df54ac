"""Stage 01: softmax, the scaled dot product, and the masks."""

from autograder.catalogue.attention.causal_mask import CAUSAL_MASK
from autograder.catalogue.attention.expand_mask import EXPAND_MASK
from autograder.catalogue.attention.padding_mask import PADDING_MASK
from autograder.catalogue.attention.scaled_dot_product import SCALED_DOT_PRODUCT
from autograder.catalogue.attention.softmax import SOFTMAX

EXERCISES = (SOFTMAX, SCALED_DOT_PRODUCT, CAUSAL_MASK, PADDING_MASK, EXPAND_MASK)
