"""What an answer has shown at all: nothing is earned by a body that anybody can write.

That a hidden key changes nothing, that no argument is overwritten, that nothing is NaN: all of it is true of `return
0.0`. So a criterion counts where the outputs that it rests on have content, and is “not judged yet” elsewhere.
Content is less than right: a wrong scale has it. What has none is one number everywhere, an input as it came in (or
multiplied and shifted by one number, or some of its rows, or one place or the mean along an axis), what is the same
for all inputs, a number that one input alone gives (its mean, its sum, its size), or noise that is the same whatever
the inputs hold.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, product

import numpy as np

from autograder.catalogue.results import ERROR, UNASKABLE, Results, close, is_text, read_text

BACKWARDS = ("gradient", "norms", "of_")  # outputs with such names follow from others: the identity has a gradient too
ALIKE = 0.8  # of the pairs of cases where the answers differ: more that do not, and it is no answer to the inputs
STATISTICS = (np.mean, np.sum, np.max, np.min, lambda x: x.flat[0], lambda x: x.flat[-1])


class Content:
    """Which outputs of an answer say anything, by the name of the output."""

    def __init__(self, results: Results):
        self.results = results
        self._known: dict[str, bool] = {}

    def shows(self, looked_at: set[tuple[str, str]]) -> bool:
        """Whether a criterion that looked at these (case, output) rests on content.

        That is: one of these outputs has it, is right by more than chance, or is an error that was asked for. What
        looked at no output that could have content (a mode, a gradient) rests on the answer as a whole, and so does
        everything where some numbers are right.
        """
        telling = {name for _, name in looked_at} & self._telling
        with np.errstate(invalid="ignore"):
            return self._rests_on(looked_at, telling)

    def _rests_on(self, looked_at: set[tuple[str, str]], telling: set[str]) -> bool:
        return bool(
            not self._telling
            or any(map(self._has_content, telling or self._telling))
            or any(self._is_right(case, name) or self._is_refused(case, name) for case, name in looked_at)
            or self._right_somewhere
            or (looked_at and not telling and self._has_right_parameters)
        )

    @cached_property
    def _telling(self) -> set[str]:
        """The outputs whose answers are neither one constant, nor a gradient."""
        names = {name for record in self.results.expected.values() for name in record.get("tensors", {})}
        return {name for name in names if not name.startswith(BACKWARDS) and self._can_tell(name)}

    @cached_property
    def _right_somewhere(self) -> bool:
        return any(
            self._is_right(case, name)
            for name in self._telling
            for case, expected in self._all(self.results.expected, name)
            if expected.dtype.kind == "f" or expected.size > 1
        )

    @cached_property
    def _has_right_parameters(self) -> bool:
        counts = [(case, name) for case, r in self.results.expected.items() for name in r.get("tensors", {})]
        return any(self._is_right(case, name) for case, name in counts)

    def _can_tell(self, name: str) -> bool:
        answers = dict(self._all(self.results.expected, name))
        first = next(iter(answers.values()))
        if is_text(first):
            return len({array.tobytes() for array in answers.values()}) > 1 and isinstance(
                read_text(first), (list, dict)
            )
        if any(array.ndim > (array.dtype == bool) for array in answers.values()):
            return not all(map(_is_constant, answers.values()))
        if first.ndim or first.dtype == bool:
            return False
        return self._numbers_say({case: float(array) for case, array in answers.items()})

    def _has_content(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = self._looked_for(name)
        return self._known[name]

    def _looked_for(self, name: str) -> bool:
        asked = dict(self._all(self.results.expected, name))
        outputs = {case: came for case, came in self._all(self.results.actual, name) if case in asked}
        if all(map(is_text, outputs.values())):
            return len({came.tobytes() for came in outputs.values()}) > 1 and any(
                self._text_says(case, came) for case, came in outputs.items()
            )
        if all(came.size == 1 for came in outputs.values()):
            numbers = {case: float(came.flat[0]) for case, came in outputs.items()}
            return self._numbers_say(numbers) and self._follows(name, outputs)
        if self._is_new_shape(name, outputs):
            return True
        says = (case for case, came in outputs.items() if self._array_says(case, came))
        own = (case for case in says if not self._is_some_rows(case, name, outputs[case]))
        return any(not self._is_a_slice(case, name, outputs[case]) for case in own) and self._follows(name, outputs)

    def _numbers_say(self, numbers: dict[str, float]) -> bool:
        """They are not one number, nor in all cases the same number of the same input."""
        finite = {case: number for case, number in numbers.items() if np.isfinite(number)}
        if not finite or _is_constant(np.array([*finite.values()])):
            return False
        return not set.intersection(*(set(self._explanations(*pair)) for pair in finite.items()))

    def _array_says(self, case: str, came: np.ndarray) -> bool:
        if is_text(came) or _is_constant(came):
            return False
        precision = self.results.tolerance(case)
        return not any(_is_copy(came, given, precision) or _is_mean(came, given) for given in self._given(case))

    def _is_some_rows(self, case: str, name: str, came: np.ndarray) -> bool:
        """Every row is one of an input's, and the answer's are not."""
        expected = self.results.expected[case]["tensors"].get(name)
        given = [array for array in self._given(case) if array.ndim > 1 and array.shape[-1:] == came.shape[-1:]]
        return came.ndim > 1 and any(
            _rows(came) <= _rows(array) and not _rows(expected) <= _rows(array) for array in given
        )

    def _is_a_slice(self, case: str, name: str, came: np.ndarray) -> bool:
        """It is one place along an axis of an input, or the mean over that axis, and the answer has another shape."""
        if came.shape == self.results.expected[case]["tensors"][name].shape:
            return False
        return any(_is_without_an_axis(came, given) for given in self._given(case))

    def _has_same_sizes(self, one: str, other: str) -> bool:
        """The inputs of two cases have the same shapes."""
        drawn, again = (self.results.inputs.get(case, {"tensors": {}})["tensors"] for case in (one, other))
        return {path: x.shape for path, x in drawn.items()} == {path: x.shape for path, x in again.items()}

    def _follows(self, name: str, came: dict[str, np.ndarray]) -> bool:
        """It differs in many pairs of cases where the answers differ; noise from one seed does not."""
        answers = {case: array.astype(float) for case, array in self._all(self.results.expected, name) if case in came}
        came = {case: came[case].astype(float) for case in answers}
        pairs = [pair for pair in combinations(answers, 2) if came[pair[0]].shape == came[pair[1]].shape]
        if not any(array.ndim for array in came.values()):  # a number may follow from the sizes alone
            pairs = [pair for pair in pairs if self._has_same_sizes(*pair)]
        apart = alike = 0
        for one, other in pairs:
            if _differ(answers[one], answers[other]):
                apart += 1
                alike += not _differ(came[one], came[other])
                if apart - alike > (1 - ALIKE) * len(pairs):
                    return True
        return alike <= ALIKE * apart

    def _is_new_shape(self, name: str, outputs: dict[str, np.ndarray]) -> bool:
        """The shape alone is content where it is right in several cases, and no input has it; not of one number."""
        if all(map(_is_constant, outputs.values())):
            return False
        shapes = set()
        for case, expected in self._all(self.results.expected, name):
            shape = outputs[case].shape if case in outputs else None
            if len(expected.shape) > 1 and shape == expected.shape and all(x.shape != shape for x in self._given(case)):
                shapes.add(shape)
        return len(shapes) > 1

    def _text_says(self, case: str, came: np.ndarray) -> bool:
        try:
            value = read_text(came)
        except UNASKABLE:
            return False
        given = [*self._settings(case)]
        made = all(part in given for part in value) if isinstance(value, list) else False
        return bool(value) and isinstance(value, (list, dict)) and value not in given and not made

    def _is_right(self, case: str, name: str) -> bool:
        """The answer came, and is none that could be met by chance."""
        expected = self.results.expected.get(case, {}).get("tensors", {}).get(name)
        came = self.results.actual.get(case, {}).get("tensors", {}).get(name)
        if expected is None or came is None or expected.dtype == bool or name.startswith(BACKWARDS):
            return False
        if not close(came, expected, self.results.tolerance(case)) or (
            name in self._telling and not self._has_content(name)
        ):
            return False
        if is_text(expected):
            return name in self._telling and self._text_says(case, came)
        if expected.size > 1:
            return self._array_says(case, came)
        value = float(expected.flat[0]) if expected.size else 0.0
        return abs(value) not in (0.0, 1.0) and not any(self._explanations(case, value))

    def _is_refused(self, case: str, name: str) -> bool:
        """An error was asked for and came, and other cases ended otherwise."""
        came = _error(self.results.actual.get(case, {}))
        return name == ERROR and came is not None and any(_error(r) != came for r in self.results.actual.values())

    def _explanations(self, case: str, value: float) -> Iterator[str]:
        """Which number of an input alone this is."""
        drawn = self.results.inputs.get(case, {"tensors": {}, "settings": {}})
        for path, array in drawn["tensors"].items():
            yield from (f"{path} axis {axis}" for axis, size in enumerate(array.shape) if value == size)
            if array.size:
                statistics = enumerate(float(statistic(array)) for statistic in STATISTICS)
                yield from (f"{path} {place}" for place, number in statistics if _is_near(value, number))
        for key, setting in drawn["settings"].items():
            if isinstance(setting, (int, float)) and _is_near(value, float(setting)):
                yield key
            if isinstance(setting, (dict, list, str)) and value == len(setting):
                yield f"size of {key}"

    def _given(self, case: str) -> Iterator[np.ndarray]:
        """The inputs that are numbers: tensors, and dicts of numbers, also in the order of another one's keys."""
        yield from self.results.inputs.get(case, {"tensors": {}})["tensors"].values()
        dicts = [setting for setting in self._settings(case) if isinstance(setting, dict)]
        for numbers, other in product(dicts, dicts):
            if all(isinstance(numbers.get(key), (int, float)) for key in other):
                yield np.array([numbers[key] for key in other], dtype=np.float64)

    def _settings(self, case: str) -> Iterator:
        """The inputs that are not tensors, and what dicts among them hold."""
        for setting in self.results.inputs.get(case, {"settings": {}})["settings"].values():
            yield setting
            if isinstance(setting, dict):
                yield from setting.values()

    def _all(self, records: dict, name: str) -> Iterator[tuple[str, np.ndarray]]:
        for case, record in records.items():
            if name in record.get("tensors", {}):
                yield case, record["tensors"][name]


