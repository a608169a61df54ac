"""What wrong numbers have in common with the right ones: facts by measurement, for when no known mistake fits."""

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from autograder.judging.results import close, is_text

EVIDENCE = 3  # distinct numbers, at least: a resemblance of fewer may be chance
MOST_AXES, MOST_NUMBERS = 4, 100_000
FACTORS = {1 / n: f"1/{n}" for n in range(2, 101)} | {float(n): f"{n}" for n in range(2, 101)}
FACTORS |= {n**-0.5: f"1/√{n}" for n in range(2, 65)} | {n**0.5: f"√{n}" for n in range(2, 65) if n**0.5 % 1}

ELEMENTWISE: dict[str, Callable] = {
    "with the opposite sign": np.negative,
    "without its signs": np.abs,
    "plus 1": lambda due: due + 1,
    "minus 1": lambda due: due - 1,
    "taken from 1": lambda due: 1 - due,
    "squared": np.square,
    "under a square root": np.sqrt,
    "as a logarithm": np.log,
    "after another exp": np.exp,
    "after a tanh": np.tanh,
    "after a sigmoid": lambda due: 1 / (1 + np.exp(-due)),
    "after a ReLU": lambda due: np.maximum(due, 0),
    "turned over, 1 divided by it": lambda due: 1 / due,
    **{f"rounded to {digits} digits": lambda due, digits=digits: np.round(due, digits) for digits in (1, 2, 3)},
}
ALONG_AN_AXIS: dict[str, Callable] = {
    "added up": lambda due, axis: due.sum(axis),
    "averaged": lambda due, axis: due.mean(axis),
    "added up so far": np.cumsum,
    "after a softmax": lambda due, axis: _shares(np.exp(due - due.max(axis, keepdims=True)), axis),
    "divided by its sum": lambda due, axis: _shares(due, axis),
    "less its mean": lambda due, axis: due - due.mean(axis, keepdims=True),
    "turned round": np.flip,
    "sorted": np.sort,
}


def resemblance(found: dict, expected: dict) -> str:
    """A sentence on the first output that is wrong in one way in all cases where it is wrong, or "".

    It holds no number but a well-known factor: it is said of hidden cases too.

    >>> due = np.arange(6.0).reshape(2, 3)
    >>> resemblance({"a": {"tensors": {"q": due.T}}}, {"a": {"tensors": {"q": due}}})
    'Your output `q` is the right one with its axes in another order.'
    """
    if any("error" in record and "error" not in expected[case] for case, record in found.items() if case in expected):
        return ""  # the error comes first
    for name, pairs in _pairs(found, expected).items():
        wrong = [pair for pair in pairs if not close(*pair)]
        with np.errstate(all="ignore"):
            shared = [fact for fact in _facts(*wrong[0]) if all(fact in _facts(*pair) for pair in wrong[1:])]
        if shared:
            return f"{'Your' if len(wrong) == len(pairs) else 'Where it is wrong, your'} output `{name}` {shared[0]}."
    return ""


def _pairs(found: dict, expected: dict) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """What came and what is due in each case, for every output that is wrong somewhere; single numbers in one row."""
    pairs: dict[str, list] = {}
    for case, due in expected.items():
        came = found.get(case, {}).get("tensors", {})
        for name, right in due.get("tensors", {}).items():
            if name in came and not is_text(right) and not is_text(came[name]):
                pairs.setdefault(name, []).append((came[name].astype(np.float64), right.astype(np.float64)))
    for name, both in pairs.items():
        if not any(came.ndim or right.ndim for came, right in both):
            pairs[name] = [tuple(np.stack(side)[None, :, None] for side in zip(*both, strict=True))]
    return {name: both for name, both in pairs.items() if not all(close(*pair) for pair in both)}


