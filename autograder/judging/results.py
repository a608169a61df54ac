"""What came back from a student's object, beside the answers, and how two tensors compare."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

ABSOLUTE, RELATIVE = 1e-5, 1e-4

# a rule met what it cannot be asked of
UNASKABLE = (ValueError, IndexError, TypeError, ArithmeticError, MemoryError, RecursionError)
LONGEST, QUOTED = 1 << 20, 60  # bytes of a text, and characters of what is quoted from it


@dataclass(frozen=True)
class Finding:
    """Why a check does not hold: a sentence, and the two tensors where showing them helps."""

    text: str
    case: str | None = None
    output: str | None = None
    expected: np.ndarray | None = None
    found: np.ndarray | None = None


class Missing(Exception):
    """A case gave an error, or nothing, where a check needed its outputs."""


@dataclass(frozen=True)
class Results:
    """What the student's object gave, and the answers, case by case.

    `found` and `expected` map a case to `{"tensors": {name: array}}` or `{"error": {...}}`, `inputs` to
    what was drawn for it, `{"tensors": {path: array}, "settings": {…}}`.
    """

    found: dict
    expected: dict
    tolerances: dict
    inputs: dict = field(default_factory=dict)

    def output(self, case: str, name: str) -> np.ndarray:
        """The student's tensor `name` of a case; `Missing` when there is none."""
        record = self.found.get(case)
        if record is None:
            raise Missing(f"the case “{case}” was not reached")
        if "error" in record:
            raise Missing(f"{record['error']['type']}: {record['error']['message']}".strip(": "))
        if name not in record["tensors"]:
            raise Missing(f"“{name}” did not come back")
        return record["tensors"][name]

    def answer(self, case: str, name: str) -> np.ndarray:
        """The fixed answer."""
        return self.expected[case]["tensors"][name]

    def noticed(self, case: str) -> list[str]:
        """What a case changed besides giving its outputs."""
        return self.found[case].get("noticed", [])

    def dtypes(self, case: str) -> dict[str, str]:
        """The dtypes that the reference's outputs have, for inputs in single precision."""
        return self.expected[case].get("dtypes", {})

    def has_form_of_answer(self, case: str) -> bool:
        """Whether all outputs of a case came, in the shapes of the answers."""
        found, due = self.found.get(case, {}).get("tensors", {}), self.expected[case]["tensors"]
        return all(name in found and _same_form(found[name], array) for name, array in due.items())

    def given(self, case: str, name: str):
        """An input of a case, as the judge drew it: nothing a student changed."""
        drawn = self.inputs[case]
        return drawn["tensors"][name] if name in drawn["tensors"] else drawn["settings"][name]

    def names(self, case: str) -> list[str]:
        """The outputs that a case has."""
        return list(self.expected[case]["tensors"])

    def tolerance(self, case: str) -> float:
        """How far a number of this case may be off: printed numbers have few digits."""
        return self.tolerances.get(case) or ABSOLUTE


Check = Callable[[Results], "Finding | None"]


def finding_of(check: Check, results: Results) -> Finding | None:
    """What a check finds; also where there is nothing to be asked."""
    try:
        return check(results)
    except Missing as missing:
        return Finding(str(missing))
    except UNASKABLE:
        return Finding("what came back does not have the shape that is due")


def is_text(array: np.ndarray) -> bool:
    """Whether an output is no tensor but JSON, its bytes in a row."""
    return array.dtype == np.uint8 and array.ndim == 1


def read_text(array: np.ndarray):
    """The list, number or string that a probe wrote as JSON; a `ValueError` where it is none, or endless."""
    if not is_text(array) or array.size > LONGEST:
        raise ValueError("not a text of a reasonable length")
    return json.loads(array.tobytes())


def difference_of_lists(found, expected) -> str:
    """How what a probe wrote differs from what is due: first where, in length, or as a whole.

    >>> difference_of_lists([["a", "b"], ["c", "d"]], [["a", "b"], ["e", "f"]])
    "differs from place 1 on: ['c', 'd'] where ['e', 'f'] is due"
    """
    if isinstance(found, list) and isinstance(expected, list):
        for place, (one, other) in enumerate(zip(found, expected, strict=False)):
            if one != other:
                return f"differs from place {place} on: {_quoted(one)} where {_quoted(other)} is due"
        return f"has {len(found)} entries where {len(expected)} are due"
    return f"is {_quoted(found)} where {_quoted(expected)} is due"


def _quoted(value) -> str:
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def _same_form(found: np.ndarray, expected: np.ndarray) -> bool:
    """The same shape; of texts, both are lists, or both are numbers."""
    if not is_text(expected):
        return found.shape == expected.shape
    try:
        return type(read_text(found)) is type(read_text(expected))
    except UNASKABLE:
        return False


def close(found: np.ndarray, expected: np.ndarray, absolute: float = ABSOLUTE) -> bool:
    """Same shape, and every number equal to within `absolute` plus 1e-4 of its size; NaN equals NaN."""
    if found.shape != expected.shape:
        return False
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    return bool(np.allclose(found, expected, rtol=RELATIVE, atol=absolute, equal_nan=True))


def difference(found: np.ndarray, expected: np.ndarray) -> str:
    """How two tensors differ, in words."""
    if is_text(found) and is_text(expected):
        return difference_of_lists(read_text(found), read_text(expected))
    if found.shape != expected.shape:
        return f"has shape {list(found.shape)} where {list(expected.shape)} is due"
    if not expected.ndim and expected.dtype.kind == "i":
        return f"is {found:g} where {expected:g} is due"
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    if np.isnan(found).any() and not np.isnan(expected).any():
        return "contains NaN"
    apart = np.abs(np.subtract(found, expected, where=found != expected, out=np.zeros_like(found)))  # inf is inf
    return f"is off by up to {np.nanmax(apart):.2g}"
