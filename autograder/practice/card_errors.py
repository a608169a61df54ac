"""What a student's error means, and what to do about it."""

import ast
import inspect
import re
from dataclasses import dataclass

from autograder.catalogue.exercise import Exercise
from autograder.catalogue.raised import raises_itself
from autograder.practice.error_meanings import MEANINGS, SEVERAL, UNPACKED, UNPACKED_SHAPE, UNPACKING
from autograder.shorten_list import shorten_list

SHOWN = 2
NAMED = 2
ROWS = 12
OF_A_LAYER = re.compile(r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)")
PRODUCT = re.compile(r"@|matmul|mm\(|einsum|\.T\b")
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
        """The cases, in words."""
        return f"in the case{'s' * (len(self.cases) > 1)} {shorten_list(self.cases, NAMED)}"


def complaints(exercise: Exercise, records: dict, expected: dict) -> list[Complaint]:
    """The different errors of a check, the first ones first: one for each line of the student's code.

    Args:
        exercise: what was checked.
        records: `{case: record}`, as a probe gave them.
        expected: the same of the reference: an expected error is not a complaint.
    """
    together: dict[tuple, dict[str, dict]] = {}
    for case, record in records.items():
        error, wanted = record.get("error"), expected.get(case, {}).get("error")
        if error and not (wanted and wanted["type"] in error.get("kinds", ())):
            together.setdefault((error["type"], error.get("line") or error["message"]), {})[case] = error
    return [_complaint(exercise, errors, expected) for errors in together.values()]


def _complaint(exercise: Exercise, errors: dict[str, dict], expected: dict) -> Complaint:
    case, error = next(iter(errors.items()))
    wanted, got = error.get("expected", {}), error.get("found", {})
    rows = [(name, _shape(wanted.get(name)), _shape(got.get(name))) for name in {**wanted, **got}]
    differing = [row for row in rows if row[1] != row[2]]
    return Complaint(
        error["type"],
        error["message"],
        error.get("line", ""),
        _means(exercise, error, expected.get(case, {}).get("error")),
        cases=tuple(errors),
        quotes=tuple(f"{each['type']}: {each['message']}".strip(": ") for each in errors.values()),
        parameters=tuple(differing[:ROWS]),
        unlisted=len(differing[ROWS:]),
    )


def _means(exercise: Exercise, error: dict, wanted: dict | None) -> str:
    line, message = error.get("line", ""), error["message"]
    if error["type"] == "ParameterMismatch" and error.keys() >= {"expected", "found"}:
        return _parameters(error["expected"], error["found"])
    if error["type"] == "NotImplementedError" and not message:
        return "A `raise NotImplementedError` is still there: delete the line once you have written that part."
    if raises_itself(line):
        asked = (
            f"The contract expects a {wanted['type']} here."
            if wanted
            else "Your own check rejects input that the contract allows."
        )
        return f"{asked} Which inputs does its condition let through, and what does it raise?"
    if error["type"] == "TypeError" and (called := CALLED.match(message)):
        return _call(exercise, called[1], error)
    if "'NoneType' object" in message and "mask" in line:
        return "Without a mask, `mask` is None: test `if mask is not None` before you use it."
    if re.search(r"\.T\b", line) and error["type"] == "RuntimeError" and not OF_A_LAYER.search(message):
        return "`.T` reverses all axes, including the batch. `transpose(-2, -1)` swaps only the last two."
    if line and not PRODUCT.search(line) and (given := OF_A_LAYER.search(message)):
        return (
            f"The layer called here expects {given[2]} features and gets {given[1]}. Which input belongs to "
            "which layer?"
        )
    if missing := re.search(rf"'{exercise.name}' object has no attribute '(\w+)'", message):
        whose = f"`self.{missing[1]}` is used here" if line else f"The contract has `{missing[1]}`"
        return f"{whose}. Is it created in `__init__`, with the same spelling?"
    if not line and re.search(r"is a tuple, not a tensor|'tuple' object has no attribute", message):
        return SEVERAL
    for pattern, sentence in MEANINGS:
        if match := re.search(pattern, message):
            return _unpacked(line) if sentence == UNPACKING and line else sentence.format(*match.groups())
    return ""


