"""What a student's object returned, next to the expected results, and how two tensors compare."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from autograder.protocol.sentences import DRAWS

ABSOLUTE, RELATIVE = 1e-5, 1e-4

# a rule met what it cannot be asked of
UNASKABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, MemoryError, RecursionError)
ERROR = "the error"  # as an output that a criterion looks at
LONGEST, QUOTED = 1 << 20, 60  # bytes of a text, and characters of what is quoted from it


@dataclass(frozen=True)
class Finding:
    """Why a check does not hold: a sentence, and the two tensors where showing them helps."""

    text: str
    case: str | None = None
    output: str | None = None
    expected: np.ndarray | None = None
    actual: np.ndarray | None = None


class Missing(Exception):
    """A case gave an error, or nothing, where a check needed its outputs."""


@dataclass(frozen=True)
class Results:
    """What the student's object gave, and the answers, case by case.

    `found` and `expected` map a case to `{"tensors": {name: array}}` or `{"error": {...}}`, `inputs` to
    what was drawn for it, `{"tensors": {path: array}, "settings": {…}}`. `looked_at` notes the outputs that were read.
    """

    actual: dict
    expected: dict
    tolerances: dict
    inputs: dict = field(default_factory=dict)
    looked_at: set[tuple[str, str]] = field(default_factory=set)

    def output(self, case: str, name: str) -> np.ndarray:
        """The student's tensor `name` of a case; `Missing` when there is none."""
        self.looked_at.add((case, name))
        record = self.actual.get(case)
        if record is None:
            raise Missing(f"the case “{case}” was not reached")
        if "error" in record:
            raise Missing(f"{record['error']['type']}: {record['error']['message']}".strip(": "))
        if name not in record["tensors"]:
            raise Missing(f"“{name}” did not come back")
        return record["tensors"][name]

    def expected_output(self, case: str, name: str) -> np.ndarray:
        """The fixed answer."""
        return self.expected[case]["tensors"][name]

    def side_effects_of(self, case: str) -> list[str]:
        """What a case changed besides giving its outputs; to draw random numbers is none."""
        return [thing for thing in self.actual[case].get("noticed", []) if thing != DRAWS]

    def draws(self, case: str) -> bool:
        """Whether random numbers were drawn in a call of this case."""
        return DRAWS in self.actual.get(case, {}).get("noticed", [])

    def dtypes(self, case: str) -> dict[str, str]:
        """The dtypes that the reference's outputs have, for inputs in single precision."""
        return self.expected[case].get("dtypes", {})

    def has_expected_form(self, case: str) -> bool:
        """Whether all outputs of a case came, in the shapes of the answers."""
        actual, expected = self.actual.get(case, {}).get("tensors", {}), self.expected[case]["tensors"]
        return all(name in actual and _same_form(actual[name], array) for name, array in expected.items())

    def has_expected_shape(self, case: str, name: str) -> bool:
        """Whether an output of a case has the shape of the answer; True where the answer has no such output."""
        expected = self.expected[case].get("tensors", {}).get(name)
        return expected is None or self.output(case, name).shape == expected.shape

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


OTHER_SHAPE = "the result does not have the expected shape"
Check = Callable[[Results], "Finding | None"]


def finding_of(check: Check, results: Results) -> Finding | None:
    """What a check finds, even if an output that it needs is missing."""
    try:
        return check(results)
    except Missing as missing:
        return Finding(str(missing))
    except UNASKABLE:
        return Finding(OTHER_SHAPE)


def is_text(array: np.ndarray) -> bool:
    """Whether an output is the bytes of JSON instead of a tensor."""
    return array.dtype == np.uint8 and array.ndim == 1


def read_text(array: np.ndarray):
    """The list, number or string that a probe wrote as JSON; a `ValueError` where it is none, or endless."""
    if not is_text(array) or array.size > LONGEST:
        raise ValueError("not a text of a reasonable length")
    return json.loads(array.tobytes())


def difference_of_lists(actual, expected) -> str:
    """How a probe's text differs from the expected one: at which entry first, in length, or as a whole.

    >>> difference_of_lists([["a", "b"], ["c", "d"]], [["a", "b"], ["e", "f"]])
    "differs from place 1 on: ['c', 'd'], expected ['e', 'f']"
    """
    if isinstance(actual, list) and isinstance(expected, list):
        for place, (one, other) in enumerate(zip(actual, expected, strict=False)):
            if one != other:
                return f"differs from place {place} on: {_quoted(one)}, expected {_quoted(other)}"
        return f"has {len(actual)} entries, expected {len(expected)}"
    return f"is {_quoted(actual)}, expected {_quoted(expected)}"


def _quoted(value) -> str:
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def _same_form(actual: np.ndarray, expected: np.ndarray) -> bool:
    """The same shape; of texts, both are lists, or both are numbers."""
    if not is_text(expected):
        return actual.shape == expected.shape
    try:
        return type(read_text(actual)) is type(read_text(expected))
    except UNASKABLE:
        return False


def close(actual: np.ndarray, expected: np.ndarray, absolute: float = ABSOLUTE) -> bool:
    """Same shape, and every number equal to within `absolute` plus 1e-4 of its size; NaN equals NaN."""
    if actual.shape != expected.shape or _last_differs(actual, expected, absolute):
        return False
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    if np.isfinite(actual).all() and np.isfinite(expected).all():  # a third of allclose's time
        return bool((np.abs(actual - expected) <= absolute + RELATIVE * np.abs(expected)).all())
    return bool(np.allclose(actual, expected, rtol=RELATIVE, atol=absolute, equal_nan=True))


def _last_differs(actual: np.ndarray, expected: np.ndarray, absolute: float) -> bool:
    """Whether the last two numbers differ, which a twentieth of the time shows; not asked of NaN and infinite ones."""
    if not actual.size:
        return False
    one, other = actual.item(-1), expected.item(-1)
    return abs(one - other) > absolute + RELATIVE * abs(other)


def _yes_or_no(array: np.ndarray) -> bool:
    return bool(array.size) and bool(np.isin(array, (0, 1)).all())


def difference(actual: np.ndarray, expected: np.ndarray) -> str:
    """How two tensors differ, in words."""
    if is_text(actual) and is_text(expected):
        return difference_of_lists(read_text(actual), read_text(expected))
    if actual.shape != expected.shape:
        return f"has shape {list(actual.shape)}, expected {list(expected.shape)}"
    if not expected.ndim and expected.dtype.kind == "i":
        return f"is {actual:g}, expected {expected:g}"
    ids = expected.dtype.kind == "i" and actual.dtype.kind in "iu"  # these have no distance, nor have yes and no
    if expected.ndim and (ids or _yes_or_no(actual) and _yes_or_no(expected)):
        wrong = np.argwhere(actual != expected)
        return f"differs in {len(wrong)} of {actual.size} entries, first at {wrong[0].tolist()}"
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    if np.isnan(actual).any() and not np.isnan(expected).any():
        return "contains NaN"
    apart = np.abs(np.subtract(actual, expected, where=actual != expected, out=np.zeros_like(actual)))  # inf is inf
    return f"is off by up to {np.nanmax(apart):.2g}"
