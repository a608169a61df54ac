"""What a student's error means, and what to do about it."""

import inspect
import re
from dataclasses import dataclass

from autograder.catalogue.exercise import Exercise
from autograder.shorten_list import shorten_list

SHOWN = 2
NAMED = 2
ROWS = 12
UNPACKING = (
    "The exercise returns several things: `return first, second`. The check took what came apart and found another "
    "number of parts."
)

# What torch says → what to look for. The groups of the pattern fill the braces.
MEANINGS = (
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "In `a @ b` the columns of a ({1}) must equal the rows of b ({2}). Print both shapes: is a transpose missing, "
        "or did two axes change places?",
    ),
    (
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        "In `a @ b` the columns of a ({1}) must equal the rows of b ({3}), and the leading dimensions must fit. "
        "`b.transpose(-2, -1)` swaps the last two axes of b and leaves the others alone.",
    ),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        "Broadcasting compares shapes from the right: along axis {2} one tensor has {0} entries and the other {1}. "
        "Equal sizes fit, and so does a size of 1: `keepdim=True` or indexing with None makes one.",
    ),
    (
        r"shape '\[(.*?)\]' is invalid for input of size (\d+)",
        "A reshape keeps the number of entries: {1} of them do not fill [{0}]. Which size did you divide, and which "
        "multiply?",
    ),
    (
        r"view size is not compatible",
        "After a transpose the entries no longer lie one after the other: `reshape` (or `.contiguous().view`) copies "
        "them into order.",
    ),
    (
        r"Sizes of tensors must match except in dimension",
        "`cat` joins tensors whose other sizes are equal. Print the shapes of its parts.",
    ),
    (
        r"(expected scalar type|expected m1 and m2 to have the same dtype|must have the same dtype)",
        "Two tensors have different dtypes. A layer wants floats (`.float()`), an index wants integers (`.long()`).",
    ),
    (
        r"not implemented for '(\w+)'",
        "torch does this for other dtypes than {0}: `&`, `|` and `~` want booleans (`.bool()`), a layer wants floats "
        "(`.float()`), an index integers (`.long()`).",
    ),
    (
        r"only supports boolean masks",
        "`masked_fill` wants booleans, True where it fills. A mask of 0 and 1 becomes one by comparing: `mask == 0`.",
    ),
    (
        r"only implemented on integer and Boolean",
        "`~` wants booleans: `.bool()`, or compare, `mask == 0`.",
    ),
    (
        r"Expected target size",
        "`cross_entropy` wants the classes on axis 1: logits [N, C] and targets [N], or logits [B, C, T] and targets "
        "[B, T]. Print both shapes.",
    ),
    (
        r"return_types\.(\w+)",
        "With `dim`, `torch.{0}` returns two things, values and indices: take `.values`, or the first of the two.",
    ),
    (
        r"Dimension out of range",
        "There are fewer axes than the code counts on. Negative axes (−1, −2) work for any number of leading ones.",
    ),
    (
        r"modified by an inplace operation",
        "An in-place operation (`+=`, `masked_fill_`, `x[...] =`) overwrote numbers that the gradient still needs.",
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        "Python asks a tensor for one yes or no. For an optional argument write `if mask is not None`.",
    ),
    (r"(not enough|too many) values to unpack|cannot unpack", UNPACKING),
    (
        r"NoneType, not a tensor",
        "Your function gives None. Does every way through it end in a `return`? (`print` gives nothing back.)",
    ),
    (r"not a tensor", "Return tensors (or, where the exercise says so, numbers)."),
    (
        r"'NoneType' object",
        "Something is None: an argument that was not given, or what a function without `return` gave.",
    ),
    (
        r"before Module.__init__\(\) call",
        "`super().__init__()` comes first in `__init__`: it makes the module that layers go into.",
    ),
    (
        r"'tuple' object|not tuple|tuple indices|and 'tuple'|'tuple' and",
        "A function gave several things at once. Take them apart: `values, attention = …`.",
    ),
    (r"name '(\w+)' is not defined", "There is nothing named {0} here: is it spelled so, and has its cell been run?"),
    (
        r"index out of range in self",
        "A table was asked for a row that it does not have: print the largest index, and the table's size.",
    ),
    (
        r"leaf Variable that requires grad is being used in an in-place",
        "What the caller gave is overwritten in place (`+=`, `masked_fill_`, `x[...] =`): make a new tensor.",
    ),
    (
        r"does not require grad and does not have a grad_fn",
        "Nothing connects the result with what it was made of: `.detach()`, `.data`, `.item()` or no_grad cut it.",
    ),
)
CALLED = re.compile(r"^([\w.<>]+)\(\) (takes|got|missing)")


