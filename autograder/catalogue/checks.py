"""The checks that the judge can make on the tensors that came back.

A check is a function of `Results` that returns None when it holds and a `Finding` when it does not.
Some compare with the fixed answers (`matches`); most relate the student's own outputs to each other
(`unmoved`, `moved`), so one mistake costs one criterion and not all of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autograder.catalogue.raised import is_torchs_own, mentions
from autograder.catalogue.results import (
    ERROR,
    OTHER_SHAPE,
    UNASKABLE,
    Check,
    Finding,
    Results,
    close,
    difference,
    finding_of,
)

NAMED = 4  # parameters, in a sentence
AT_RANDOM = "the result is random: two calls with the same inputs give different numbers"
NOT_FINITE = "the result holds NaN or infinity"


def matches(case: str, *outputs: str) -> Check:
    """The named outputs (all of them, when none is named) equal the answers of this case."""
    return matches_expected_of(case, case, *outputs)


def _whole(array: np.ndarray) -> np.ndarray:
    return array


def same_again(case: str, *outputs: str) -> Check:
    """The outputs of a case that is `asked_again` are the same both times, NaN included."""

    def check(results: Results) -> Finding | None:
        other = f"{case} again"
        for name in outputs:
            before, after = results.output(case, name), results.output(other, name)
            if before.shape != after.shape or not np.array_equal(before, after, equal_nan=before.dtype.kind == "f"):
                return Finding("the same inputs give different numbers in each call", other, name, before, after)
        return None

    return check


def unmoved(case: str, other: str, *outputs: str, text: str, at: Callable = _whole, at_other: Callable | None = None):
    """The outputs, as selected by `at`, are the same in two cases of the student's own."""

    def check(results: Results) -> Finding | None:
        for name in outputs or results.names(case):
            before, after = at(results.output(case, name)), (at_other or at)(results.output(other, name))
            if not np.isfinite(before).all():
                return Finding(NOT_FINITE, case, name, actual=before)
            if before.shape != after.shape or not close(after, before, 1e-4):
                selects = at is not _whole or at_other not in (None, _whole)
                if selects and not results.has_expected_shape(other, name):
                    return Finding(OTHER_SHAPE)  # what `at` selects is then something else
                return Finding(text, other, name, before, after)
        return None

    return check


def moved(case: str, other: str, *outputs: str, text: str, at: Callable = _whole):
    """The outputs, as selected by `at`, differ between two cases of the student's own."""

    def check(results: Results) -> Finding | None:
        for name in outputs or results.names(case):
            before, after = at(results.output(case, name)), at(results.output(other, name))
            if before.shape != after.shape or not np.isfinite(before).all() or np.abs(after - before).max() < 1e-3:
                return Finding(text, other, name)
        return None

    return check


def forgets(case: str, later: str = "after another call", *outputs: str) -> Check:
    """The results are the same after a call with other inputs."""
    same = unmoved(case, later, *outputs, text="what an earlier call has seen changes the result")

    def check(results: Results) -> Finding | None:
        finding = same(results)
        return replace(finding, text=AT_RANDOM) if finding and results.draws(later) else finding

    return check


def same_in_training(case: str, training: str = "in training") -> Check:
    """No dropout acts if none was asked for."""
    return unmoved(case, training, text="in training the same inputs give different numbers")


def same_alone(case: str, alone: str, sample: int, *outputs: str) -> Check:
    """One sample gives the same results in a batch as on its own."""
    text = "one sample alone gives different numbers than inside the batch"
    return unmoved(case, alone, *outputs, text=text, at=lambda a: a[sample : sample + 1], at_other=_whole)


def finite(case: str, *outputs: str, text: str) -> Check:
    """No NaN and no infinity."""

    def check(results: Results) -> Finding | None:
        for name in outputs or results.names(case):
            actual = results.output(case, name)
            if not np.isfinite(actual.astype(np.float64)).all():
                return Finding(text, case, name, actual=actual)
        return None

    return check


def is_true(case: str, outputs: Sequence[str], holds: Callable[..., bool], text: str) -> Check:
    """`holds(*arrays)` is true of the student's outputs of this case."""
    return fits(case, outputs, (), holds, text)


def fits(case: str, outputs: Sequence[str], inputs: Sequence[str], holds: Callable[..., bool], text: str) -> Check:
    """`holds(*outputs, *inputs)` is true of what the student gave for the inputs of this case.

    For answers that may be drawn freely: no fixed number is right, but a rule must hold.
    """

    def check(results: Results) -> Finding | None:
        arrays = [results.output(case, name) for name in outputs]
        try:
            good = bool(holds(*arrays, *(results.given(case, name) for name in inputs)))
        except UNASKABLE:
            good = False
        return None if good else Finding(text, case, outputs[0], actual=arrays[0])

    return check


