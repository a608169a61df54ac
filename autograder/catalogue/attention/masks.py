"""What `causal_mask` and `padding_mask` have in common: each gives a boolean tensor."""

from autograder.catalogue.checks import KEPT, dtypes_kept, is_true, nothing_else_changes
from autograder.catalogue.edits import wrong
from autograder.catalogue.exercise import Property

BOOLEAN = "What does a comparison give, before anything is done to it?"
OF_TORCH = "Which function of torch makes the same?"


def kept(case: str) -> Property:
    """The mask is a boolean tensor, and nothing else changes."""
    text = "the mask is not a boolean tensor"
    boolean = is_true(case, ["mask", "tensor"], lambda mask, tensor: mask.dtype == bool and tensor, text)
    return Property(KEPT, 0.5, boolean, nothing_else_changes(), dtypes_kept())


def of_another_kind(result: str, shape: str, more: str):
    """Rows in which the expression `result` gives the right entries, of `shape`, in another form."""
    return tuple(
        wrong(name, {result: f"({result}){made}"}, says, asks)
        for name, made, says, asks in (
            ("numbers instead of booleans", ".float()", "The entries are numbers; asked for are booleans.", BOOLEAN),
            ("an array of NumPy", ".numpy()", "The mask is right, but an array of NumPy and not a tensor.", OF_TORCH),
            ("nested lists", ".tolist()", "The mask is a list of lists; asked for is a tensor.", OF_TORCH),
            (
                "more than two axes",
                more,
                f"Your mask has axes for the scores already; asked for is {shape}, and others add the rest.",
                f"How many axes has {shape}?",
            ),
        )
    )
