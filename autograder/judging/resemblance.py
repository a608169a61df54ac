"""What wrong numbers have in common with the right ones: facts by measurement, for when no known mistake fits."""

from collections.abc import Callable, Mapping
from itertools import permutations
from types import MappingProxyType
from typing import Any

import numpy as np

from autograder.catalogue.results import ABSOLUTE, close, is_text
from autograder.judging.content import BACKWARDS

MOST_AXES, MOST_NUMBERS, MOST_PLACES = 4, 100_000, 100
FACTORS = {f"{n}": n for n in range(2, 101)} | {f"1/{n}": 1 / n for n in range(2, 101)}
FACTORS |= {f"√{n}": n**0.5 for n in range(2, 65)} | {f"1/√{n}": n**-0.5 for n in range(2, 65)}

MEASURED = (  # what probes compute from an output: no student has an output of this name
    *(f"{which}_{name}" for which in ("first", "second", "again", "other") for name in ("inputs", "targets")),
    "beginning",
    "chosen",
    "dropouts",
    "ends",
    "frequencies",
    "hidden",
    "influence",
    "kept",
    "kernels",
    "left_as_they_were",
    "spread",
    "state_keys",
    "uniform_influence",
    "used",
)

OF_NUMBERS: dict[str, Callable[..., Any]] = {
    "with the opposite sign": np.negative,
    "without its signs": np.abs,
    "plus 1": lambda expected: expected + 1,
    "minus 1": lambda expected: expected - 1,
    "taken from 1": lambda expected: 1 - expected,
    "squared": np.square,
    "after a logarithm": np.log,
    "after a tanh": np.tanh,
    "after a sigmoid": lambda expected: 1 / (1 + np.exp(-expected)),
    "after a ReLU": lambda expected: np.maximum(expected, 0),
    **{f"rounded to {10**-n:g}": lambda expected, n=n: np.round(expected, n) for n in (1, 2, 3)},
    "after a softmax": lambda expected: np.exp(expected) / np.exp(expected).sum(-1, keepdims=True),
}
OF_AN_AXIS: dict[str, Callable[[np.ndarray, np.ndarray], bool]] = {  # each is asked with the axis in front
    "added up": lambda actual, expected: close(actual, expected.sum(0)),
    "averaged": lambda actual, expected: close(actual, expected.mean(0)),
    "turned round": lambda actual, expected: close(actual, expected[::-1]),
    "shifted forward by one": lambda actual, expected: (
        len(actual) == len(expected) > 3 and close(actual[1:], expected[:-1])
    ),
    "shifted back by one": lambda actual, expected: (
        len(actual) == len(expected) > 3 and close(actual[:-1], expected[1:])
    ),
    "except for the last entry": lambda actual, expected: (
        len(actual) == len(expected) > 3 and close(actual[:-1], expected[:-1])
    ),
    "except for the first entry": lambda actual, expected: (
        len(actual) == len(expected) > 3 and close(actual[1:], expected[1:])
    ),
    "cut off at the end": lambda actual, expected: (
        len(actual) < len(expected) and close(actual, expected[: len(actual)])
    ),
    "cut off at the start": lambda actual, expected: (
        len(actual) < len(expected) and close(actual, expected[-len(actual) :])
    ),
    "repeated": lambda actual, expected: (
        len(actual) > len(expected) and close(actual, np.resize(expected, (len(actual), *expected.shape[1:])))
    ),
    "with more behind it": lambda actual, expected: (
        len(actual) > len(expected) and close(actual[: len(expected)], expected)
    ),
    "with more in front of it": lambda actual, expected: (
        len(actual) > len(expected) and close(actual[-len(expected) :], expected)
    ),
    "with the first place for all": lambda actual, expected: close(actual, expected[:1].repeat(len(expected), 0)),
    "with the last place for all": lambda actual, expected: close(actual, expected[-1:].repeat(len(expected), 0)),
    "with its places in another order": lambda actual, expected: (
        actual.shape == expected.shape and _in_another_order(actual, expected)
    ),
}


def resemblance(actual: dict, expected: dict, tolerances: Mapping[str, float | None] = MappingProxyType({})) -> str:
    """A sentence on the first output that is wrong in one way in all cases where it is wrong, or "".

    It holds no number but a well-known factor: it is said of hidden cases too. Beside an error nothing is said. What is
    right to within the tolerance of its case is right.

    >>> right = np.arange(6.0).reshape(2, 3)
    >>> resemblance({"a": {"tensors": {"q": right.T}}}, {"a": {"tensors": {"q": right}}})
    'Your output `q` is the right one with its axes in another order.'
    """
    if any("error" in record and "error" not in expected.get(case, {}) for case, record in actual.items()):
        return ""
    for name, pairs in _pairs(actual, expected, tolerances).items():
        wrong = [pair for pair in pairs if not close(*pair)]
        with np.errstate(all="ignore"):
            said, *others = (_facts(*pair) for pair in wrong)
            shared = [fact for fact in said if all(fact in other for other in others)]
        if shared:
            return f"{'Your' if len(wrong) == len(pairs) else 'Where it is wrong, your'} output `{name}` {shared[0]}."
    return ""


