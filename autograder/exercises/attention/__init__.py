"""Stage 01: softmax, the scaled dot product, and the masks."""

from autograder.exercises.attention.causal_mask import CAUSAL_MASK
from autograder.exercises.attention.expand_mask import EXPAND_MASK
from autograder.exercises.attention.padding_mask import PADDING_MASK
from autograder.exercises.attention.scaled_dot_product import SCALED_DOT_PRODUCT
from autograder.exercises.attention.softmax import SOFTMAX

EXERCISES = (SOFTMAX, SCALED_DOT_PRODUCT, CAUSAL_MASK, PADDING_MASK, EXPAND_MASK)