@dataclass(frozen=True)
class Complaint:
    """One error: what Python said, the line it came from, what that means, and the cases it came up in.

    Attributes:
        quotes: how findings quote it, in each of the cases.
        parameters: (name, shape of the contract, shape found) where the two differ, the first ones.
        unlisted: how many more there are.
    """

    kind: str
    message: str
    line: str
    means: str
    cases: tuple[str, ...]
    quotes: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str, str], ...] = ()
    unlisted: int = 0

    @property
    def where(self) -> str:
        """The cases, in so many words."""
        return f"in the case{'s' * (len(self.cases) > 1)} {shorten_list(self.cases, NAMED)}"


def complaints(exercise: Exercise, records: dict, expected: dict) -> list[Complaint]:
    """The different errors of a check, the first ones first: one for each line of the student's code.

    Args:
        exercise: what was checked.
        records: `{case: record}`, as a probe gave them.
        expected: the same of the reference: an error that is due is nothing to complain of.
    """
    together: dict[tuple, dict[str, dict]] = {}
    for case, record in records.items():
        error, due = record.get("error"), expected.get(case, {}).get("error")
        if error and not (due and due["type"] in error.get("kinds", ())):
            together.setdefault((error["type"], error.get("line") or error["message"]), {})[case] = error
    return [_complaint(exercise, errors) for errors in together.values()]


def _complaint(exercise: Exercise, errors: dict[str, dict]) -> Complaint:
    error = next(iter(errors.values()))
    due, got = error.get("expected", {}), error.get("found", {})
    rows = [(name, _shape(due.get(name)), _shape(got.get(name))) for name in {**due, **got}]
    differing = [row for row in rows if row[1] != row[2]]
    return Complaint(
        error["type"],
        error["message"],
        error.get("line", ""),
        _means(exercise, error),
        cases=tuple(errors),
        quotes=tuple(f"{each['type']}: {each['message']}".strip(": ") for each in errors.values()),
        parameters=tuple(differing[:ROWS]),
        unlisted=len(differing[ROWS:]),
    )


def _means(exercise: Exercise, error: dict) -> str:
    if error["type"] == "ParameterMismatch":
        return "Names and shapes are part of the contract: published weights must fit into your layer."
    if error["type"] == "NotImplementedError" and not error["message"]:
        return "A `raise NotImplementedError` still stands there: delete the line when the part is written."
    if error["type"] == "TypeError" and (called := CALLED.match(error["message"])):
        return _call(exercise, called[1], error)
    if "'NoneType' object" in error["message"] and "mask" in error.get("line", ""):
        return "Without a mask, `mask` is None: ask `if mask is not None` before you use it."
    if ".T" in error.get("line", "") and error["type"] == "RuntimeError":
        return (
            "`.T` reverses all axes, the batch too. `transpose(-2, -1)` swaps the last two and leaves the others alone."
        )
    for pattern, sentence in MEANINGS:
        if match := re.search(pattern, error["message"]):
            return sentence.format(*match.groups())
    return ""


def _call(exercise: Exercise, called: str, error: dict) -> str:
    """What to say of a call with other arguments than `called` takes: ours of the exercise, or the student's own."""
    *_, owner, name = ["", *called.replace("<locals>.", "").split(".")]
    if owner and name != "<lambda>" and "takes 1 positional argument" in error["message"]:
        return f"The first argument of `{name}` is self: `def {name}(self, …)`."
    if exercise.id in (owner, name) or name == "<lambda>" or "line" not in error:
        return f"It is called as `{exercise.id}{_signature(exercise)}`."
    return f"Your code calls `{called}` with other arguments than it takes: compare the call with its signature."


def _signature(exercise: Exercise) -> str:
    signature = inspect.signature(exercise.reference)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(bare))


def _shape(shape: list[int] | None) -> str:
    return "—" if shape is None else str(list(shape))