def _pairs(found: dict, expected: dict, tolerances: Mapping) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """The actual and the expected array in each case, of every output with axes that is wrong somewhere."""
    pairs: dict[str, list] = {}
    for case, record in expected.items():
        came = found.get(case, {}).get("tensors", {})
        for name, right in record.get("tensors", {}).items():
            if name.startswith(BACKWARDS) or name in MEASURED:
                continue  # a gradient follows from the outputs, and nobody returns what a probe computes
            if name in came and right.ndim and not is_text(right) and not is_text(came[name]):
                actual = right if close(came[name], right, tolerances.get(case) or ABSOLUTE) else came[name]
                pairs.setdefault(name, []).append((actual.astype(np.float64), right.astype(np.float64)))
    return {name: both for name, both in pairs.items() if not all(close(*pair) for pair in both)}


def _facts(actual: np.ndarray, expected: np.ndarray) -> list[str]:
    """All facts about the actual array, the most telling one first; none for few numbers or NaN."""
    if max(actual.ndim, expected.ndim) > MOST_AXES or max(actual.size, expected.size) > MOST_NUMBERS:
        return []
    if actual.size < 2 or not expected.size:
        return []
    if not (np.isfinite(actual).all() and np.isfinite(expected).all()) or np.ptp(expected) < 1e-2:
        return []
    if np.ptp(actual) < 1e-6:
        return [f"is {'0' if not actual.any() else 'the same number'} everywhere"]
    if len(np.unique(expected)) == 2:
        facts = ["with True and False exchanged"] if close(actual, 1 - expected) else []
    else:
        facts = [fact for fact, change in OF_NUMBERS.items() if close(actual, change(expected))]
        factor = (actual * expected).sum() / (expected * expected).sum() if actual.shape == expected.shape else np.nan
        if close(actual, factor * expected):
            facts += [f"times {name}" for name, known in FACTORS.items() if abs(factor / known - 1) < 1e-4]
            facts.append("times a constant")
        facts += _of_a_softmax(actual, expected)
    return [f"is the right one {fact}" for fact in facts + _of_axes(actual, expected)]


def _of_a_softmax(actual: np.ndarray, expected: np.ndarray) -> list[str]:
    """By which factor the logits differ, of weights above 0 that sum to 1 along an axis."""
    if actual.shape != expected.shape or min(actual.min(), expected.min()) <= 0:
        return []
    for axis in range(expected.ndim):
        if np.allclose([actual.sum(axis), expected.sum(axis)], 1, atol=1e-4):
            mine, theirs = (np.log(weights) for weights in (actual, expected))
            mine, theirs = (logs - logs.mean(axis, keepdims=True) for logs in (mine, theirs))
            factor = (mine * theirs).sum() / (theirs * theirs).sum()
            if close(mine, factor * theirs, 1e-3):
                known = (name for name, number in FACTORS.items() if abs(factor / number - 1) < 1e-3)
                return [f"at another temperature, its logits times {next(known, 'a constant')}"]
    return []


def _of_axes(actual: np.ndarray, expected: np.ndarray) -> list[str]:
    facts, as_many = [], actual.ndim == expected.ndim
    if as_many and any(close(actual, expected.transpose(order)) for order in permutations(range(expected.ndim))):
        facts.append("with its axes in another order")
    if actual.shape != expected.shape and close(actual.ravel(), expected.ravel()):
        ones = np.squeeze(actual).shape == np.squeeze(expected).shape
        facts.append("with other axes of size 1" if ones else "in another shape, its numbers in the same order")
    for axis in range(expected.ndim):
        first, right = np.moveaxis(actual, axis, 0) if as_many else actual, np.moveaxis(expected, axis, 0)
        facts += [f"{fact} along axis {axis}" for fact, holds in OF_AN_AXIS.items() if holds(first, right)]
    return facts


def _in_another_order(actual: np.ndarray, expected: np.ndarray) -> bool:
    if len(expected) > MOST_PLACES:
        return False
    nearest = [int(np.abs(expected - row).reshape(len(expected), -1).max(1).argmin()) for row in actual]
    return sorted(nearest) == list(range(len(expected))) and close(actual, expected[nearest])
