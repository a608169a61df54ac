"""How a model that an answer calls must be asked, and in which mode it must be left."""

from autograder.catalogue.checks import is_true
from autograder.catalogue.exercise import Criterion

QUIET = "eval mode, no gradients, the mode restored"


def quiet(points: float) -> Criterion:
    """In which modes the model is asked, and left: the cases `modes` and `an error`."""
    return Criterion(
        QUIET,
        points,
        is_true("modes", ["asked"], bool, "the model is never asked"),
        is_true("modes", ["was_training"], lambda was: not was, "the model is asked in training mode"),
        is_true("modes", ["had_gradients"], lambda had: not had, "the model is asked with gradients on"),
        is_true("an error", ["raised"], bool, "an error in the model does not reach the caller"),
        is_true("an error", ["restored"], bool, "after an error in the model its mode is not restored"),
    )
