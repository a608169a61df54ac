"""What the exercises of this stage have in common."""

from autograder.catalogue.checks import KEPT, dtypes_kept, finite, is_true, nothing_else_changes
from autograder.catalogue.edits import wrong
from autograder.catalogue.exercise import Property

OF_TORCH = "Which function of torch makes the same, and which dtype has its result?"
IN_PLACE = "What is the difference between `x -= 1` and `x = x - 1`, or between `f_(x)` and `f(x)`?"


def asked(question: str, *rows):
    """Mistakes (name, edits, what is said) that lead to one question."""
    return tuple(wrong(name, edits).because(says, question) for name, edits, says in rows)


def kept(case: str) -> Property:
    """Something comes back in this case, and nothing else changes."""
    return Property(KEPT, 0.5, finite(case, text="no finite numbers came back"), nothing_else_changes(), dtypes_kept())


def boolean_and_kept(case: str) -> Property:
    """The mask is a boolean tensor, and nothing else changes."""
    text = "the mask is not a boolean tensor"
    boolean = is_true(case, ["mask", "tensor"], lambda mask, tensor: mask.dtype == bool and tensor, text)
    return Property(KEPT, 0.5, boolean, nothing_else_changes(), dtypes_kept())


def changed(argument: str) -> str:
    """What a check says of an argument that was overwritten."""
    return f"the argument {argument} is another one after the call"


def of_another_kind(mask: str, shape: str, more: str):
    """Rows in which the expression `mask` gives the right entries, of `shape`, in another form."""
    return (
        *asked(
            OF_TORCH,
            ("numbers instead of booleans", {mask: f"({mask}).float()"}, "The entries are numbers and not booleans."),
            ("an array of NumPy", {mask: f"({mask}).numpy()"}, "The mask is an array of NumPy and not a tensor."),
            ("nested lists", {mask: f"({mask}).tolist()"}, "The mask is a list of lists and not a tensor."),
        ),
        wrong("more than two axes", {mask: f"({mask}){more}"}).because(
            f"Your mask has axes for the scores already; asked for is {shape}, and others add the rest.",
            f"How many axes has {shape}?",
        ),
    )
