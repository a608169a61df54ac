"""What an answer has shown at all: a trivial body earns nothing.

That a hidden key changes nothing, that no argument is overwritten, that nothing is NaN: all of it is true of `return
0.0`. So a criterion counts where the outputs that it rests on have content, and is “not judged yet” elsewhere.
Content is less than right: a wrong scale has it. What has none is one number everywhere, what one input alone gives
without a thought (`judging/derived.py`: itself, a part of it, its magnitudes, its sum, its size), what is the same for
all inputs, and noise that is the same whatever the inputs hold.
"""

from functools import cached_property
from itertools import combinations

import numpy as np

from autograder.catalogue.results import ERROR, UNASKABLE, Results, close, is_text, read_text
from autograder.judging.derived import (
    differ,
    is_constant,
    is_copy,
    is_even,
    is_mean,
    is_part,
    is_place,
    is_rearranged,
    is_reduced,
    rows,
)
from autograder.judging.key_content import BACKWARDS, key_content, tensors_of

ALIKE = 0.8  # of the pairs of cases where the answers differ: more that do not, and it is no answer to the inputs


class Content:
    """Which outputs of an answer say anything, by the name of the output."""

    def __init__(self, results: Results):
        self.results = results
        self.key = key_content(results.expected, results.inputs)
        self._known: dict[str, bool] = {}

    def shows(self, looked_at: set[tuple[str, str]]) -> bool:
        """Whether a criterion that looked at these (case, output) rests on content.

        That is: one of these outputs has it, is right by more than chance, or is an error that was asked for. What
        looked at no output that could have content (a mode, a gradient) rests on the answer as a whole, and so does
        everything where some numbers are right.
        """
        telling = {name for _, name in looked_at} & self.key.telling
        with np.errstate(invalid="ignore"):
            return self._rests_on(looked_at, telling)

    def _rests_on(self, looked_at: set[tuple[str, str]], telling: set[str]) -> bool:
        return bool(
            not self.key.telling
            or any(map(self._has_content, telling or self.key.telling))
            or any(self._is_right(case, name) or self._is_refused(case, name) for case, name in looked_at)
            or self._right_somewhere
            or (looked_at and not telling and self._has_right_parameters)
        )

    @cached_property
    def _right_somewhere(self) -> bool:
        return any(
            self._is_right(case, name)
            for name in self.key.telling
            for case, expected in tensors_of(self.results.expected, name)
            if expected.dtype.kind == "f" or expected.size > 1
        )

    @cached_property
    def _has_right_parameters(self) -> bool:
        counts = [(case, name) for case, r in self.results.expected.items() for name in r.get("tensors", {})]
        return any(self._is_right(case, name) for case, name in counts)

    def _has_content(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = self._looked_for(name)
        return self._known[name]

    def _looked_for(self, name: str) -> bool:
        asked = dict(tensors_of(self.results.expected, name))
        came = {case: came for case, came in tensors_of(self.results.actual, name) if case in asked}
        outputs = self._steady(name, came)
        if all(map(is_text, outputs.values())):
            return len({came.tobytes() for came in outputs.values()}) > 1 and any(
                self._text_says(case, came) for case, came in outputs.items()
            )
        if all(came.size == 1 for came in outputs.values()):
            numbers = {case: float(came.flat[0]) for case, came in outputs.items()}
            return self.key.numbers_say(numbers) and self._follows(name, outputs)
        if self._is_new_shape(name, outputs):
            return True
        says = (case for case, came in outputs.items() if self._array_says(case, came))
        own = (case for case in says if not self._is_some_rows(case, name, outputs[case]))
        return any(not self._is_of_one_input(case, name, outputs[case]) for case in own) and self._follows(
            name, outputs
        )

    def _array_says(self, case: str, came: np.ndarray) -> bool:
        if is_text(came) or is_constant(came):
            return False
        precision = self.results.tolerance(case)
        return not any(
            is_copy(came, given, precision)
            or is_mean(came, given)
            or is_place(came, given)
            or is_even(came, given, precision)
            for given in self.key.given(case)
        )

    def _is_some_rows(self, case: str, name: str, came: np.ndarray) -> bool:
        """Every row is one of an input's, and the answer's are not."""
        expected = self.results.expected[case]["tensors"].get(name)
        given = [array for array in self.key.given(case) if array.ndim > 1 and array.shape[-1:] == came.shape[-1:]]
        return came.ndim > 1 and any(rows(came) <= rows(array) and not rows(expected) <= rows(array) for array in given)

    def _is_of_one_input(self, case: str, name: str, came: np.ndarray) -> bool:
        """It has the numbers of an input in another order, or is a part of one, or one step away from it.

        The order counts where the answer has these numbers, too; the rest counts where it has this shape, as do whole
        numbers, which are soon the same.
        """
        expected = self.results.expected[case]["tensors"][name]
        fits, whole, precision = came.shape == expected.shape, came.dtype.kind != "f", self.results.tolerance(case)
        return any(
            (is_rearranged(came, given) and not (whole and fits) and not is_rearranged(expected, given))
            or (not fits and (is_reduced(came, given, precision) or is_part(came, given, precision)))
            for given in self.key.given(case)
        )

    def _is_drawn(self, case: str, name: str, came: np.ndarray) -> bool:
        """All numbers are those of an input that the answer has its numbers from."""
        return any(np.isin(came, given).all() for given in self.key.sources(case, name))

    def _steady(self, name: str, came: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Without the cases that ask the same as another one and get something else; nothing where all such do.

        One pair that differs in a setting may differ for its sake, and rows of an input in a random order are such as
        the answer's: both are mistakes, and no noise.
        """
        pairs = [pair for pair in self.key.alike(name) if pair[0] in came and pair[1] in came]
        if len(pairs) == 1 and len({str(self.results.inputs[case]["settings"]) for case in pairs[0]}) > 1:
            return came
        own = {case for pair in pairs for case in pair if not self._is_drawn(case, name, came[case])}
        apart = [pair for pair in pairs if differ(came[pair[0]], came[pair[1]]) and own.intersection(pair)]
        same = {case for pair in pairs if pair not in apart for case in pair}
        restless = {case for pair in apart for case in pair} - same
        return {case: array for case, array in came.items() if case not in restless} if same or not apart else {}

    def _follows(self, name: str, came: dict[str, np.ndarray]) -> bool:
        """It differs in many pairs of cases where the answers differ; noise from one seed does not."""
        answers = {case: array.astype(float) for case, array in tensors_of(self.results.expected, name) if case in came}
        came = {case: came[case].astype(float) for case in answers}
        pairs = [pair for pair in combinations(answers, 2) if came[pair[0]].shape == came[pair[1]].shape]
        if not any(array.ndim for array in came.values()):  # a number may follow from the sizes alone
            pairs = [pair for pair in pairs if self.key.same_sizes(*pair)]
        apart = alike = 0
        for one, other in pairs:
            if differ(answers[one], answers[other]):
                apart += 1
                alike += not differ(came[one], came[other])
                if apart - alike > (1 - ALIKE) * len(pairs):
                    return True
        return alike <= ALIKE * apart

    def _is_new_shape(self, name: str, outputs: dict[str, np.ndarray]) -> bool:
        """The shape alone is content where it is right in several cases, and no input has it; not of one number."""
        if all(map(is_constant, outputs.values())):
            return False
        shapes = set()
        for case, expected in tensors_of(self.results.expected, name):
            shape = outputs[case].shape if case in outputs else None
            if len(expected.shape) > 1 and shape == expected.shape:
                shapes |= {shape} - {given.shape for given in self.key.given(case)}
        return len(shapes) > 1

    def _text_says(self, case: str, came: np.ndarray) -> bool:
        try:
            value = read_text(came)
        except UNASKABLE:
            return False
        given = [*self.key.settings(case)]
        made = all(part in given for part in value) if isinstance(value, list) else False
        return bool(value) and isinstance(value, (list, dict)) and value not in given and not made

    def _is_right(self, case: str, name: str) -> bool:
        """The answer came, and is none that could be met by chance."""
        expected = self.results.expected.get(case, {}).get("tensors", {}).get(name)
        came = self.results.actual.get(case, {}).get("tensors", {}).get(name)
        if expected is None or came is None or expected.dtype == bool or name.startswith(BACKWARDS):
            return False
        if not close(came, expected, self.results.tolerance(case)) or (
            name in self.key.telling and not self._has_content(name)
        ):
            return False
        if is_text(expected):
            return name in self.key.telling and self._text_says(case, came)
        if expected.size > 1:
            return self._array_says(case, came)
        value = float(expected.flat[0]) if expected.size else 0.0
        return abs(value) not in (0.0, 1.0) and not any(self.key.explanations(case, value))

    def _is_refused(self, case: str, name: str) -> bool:
        """An error was asked for and came, and other cases ended otherwise."""
        came = _error(self.results.actual.get(case, {}))
        return name == ERROR and came is not None and any(_error(r) != came for r in self.results.actual.values())


def _error(record: dict) -> str | None:
    return record["error"]["type"] if "error" in record else None
