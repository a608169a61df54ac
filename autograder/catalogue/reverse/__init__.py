"""Stage 07: sequences and the same sequences backwards, and the loss of a model that guesses them."""

from autograder.catalogue.reverse.reverse_dataset import REVERSE_DATASET
from autograder.catalogue.reverse.reverse_loss import REVERSE_LOSS

EXERCISES = (REVERSE_DATASET, REVERSE_LOSS)
