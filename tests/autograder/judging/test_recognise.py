"""Which known mistake is named, and when none is: a wrong name costs more than none."""

from types import SimpleNamespace

import numpy as np

from autograder.catalogue.edits import mistake
from autograder.judging.recognise import known_mistake_of

NUMBERS = np.arange(6.0).reshape(2, 3)
REFUSAL = {"error": {"type": "ValueError", "message": "5 is odd"}}


def given(array):
    return {"tensors": {"output": np.asarray(array)}}


def named(actual, expected, cases=(), **mistakes):
    """The name of what is recognised in these records, among mistakes that gave these."""
    known = tuple(mistake(name, {}).because("says", name) for name in mistakes)
    key = {"expected": expected, "mistakes": mistakes}
    found = known_mistake_of(SimpleNamespace(mistakes=known, cases=cases), key, actual)
    return found.name if found else None


def test_a_mistake_that_changes_none_of_the_numbers_is_not_named_for_another_dtype():
    expected = {"a": given(NUMBERS > 2)}
    assert named({"a": given(1.0 * (NUMBERS > 2))}, expected, nothing=expected) is None


def test_a_mistake_is_not_named_for_outputs_that_the_answer_does_not_hold():
    beside = {"tensors": {"output": NUMBERS, "alone": np.array(True)}}
    actual = {"a": beside, "b": given(2 * NUMBERS)}
    assert named(actual, {"a": given(NUMBERS), "b": given(NUMBERS)}, nothing={"a": beside, "b": given(NUMBERS)}) is None


def test_of_two_mistakes_with_the_same_numbers_the_one_with_the_same_dtypes_is_named():
    single, double = given(NUMBERS.astype("float32")), given(NUMBERS)
    expected = {"a": given(0 * NUMBERS)}
    assert named({"a": double}, expected, single={"a": single}, double={"a": double}) == "double"
    assert named({"a": single}, expected, double={"a": double}, single={"a": single}) == "single"


def test_what_is_right_to_within_the_tolerance_of_its_case_is_not_wrong():
    cases = (SimpleNamespace(name="loose", tolerance=1e-2), SimpleNamespace(name="strict", tolerance=None))
    expected = {"loose": given(NUMBERS), "strict": given(NUMBERS)}
    actual = {"loose": given(NUMBERS + 5e-3), "strict": given(-NUMBERS)}
    negative = {"loose": given(NUMBERS), "strict": given(-NUMBERS)}
    assert named(actual, expected, cases, negative=negative) == "negative"


def test_a_mistake_is_named_to_within_the_tolerance_of_the_case_that_it_spoils():
    cases = (SimpleNamespace(name="a", tolerance=1e-2),)
    actual, negative = {"a": given(-NUMBERS + 5e-3)}, {"a": given(-NUMBERS)}
    assert named(actual, {"a": given(NUMBERS)}, cases, negative=negative) == "negative"


def test_a_mistake_with_the_same_numbers_is_named():
    assert named({"a": given(2 * NUMBERS)}, {"a": given(NUMBERS)}, twice={"a": given(2 * NUMBERS)}) == "twice"


def test_what_is_let_through_is_named_whatever_comes_out():
    expected = {"a": given(NUMBERS), "odd": REFUSAL}
    actual = {"a": given(NUMBERS), "odd": given([7.0])}
    let_through = {"a": given(NUMBERS), "odd": given([0.0])}
    assert named(actual, expected, accepted=let_through) == "accepted"


def test_of_two_that_let_the_same_through_none_is_named():
    expected = {"a": given(NUMBERS), "odd": REFUSAL}
    actual = {"a": given(NUMBERS), "odd": given([7.0])}
    as_zero, as_nan = ({"a": given(NUMBERS), "odd": given([value])} for value in (0.0, np.nan))
    assert named(actual, expected, zero=as_zero, nan=as_nan) is None


def test_where_a_number_is_wrong_besides_nothing_is_said_of_what_is_let_through():
    expected = {"a": given(NUMBERS), "odd": REFUSAL}
    actual = {"a": given(NUMBERS + 1), "odd": given([7.0])}
    assert named(actual, expected, accepted={"a": given(NUMBERS), "odd": given([0.0])}) is None
