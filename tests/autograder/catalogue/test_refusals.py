"""What counts as a refusal of a wrong argument: a ValueError, or torch's own error where it names what does not fit."""

import pytest

from autograder.catalogue.checks import raises
from autograder.catalogue.results import Results

REFUSAL = raises("17 features for 3 heads", "ValueError", "17", "3")
BY_TORCH = "unflatten: Provided sizes [3, -1] don't multiply up to the size of dim 2 (17) in the input tensor"


def is_refusal(**error):
    record = {"error": {"type": "RuntimeError", "message": BY_TORCH, "line": "x.unflatten(-1, (3, -1))"} | error}
    return REFUSAL(Results({"17 features for 3 heads": record}, {}, {})) is None


def test_torchs_own_error_that_names_what_does_not_fit_is_a_refusal():
    assert is_refusal()


def test_torchs_own_error_about_two_sizes_that_are_not_equal_is_one_too():
    assert is_refusal(message="stack expects each tensor to be equal size, but got [2, 7, 3] at entry 0 and [2, 7, 2]")


def test_so_is_one_about_a_shape_that_the_entries_do_not_fill():
    assert is_refusal(message="shape '[2, 5, 3, 5]' is invalid for input of size 170")


def test_where_no_number_is_to_be_named_only_a_value_error_is_a_refusal():
    error = {
        "type": "IndexError",
        "message": "index -1 is out of bounds for dimension 1 with size 0",
        "line": "x[:, -1]",
    }
    assert raises("empty", "ValueError")(Results({"empty": {"error": error}}, {}, {})) is not None


@pytest.mark.parametrize(
    "error",
    [
        {"message": "index 17 is out of bounds for dimension 0 with size 5"},
        {"line": "raise RuntimeError('17 is no multiple of 3')"},
        {"line": "if 17 % 3: raise RuntimeError('17 is no multiple of 3')"},
        {"line": "assert width % heads == 0, (17, 3)"},
        {"type": "TypeError"},
    ],
)
def test_another_crash_is_none(error):
    assert not is_refusal(**error)


def test_what_comes_back_instead_of_an_error_is_no_error_of_the_students():
    error = {
        "type": "NotATensor",
        "message": "mask is a ValueError, not a tensor",
        "kinds": ["NotATensor", "TypeError"],
    }
    finding = REFUSAL(Results({"17 features for 3 heads": {"error": error}}, {}, {}))
    assert finding.text == "no ValueError was raised"


def test_a_value_error_with_the_numbers_is_one_whoever_raised_it():
    assert is_refusal(type="ValueError", line="raise ValueError(…)")