def _facts(came: np.ndarray, due: np.ndarray) -> list[str]:
    """All that can be said of what came, the most telling first; of few numbers, or of NaN, nothing."""
    sizes = (came.size, due.size)
    if max(came.ndim, due.ndim) > MOST_AXES or not 0 < min(sizes) <= max(sizes) <= MOST_NUMBERS:
        return []
    if not (np.isfinite(came).all() and np.isfinite(due).all()) or len(np.unique(due)) < 2 or np.ptp(due) < 1e-2:
        return []
    if not came.any():
        return ["is 0 everywhere"]
    if np.ptp(came) < 1e-6:
        return ["is the same number everywhere"] if came.size > EVIDENCE else []
    masks = len(np.unique(due)) < EVIDENCE
    if masks and close(came, 1 - due):
        return ["is the right one with True and False exchanged"]
    whole = [] if masks else [f"is the right one {fact}" for fact in _of_each_number(came, due)]
    return whole + [f"is the right one {fact}" for fact in _along_axes(came, due, masks)]


def _of_each_number(came: np.ndarray, due: np.ndarray) -> Iterator[str]:
    if came.shape != due.shape:
        return
    yield from (fact for fact, change in ELEMENTWISE.items() if close(came, change(due)))
    factor = (came * due).sum() / (due * due).sum()
    if factor > 0 and close(came, factor * due):
        yield from (f"times {name}" for known, name in FACTORS.items() if abs(factor / known - 1) < 1e-3)
        yield "times a constant"
    if np.ptp(came - due) < 1e-5 < 1e-3 < abs(came - due).max():
        yield "plus a constant"


def _along_axes(came: np.ndarray, due: np.ndarray, masks: bool) -> Iterator[str]:
    if came.shape != due.shape and _without_ones(came.shape) == _without_ones(due.shape) and _same(came, due):
        how = "more" if came.ndim > due.ndim else "fewer" if came.ndim < due.ndim else "other"
        yield f"with {how} axes of size 1"
    orders = permutations(range(due.ndim)) if came.ndim == due.ndim else ()
    if any(close(came, due.transpose(order)) for order in orders):
        yield "with its axes in another order"
    if came.shape != due.shape and _same(came, due):
        yield "in another shape, its numbers in the same order"
    for axis in range(due.ndim):
        if not masks:
            yield from (f"{fact} along axis {axis}" for fact, f in ALONG_AN_AXIS.items() if close(came, f(due, axis)))
        if came.ndim == due.ndim:
            yield from (f"{fact} along axis {axis}" for fact in _moved(*(np.moveaxis(a, axis, 0) for a in (came, due))))
    if not masks and came.size == due.size and close(np.sort(came, None), np.sort(due, None)):
        yield "with its numbers in another order"


def _moved(came: np.ndarray, due: np.ndarray) -> Iterator[str]:
    """What has become of the places along the first axis."""
    m, n = len(came), len(due)
    if came.shape[1:] != due.shape[1:]:
        return
    if m == n > EVIDENCE and close(came[1:], due[:-1]):
        yield "one place further on"
    if m == n > EVIDENCE and close(came[:-1], due[1:]):
        yield "one place further back"
    if m < n and close(came, due[:m]):
        yield "without its end"
    if m < n and close(came, due[n - m :]):
        yield "without its beginning"
    if m > n and close(came[:n], due):
        yield "repeated" if m % n == 0 and close(came, np.resize(due, came.shape)) else "with more behind it"
    if m > n and close(came[m - n :], due):
        yield "with more in front of it"
    if m == n > 1:
        if close(came, due[:1].repeat(n, 0)) or close(came, due[-1:].repeat(n, 0)):
            yield "with one place for all"
        nearest = [int(np.abs(due - row).reshape(n, -1).max(1).argmin()) for row in came] if n <= 100 else []
        if sorted(nearest) == list(range(n)) and close(came, due[nearest]):
            yield "in another order"
    if m == n > EVIDENCE:
        if close(came[:-1], due[:-1]):
            yield "but for the last place"
        if close(came[1:], due[1:]):
            yield "but for the first place"


def _same(came: np.ndarray, due: np.ndarray) -> bool:
    return close(came.ravel(), due.ravel())


def _shares(weights: np.ndarray, axis: int) -> np.ndarray:
    return weights / weights.sum(axis, keepdims=True)


def _without_ones(shape: tuple[int, ...]) -> list[int]:
    return [size for size in shape if size > 1]
