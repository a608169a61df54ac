"""What the cases of an exercise and the expected outputs say on their own: worked out once, for all answers."""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import combinations, product

import numpy as np

from autograder.catalogue.results import is_text, read_text
from autograder.judging.derived import differ, is_constant, is_near
from autograder.judging.once import once_for_each

BACKWARDS = ("gradient", "norms", "of_")  # outputs with such names follow from others: the identity has a gradient too
STATISTICS: tuple[Callable, ...] = (
    *(np.mean, np.sum, np.max, np.min, np.argmax, np.argmin),
    *(lambda x: x.flat[0], lambda x: x.flat[-1]),
)
NOTHING: dict[str, dict] = {"tensors": {}, "settings": {}}


def tensors_of(records: dict, name: str) -> Iterator[tuple[str, np.ndarray]]:
    """The output of this name in each case that has it."""
    for case, record in records.items():
        if name in record.get("tensors", {}):
            yield case, record["tensors"][name]


class KeyContent:
    """The inputs and the expected outputs of an exercise's cases."""

    def __init__(self, expected: dict, inputs: dict):
        self.expected, self.inputs = expected, inputs
        self._alike: dict[str, list[tuple[str, str]]] = {}
        self._sources: dict[tuple[str, str], list[np.ndarray]] = {}
        self._given: dict[str, list[np.ndarray]] = {}
        self._statistics: dict[str, list[tuple[str, float]]] = {}

    @cached_property
    def telling(self) -> set[str]:
        """The outputs whose answers are neither one constant, nor a gradient."""
        names = {name for record in self.expected.values() for name in record.get("tensors", {})}
        return {name for name in names if not name.startswith(BACKWARDS) and self._can_tell(name)}

    def _can_tell(self, name: str) -> bool:
        answers = dict(tensors_of(self.expected, name))
        first = next(iter(answers.values()))
        if is_text(first):
            return len({array.tobytes() for array in answers.values()}) > 1 and isinstance(
                read_text(first), (list, dict)
            )
        if any(array.ndim > (array.dtype == bool) for array in answers.values()):
            return not all(map(is_constant, answers.values()))
        if first.ndim or first.dtype == bool:
            return False
        return self.numbers_say({case: float(array) for case, array in answers.items()})

    def numbers_say(self, numbers: dict[str, float]) -> bool:
        """They are not one number, nor in all cases the same number of the same input."""
        finite = {case: number for case, number in numbers.items() if np.isfinite(number)}
        if not finite or is_constant(np.array([*finite.values()])):
            return False
        return not set.intersection(*(set(self.explanations(*pair)) for pair in finite.items()))

    def explanations(self, case: str, value: float) -> Iterator[str]:
        """Which number of an input alone this is."""
        drawn = self._drawn(case)
        for path, array in drawn["tensors"].items():
            yield from (f"{path} axis {axis}" for axis, size in enumerate(array.shape) if value == size)
        yield from (name for name, number in self._statistics_of(case) if is_near(value, number))
        for key, setting in drawn["settings"].items():
            if isinstance(setting, (int, float)) and is_near(value, float(setting)):
                yield key
            if isinstance(setting, (dict, list, str)) and value == len(setting):
                yield f"size of {key}"

    def alike(self, name: str) -> list[tuple[str, str]]:
        """The pairs of cases with the same inputs, and the same expected output of this name."""
        if name not in self._alike:
            answers = dict(tensors_of(self.expected, name))
            self._alike[name] = [
                (one, other)
                for one, other in combinations(answers, 2)
                if not differ(answers[one], answers[other]) and self._has_same_inputs(one, other)
            ]
        return self._alike[name]

    def sources(self, case: str, name: str) -> list[np.ndarray]:
        """The inputs of a case that hold all numbers of this output."""
        if (case, name) not in self._sources:
            answer = self.expected[case]["tensors"][name]
            self._sources[case, name] = [given for given in self.given(case) if np.isin(answer, given).all()]
        return self._sources[case, name]

    def given(self, case: str) -> list[np.ndarray]:
        """The inputs that are numbers: tensors, and dicts of numbers, also in the order of another one's keys."""
        if case not in self._given:
            dicts = [setting for setting in self.settings(case) if isinstance(setting, dict)]
            of_dicts = (
                np.array([numbers[key] for key in other], dtype=np.float64)
                for numbers, other in product(dicts, dicts)
                if all(isinstance(numbers.get(key), (int, float)) for key in other)
            )
            self._given[case] = [*self._drawn(case)["tensors"].values(), *of_dicts]
        return self._given[case]

    def settings(self, case: str) -> Iterator:
        """The inputs that are not tensors, and what dicts among them hold."""
        for setting in self._drawn(case)["settings"].values():
            yield setting
            if isinstance(setting, dict):
                yield from setting.values()

    def same_sizes(self, one: str, other: str) -> bool:
        """The inputs of two cases have the same shapes."""
        drawn, again = (self._drawn(case)["tensors"] for case in (one, other))
        return {path: x.shape for path, x in drawn.items()} == {path: x.shape for path, x in again.items()}

    def _has_same_inputs(self, one: str, other: str) -> bool:
        """The tensors of two cases hold the same numbers; their settings are the same where there are no tensors."""
        drawn, again = self._drawn(one), self._drawn(other)
        if not drawn["tensors"]:
            return drawn["settings"] == again["settings"] and not again["tensors"]
        return drawn["tensors"].keys() == again["tensors"].keys() and all(
            x.dtype == again["tensors"][path].dtype and np.array_equal(x, again["tensors"][path])
            for path, x in drawn["tensors"].items()
        )

    def _statistics_of(self, case: str) -> list[tuple[str, float]]:
        if case not in self._statistics:
            self._statistics[case] = [
                (f"{path} {place}", float(statistic(array)))
                for path, array in self._drawn(case)["tensors"].items()
                if array.size
                for place, statistic in enumerate(STATISTICS)
            ]
        return self._statistics[case]

    def _drawn(self, case: str) -> dict:
        return self.inputs.get(case, NOTHING)


key_content: Callable[[dict, dict], KeyContent] = once_for_each(KeyContent)