def _error(record: dict) -> str | None:
    return record["error"]["type"] if "error" in record else None


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-5 + 1e-4 * abs(other)


def _differ(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape != other.shape or bool((np.abs(one - other) > 1e-5 + 1e-4 * np.abs(other)).any())


def _is_constant(array: np.ndarray) -> bool:
    """One number, or none that is finite."""
    array = array.astype(np.float64)
    array = array[np.isfinite(array)]
    return not array.size or bool(np.ptp(array) <= 1e-9 * max(1.0, np.abs(array).max()))


def _rows(array: np.ndarray | None) -> set[bytes]:
    """What stands along the last axis, each time; nothing where there is none."""
    if array is None or not array.ndim:
        return set()
    return {row.tobytes() for row in array.reshape(-1, array.shape[-1]).astype(np.float32)}


def _is_copy(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other, but for its scale; or it is as far as that goes, and one number from there on."""
    if came.ndim != given.ndim or not came.ndim or not given.size:
        return False
    corner = tuple(slice(min(pair)) for pair in zip(came.shape, given.shape, strict=True))
    rest = np.ones(came.shape, dtype=bool)
    rest[corner] = False
    return (
        2 * came[corner].size >= given.size
        and _is_constant(came[rest])
        and _is_affine(came[corner], given[corner], precision)
    )


def _is_mean(came: np.ndarray, given: np.ndarray) -> bool:
    """One is the other's mean over two axes or more; over one it may be the right mean, but for what was left out."""
    if not 0 < came.ndim < given.ndim - 1:
        return False
    return any(
        not _differ(came, given.mean(axes, dtype=np.float64))
        for axes in combinations(range(given.ndim), given.ndim - came.ndim)
        if came.shape == tuple(size for axis, size in enumerate(given.shape) if axis not in axes)
    )


def _is_without_an_axis(came: np.ndarray, given: np.ndarray) -> bool:
    """One is the other at one place along an axis, or its mean over that axis."""
    if came.ndim != given.ndim - 1 or not given.size:
        return False
    for axis in range(given.ndim):
        across = np.moveaxis(given, axis, 0).astype(np.float64)
        if across[0].shape == came.shape and not all(_differ(came, part) for part in (*across, across.mean(0))):
            return True
    return False


def _is_affine(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other, multiplied by a number and shifted by one, to within the precision."""
    finite = np.isfinite(given)
    if not np.array_equal(np.isfinite(came), finite):
        return False
    came, given = came[finite].astype(np.float64), given[finite].astype(np.float64)
    if _is_constant(given):
        return np.array_equal(came, given)
    apart = given - given.mean()
    slope = came @ apart / (apart @ apart)
    return bool(np.allclose(came, came.mean() + slope * apart, rtol=1e-4, atol=max(precision, 1e-5 * np.ptp(came))))
