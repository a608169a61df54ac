"""What the exercises of this stage have in common."""

from autograder.catalogue import exercise
from autograder.catalogue.checks import finite, is_true
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.exercise import Criterion

OF_TORCH = "Which function of torch makes the same, and which dtype has its result?"


def common_criterion(case: str) -> Criterion:
    """Something comes back in this case, and nothing else changes."""
    return exercise.common_criterion(0.5, finite(case, text="no finite numbers came back"))


def boolean_and_kept(case: str) -> Criterion:
    """The mask is a boolean tensor, and nothing else changes."""
    text = "the mask is not a boolean tensor"
    boolean = is_true(case, ["mask", "tensor"], lambda mask, tensor: mask.dtype == bool and tensor, text)
    return exercise.common_criterion(0.5, boolean)


def of_another_kind(mask: str, shape: str, more: str):
    """Rows in which the expression `mask` gives the right entries, of `shape`, in another form."""
    return (
        *with_question(
            OF_TORCH,
            mistake(
                "numbers instead of booleans", {mask: f"({mask}).float()"}, "The entries are numbers and not booleans."
            ),
            mistake(
                "an array of NumPy", {mask: f"({mask}).numpy()"}, "The mask is an array of NumPy and not a tensor."
            ),
            mistake("nested lists", {mask: f"({mask}).tolist()"}, "The mask is a list of lists and not a tensor."),
        ),
        mistake("more than two axes", {mask: f"({mask}){more}"}).because(
            f"Your mask has axes for the scores already; asked for is {shape}, and others add the rest.",
            f"How many axes has {shape}?",
        ),
    )