def _unpacked(line: str) -> str:
    """What to say of a line that unpacks another number of values: a shape, or what a call returns."""
    try:
        assigned = [node.value for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Assign)]
    except SyntaxError:  # the head of a loop, or a part of a statement
        return UNPACKED
    values = [part for value in assigned for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
    return UNPACKED_SHAPE if any(map(_is_shape, values)) else UNPACKED


def _is_shape(value: ast.expr) -> bool:
    """Whether this is `x.shape`, a slice of it, or `x.size()`.

    >>> [_is_shape(ast.parse(text, mode="eval").body) for text in ("x.shape[1:]", "x.mT.size()", "f(x.shape)")]
    [True, True, False]
    """
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        value = value.value
    if isinstance(value, ast.Call) and not value.args:
        return isinstance(value.func, ast.Attribute) and value.func.attr == "size"
    return isinstance(value, ast.Attribute) and value.attr == "shape"


def _parameters(wanted: dict, got: dict) -> str:
    """How the parameters differ: other names, transposed, or simply different."""
    missing, left = [name for name in wanted if name not in got], [name for name in got if name not in wanted]
    turned = [name for name in wanted if name in got and wanted[name] != got[name] == wanted[name][::-1]]
    renamed = list(dict.fromkeys((_layer(mine), _layer(yours)) for mine, yours in zip(missing, left, strict=False)))
    if missing and [_form(wanted, name) for name in missing] == [_form(got, name) for name in left]:
        pairs = [f"the contract's `{mine}` is your `{yours}`" for mine, yours in renamed]
        return f"The names differ: {shorten_list(pairs, NAMED)}. Published weights are found by their names."
    if turned:
        return f"The two sizes of {shorten_list(turned, NAMED)} are swapped. Which argument comes first there?"
    if not missing and not left:
        layers = list(dict.fromkeys(_layer(name) for name in wanted if wanted[name] != got[name]))
        are = "has" if len(layers) == 1 else "have"
        return f"{shorten_list(layers, NAMED)} {are} different sizes from the contract. Which arguments determine them?"
    return "Names and shapes are part of the contract, because published weights must fit your layer."


def _layer(name: str) -> str:
    return name.rpartition(".")[0] or name


def _form(shapes: dict, name: str) -> tuple[str, list[int]]:
    return name.rpartition(".")[2] if "." in name else "", list(shapes[name])


def _call(exercise: Exercise, called: str, error: dict) -> str:
    """What to say of a call with other arguments than `called` takes: ours of the exercise, or the student's own."""
    *_, owner, name = ["", *called.replace("<locals>.", "").split(".")]
    if owner and name != "<lambda>" and "takes 1 positional argument" in error["message"]:
        return f"The first argument of `{name}` is self: `def {name}(self, …)`."
    if exercise.name in (owner, name) or name == "<lambda>" or "line" not in error:
        left_out = [name for name in _optional(exercise) if f"'{name}'" in error["message"].partition("missing")[2]]
        if left_out:
            return f"A caller may leave out `{left_out[0]}`: `{exercise.name}{_signature(exercise)}`."
        return f"It is called as `{exercise.name}{_signature(exercise)}`."
    return f"Your code calls `{called}` with arguments that it does not take: compare the call with its signature."


def _optional(exercise: Exercise) -> list[str]:
    """The arguments that have a default in the contract."""
    parameters = inspect.signature(exercise.reference).parameters.values()
    return [p.name for p in parameters if p.default is not inspect.Parameter.empty]


def _signature(exercise: Exercise) -> str:
    signature = inspect.signature(exercise.reference)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(bare))


def _shape(shape: list[int] | None) -> str:
    return "—" if shape is None else str(list(shape))
