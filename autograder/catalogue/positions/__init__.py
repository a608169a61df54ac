"""Stage 03: sines and cosines, and learned positions."""

from autograder.catalogue.positions.learned_positions import LEARNED_POSITIONS
from autograder.catalogue.positions.positional_encoding import POSITIONAL_ENCODING

EXERCISES = (POSITIONAL_ENCODING, LEARNED_POSITIONS)
