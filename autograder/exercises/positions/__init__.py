"""Stage 03: sines and cosines, and learned positions."""

from autograder.exercises.positions.learned_positions import LEARNED_POSITIONS
from autograder.exercises.positions.positional_encoding import POSITIONAL_ENCODING

EXERCISES = (POSITIONAL_ENCODING, LEARNED_POSITIONS)
