"""What the exercises of this stage have in common."""

from autograder.catalogue import exercise
from autograder.catalogue.checks import finite, is_true
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.exercise import Criterion

OF_TORCH = "What is the type of `torch.arange(3) < 2`, and what is its dtype?"


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
            mistake("numbers instead of booleans", {mask: f"({mask}).float()"}).because(
                "Your mask's entries are numbers; return booleans."
            ),
            mistake("an array of NumPy", {mask: f"({mask}).numpy()"}).because(
                "Your mask is a NumPy array; return a tensor."
            ),
            mistake("nested lists", {mask: f"({mask}).tolist()"}).because(
                "Your mask is a list of lists; return a tensor."
            ),
        ),
        mistake("more than two axes", {mask: f"({mask}){more}"}).because(
            f"Your mask already has the axes of the scores; return {shape}, and `expand_mask` adds the rest.",
            f"How many axes does {shape} have?",
        ),
    )
