"""What wrong numbers have in common with the right ones: facts by measurement, for when no known mistake fits."""

from itertools import permutations

import numpy as np

from autograder.judging.results import close, is_text

MOST_AXES, MOST_NUMBERS, MOST_PLACES = 4, 100_000, 100
FACTORS = {f"{n}": n for n in range(2, 101)} | {f"1/{n}": 1 / n for n in range(2, 101)}
FACTORS |= {f"√{n}": n**0.5 for n in range(2, 65)} | {f"1/√{n}": n**-0.5 for n in range(2, 65)}

OF_NUMBERS = {
    "with the opposite sign": np.negative,
    "without its signs": np.abs,
    "plus 1": lambda due: due + 1,
    "minus 1": lambda due: due - 1,
    "taken from 1": lambda due: 1 - due,
    "squared": np.square,
    "as a logarithm": np.log,
    "after a tanh": np.tanh,
    "after a sigmoid": lambda due: 1 / (1 + np.exp(-due)),
    "after a ReLU": lambda due: np.maximum(due, 0),
    **{f"rounded to {10**-n:g}": lambda due, n=n: np.round(due, n) for n in (1, 2, 3)},
    "after a softmax": lambda due: np.exp(due) / np.exp(due).sum(-1, keepdims=True),
}
OF_AN_AXIS = {  # each is asked with the axis in front
    "added up": lambda came, due: close(came, due.sum(0)),
    "averaged": lambda came, due: close(came, due.mean(0)),
    "turned round": lambda came, due: close(came, due[::-1]),
    "one place further on": lambda came, due: len(came) == len(due) > 3 and close(came[1:], due[:-1]),
    "one place further back": lambda came, due: len(came) == len(due) > 3 and close(came[:-1], due[1:]),
    "but for the last place": lambda came, due: len(came) == len(due) > 3 and close(came[:-1], due[:-1]),
    "but for the first place": lambda came, due: len(came) == len(due) > 3 and close(came[1:], due[1:]),
    "without its end": lambda came, due: len(came) < len(due) and close(came, due[: len(came)]),
    "without its beginning": lambda came, due: len(came) < len(due) and close(came, due[-len(came) :]),
    "repeated": lambda came, due: len(came) > len(due) and close(came, np.resize(due, (len(came), *due.shape[1:]))),
    "with more behind it": lambda came, due: len(came) > len(due) and close(came[: len(due)], due),
    "with more in front of it": lambda came, due: len(came) > len(due) and close(came[-len(due) :], due),
    "with the first place for all": lambda came, due: close(came, due[:1].repeat(len(due), 0)),
    "with the last place for all": lambda came, due: close(came, due[-1:].repeat(len(due), 0)),
    "with its places in another order": lambda came, due: came.shape == due.shape and _in_another_order(came, due),
}


def resemblance(found: dict, expected: dict) -> str:
    """A sentence on the first output that is wrong in one way in all cases where it is wrong, or "".

    It holds no number but a well-known factor: it is said of hidden cases too. Beside an error nothing is said.

    >>> due = np.arange(6.0).reshape(2, 3)
    >>> resemblance({"a": {"tensors": {"q": due.T}}}, {"a": {"tensors": {"q": due}}})
    'Your output `q` is the right one with its axes in another order.'
    """
    if any("error" in record and "error" not in expected.get(case, {}) for case, record in found.items()):
        return ""
    for name, pairs in _pairs(found, expected).items():
        wrong = [pair for pair in pairs if not close(*pair)]
        with np.errstate(all="ignore"):
            said, *others = (_facts(*pair) for pair in wrong)
            shared = [fact for fact in said if all(fact in other for other in others)]
        if shared:
            return f"{'Your' if len(wrong) == len(pairs) else 'Where it is wrong, your'} output `{name}` {shared[0]}."
    return ""


def _pairs(found: dict, expected: dict) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """What came and what is due in each case, of every output with axes that is wrong somewhere."""
    pairs: dict[str, list] = {}
    for case, due in expected.items():
        came = found.get(case, {}).get("tensors", {})
        for name, right in due.get("tensors", {}).items():
            if name in came and right.ndim and not is_text(right) and not is_text(came[name]):
                pairs.setdefault(name, []).append((came[name].astype(np.float64), right.astype(np.float64)))
    return {name: both for name, both in pairs.items() if not all(close(*pair) for pair in both)}


def _facts(came: np.ndarray, due: np.ndarray) -> list[str]:
    """All that can be said of what came, the most telling first; of too few numbers, or of NaN, nothing."""
    if max(came.ndim, due.ndim) > MOST_AXES or max(came.size, due.size) > MOST_NUMBERS or came.size < 2:
        return []
    if not (np.isfinite(came).all() and np.isfinite(due).all()) or np.ptp(due) < 1e-2:
        return []
    if np.ptp(came) < 1e-6:
        return [f"is {'0' if not came.any() else 'the same number'} everywhere"]
    if len(np.unique(due)) == 2:
        facts = ["with True and False exchanged"] if close(came, 1 - due) else []
    else:
        facts = [fact for fact, change in OF_NUMBERS.items() if close(came, change(due))]
        factor = (came * due).sum() / (due * due).sum() if came.shape == due.shape else np.nan
        if close(came, factor * due):
            facts += [f"times {name}" for name, known in FACTORS.items() if abs(factor / known - 1) < 1e-4]
            facts.append("times a constant")
    return [f"is the right one {fact}" for fact in facts + _of_axes(came, due)]


def _of_axes(came: np.ndarray, due: np.ndarray) -> list[str]:
    facts, as_many = [], came.ndim == due.ndim
    if as_many and any(close(came, due.transpose(order)) for order in permutations(range(due.ndim))):
        facts.append("with its axes in another order")
    if came.shape != due.shape and close(came.ravel(), due.ravel()):
        ones = np.squeeze(came).shape == np.squeeze(due).shape
        facts.append("with other axes of size 1" if ones else "in another shape, its numbers in the same order")
    for axis in range(due.ndim):
        first, right = np.moveaxis(came, axis, 0) if as_many else came, np.moveaxis(due, axis, 0)
        facts += [f"{fact} along axis {axis}" for fact, holds in OF_AN_AXIS.items() if holds(first, right)]
    return facts


def _in_another_order(came: np.ndarray, due: np.ndarray) -> bool:
    if len(due) > MOST_PLACES:
        return False
    nearest = [int(np.abs(due - row).reshape(len(due), -1).max(1).argmin()) for row in came]
    return sorted(nearest) == list(range(len(due))) and close(came, due[nearest])
