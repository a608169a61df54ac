"""Lists and strings cross as JSON: compared exactly, quoted where they differ, and read with suspicion."""

import json

import numpy as np
import pytest

from autograder.catalogue.checks import AT_RANDOM, forgets, nothing_else_changes, unmoved
from autograder.catalogue.results import (
    LONGEST,
    OTHER_SHAPE,
    UNASKABLE,
    Finding,
    Results,
    close,
    difference,
    is_text,
    read_text,
)
from autograder.practice.heat_map import compare
from autograder.probes.run import Text, plain
from autograder.protocol.sentences import DRAWS


def text(value):
    return plain(Text(value), "a list")


@pytest.mark.parametrize("value", [[["l", "ö"], ["日本", "</w>"]], [], "a", 3, [True, None, 0.5], {"a": [1]}])
def test_what_a_probe_wrote_is_read_again(value):
    assert is_text(text(value))
    assert read_text(text(value)) == value


@pytest.mark.parametrize(
    ("noticed", "words"), [([], "what an earlier call has seen changes the result"), ([DRAWS], AT_RANDOM)]
)
def test_a_random_result_is_not_called_a_memory(noticed, words):
    actual = {
        "values": {"tensors": {"output": np.zeros(2)}},
        "after another call": {"tensors": {"output": np.ones(2)}, "noticed": noticed},
    }
    results = Results(actual, actual, {})
    assert forgets("values")(results).text == words
    assert results.side_effects_of("after another call") == []


def test_what_json_does_not_know_is_written_as_python_shows_it():
    assert read_text(text([{1}, np.int64(3)])) == ["{1}", repr(np.int64(3))]


def test_texts_are_compared_to_the_last_character():
    assert close(text(["ab", "cd"]), text(["ab", "cd"]))
    assert not close(text(["ab", "cd"]), text(["ab", "ce"]))
    assert not close(text(["ab"]), text(["ab", "cd"]))


@pytest.mark.parametrize(
    ("actual", "expected", "words"),
    [
        (
            [["a", "b"], ["c", "d"]],
            [["a", "b"], ["x", "y"]],
            "differs from place 1 on: ['c', 'd'], expected ['x', 'y']",
        ),
        (["a"], ["a", "b"], "has 1 entries, expected 2"),
        ("a b", ["a", "b"], "is 'a b', expected ['a', 'b']"),
        (["\ud800" + 99 * "x"], ["a"], "differs from place 0 on: '\\ud800" + 53 * "x" + "…, expected 'a'"),
    ],
)
def test_the_first_difference_is_quoted_in_words_that_any_page_can_show(actual, expected, words):
    assert difference(text(actual), text(expected)) == words
    assert words.encode()


def test_of_a_text_there_is_no_heat_map():
    assert compare(Finding("merges differs", "case", "merges", text(["a"]), text(["b"]))) is None


@pytest.mark.parametrize("content", [b"", b"[", b"\xff\xfe", 10**5 * b"[", b" " * LONGEST + b"1"])
def test_what_is_no_json_or_endless_cannot_be_asked(content):
    with pytest.raises(UNASKABLE):
        read_text(np.frombuffer(content, dtype=np.uint8))


def test_a_wrong_list_is_still_of_the_form_that_shows_that_nothing_else_changes():
    def finding(actual):
        expected = {"a case": {"tensors": {"merges": text(["a", "b"])}}}
        return nothing_else_changes()(Results({"a case": {"tensors": {"merges": actual}}}, expected, {}))

    assert finding(text(["c"])) is None
    assert finding(text("c"))
    assert finding(np.zeros(3))
    assert finding(np.frombuffer(b"[", dtype=np.uint8))


def test_json_of_the_answers_is_what_a_probe_gives():
    assert bytes(text(["ä"])) == json.dumps(["ä"]).encode()


def test_ids_that_differ_are_counted_for_they_have_no_distance():
    expected = np.arange(42).reshape(6, 7)
    actual = expected + 5 * (expected % 7 == 3)
    assert difference(actual, expected) == "differs in 6 of 42 entries, first at [0, 3]"


def test_yes_and_no_that_differ_are_counted_too():
    expected = np.eye(3)
    assert difference(1 - expected, expected) == "differs in 9 of 9 entries, first at [0, 0]"
    assert difference(0.5 * expected, expected) == "is off by up to 0.5"


def test_a_selection_of_another_shape_is_not_said_to_have_changed():
    order = unmoved("a", "b", "out", text="another order, another result", at_other=lambda a: a[:, ::-1])
    pooled, tokens = np.arange(6.0).reshape(2, 3), np.arange(24.0).reshape(2, 4, 3)

    def found(a, b):
        actual = {"a": {"tensors": {"out": a}}, "b": {"tensors": {"out": b}}}
        return order(Results(actual, {case: {"tensors": {"out": tokens}} for case in "ab"}, {}))

    assert found(pooled, pooled).text == OTHER_SHAPE
    assert found(tokens, tokens).text == "another order, another result"
    assert found(tokens, tokens[:, ::-1]) is None


@pytest.mark.parametrize("last", [0.0, 1e-6, 1.0, 1e30, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("other", [0.0, 1.0, 1.00005, 1e30, np.nan, np.inf, -np.inf])
def test_the_last_number_decides_as_all_of_them_would(last, other):
    """A look at it saves the others, and must say what numpy says."""
    actual, expected = np.array([2.0, last]), np.array([2.0, other])
    assert close(actual, expected) == np.allclose(actual, expected, rtol=1e-4, atol=1e-5, equal_nan=True)
    assert close(actual[:0], expected[:0])