def evenly_spread(counts: np.ndarray, deviations: float = 5.0) -> bool:
    """Whether counts may come from a uniform draw: a chi-square test that a fair one fails once in a million times.

    The limit is Wilson and Hilferty's approximation to the chi-square quantile, `deviations` standard
    deviations out (1931, *The distribution of chi-square*).
    """
    mean, freedom = counts.mean(), counts.size - 1
    spread = 2 / (9 * freedom)
    limit = freedom * (1 - spread + deviations * np.sqrt(spread)) ** 3
    return bool(mean > 0 and ((counts - mean) ** 2 / mean).sum() < limit)


def shaped_as_expected(case: str, *outputs: str) -> Check:
    """The outputs have the shapes of the answers."""

    def check(results: Results) -> Finding | None:
        for name in outputs or results.names(case):
            actual, expected = results.output(case, name), results.expected_output(case, name)
            if actual.shape != expected.shape:
                return Finding(f"{name} {difference(actual, expected)}", case, name)
        return None

    return check


def raises(case: str, kind: str, *words: str) -> Check:
    """The case ends in an exception of this kind, whose message mentions these words.

    An error of torch's own at a student's line that mentions them all, or two sizes that are not equal, or a shape that
    the entries do not fill, says as clearly what does not fit.
    """

    def check(results: Results) -> Finding | None:
        results.looked_at.add((case, ERROR))
        error = results.actual.get(case, {}).get("error")
        if error is None or error["type"] == "NotATensor":  # something came back
            return Finding(f"no {kind} was raised", case)
        if is_torchs_own(error, words):
            return None
        if kind not in error.get("kinds", [error["type"]]):
            return Finding(f"{error['type']} was raised, expected {kind}", case)
        lost = [word for word in words if not mentions(error["message"], word)]
        return Finding(f"the message of {kind} does not mention {', '.join(lost)}", case) if lost else None

    return check


COMMON = "nothing else changes: arguments, modes, seeds, dtypes"


def nothing_else_changes(*but: str) -> Check:
    """No case changed an argument, a mode or the random seed, `but` for what it may change.

    An answer that raises in most cases, or returns something of the wrong form, has not shown that.
    """

    def check(results: Results) -> Finding | None:
        expected = [case for case, record in results.expected.items() if "tensors" in record]
        if 2 * sum(map(results.has_expected_form, expected)) < len(expected):
            return Finding("too little came back in the expected shapes to say so")
        for case in results.actual:
            for thing in results.side_effects_of(case):
                if thing not in but:
                    return Finding(f"the {thing} is changed by the call", case)
        return None

    return check


def dtypes_kept(*but: str) -> Check:
    """Every output has the dtype that the reference gives for the same inputs, `but` for these."""

    def check(results: Results) -> Finding | None:
        for case, record in results.actual.items():
            for name, expected in results.dtypes(case).items():
                actual = record.get("tensors", {}).get(name)
                if actual is not None and name not in but and str(actual.dtype) != expected:
                    return Finding(f"{name} is {actual.dtype}, expected {expected}", case, name)
        return None

    return check


def where(premise: Check, *checks: Check) -> Check:
    """The checks, asked only where the premise holds: a mistake that was counted there costs nothing here."""

    asked = every(*checks)
    return lambda results: None if finding_of(premise, results) else asked(results)


def every(*checks: Check) -> Check:
    """All of them hold; when one does not, its finding."""
    return lambda results: next((finding for asked in checks if (finding := asked(results))), None)


def either(first: Check, second: Check) -> Check:
    """One of two holds; when neither does, the finding of the first."""

    def check(results: Results) -> Finding | None:
        finding = finding_of(first, results)
        return finding if finding and finding_of(second, results) else None

    return check


def in_words(text: str, asked: Check) -> Check:
    """The check; if it fails, only this sentence is said, without numbers."""

    def check(results: Results) -> Finding | None:
        finding = asked(results)
        return Finding(text, finding.case) if finding else None

    return check


def matches_expected_of(other: str, case: str, *outputs: str) -> Check:
    """The outputs of this case equal the answers to another one."""

    def check(results: Results) -> Finding | None:
        for name in outputs or results.names(case):
            actual, expected = results.output(case, name), results.expected_output(other, name)
            if not close(actual, expected, results.tolerance(case)):
                return Finding(f"{name} {difference(actual, expected)}", case, name, expected, actual)
        return None

    return check
