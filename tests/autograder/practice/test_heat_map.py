import numpy as np

from autograder.catalogue.results import Finding
from autograder.practice.heat_map import READABLE, WINDOW, compare


def seen(expected, got, text="weights is off by up to 1"):
    return compare(Finding(text, "case", "weights", expected, got))


def texts(side):
    return [[square.text for square in row] for row in side]


def test_a_matrix_is_shown_whole():
    expected = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])
    comparison = seen(expected, expected[::-1])
    assert texts(comparison.sides[0]) == [["0.50", "0.25", "0.25"], ["0", "1", "0"]]
    assert comparison.part == "weights[:, :]"
    assert comparison.numbers


def test_of_more_axes_the_slice_with_the_worst_entry_is_shown_and_named():
    expected = np.zeros((2, 3, 5, 7))
    got = expected.copy()
    got[1, 2, 4, 6], got[0, 1, 3, 5] = 0.75, 0.125
    comparison = seen(expected, got)
    assert comparison.part == "weights[1, 2, :, :]"
    assert comparison.worst == "at [1, 2, 4, 6] expected 0, actual 0.75"
    assert sum(square.differs for row in comparison.sides[1] for square in row) == 1


def test_a_vector_is_one_row():
    comparison = seen(np.arange(5), np.arange(5) + 1)
    assert texts(comparison.sides[1]) == [["1", "2", "3", "4", "5"]]
    assert comparison.part == "weights[:]"


def test_a_single_number_is_said_in_words():
    comparison = seen(np.array(2.5), np.array(3.5))
    assert comparison.sides is None
    assert comparison.worst == "expected 2.5, actual 3.5"


def test_of_a_large_tensor_the_part_around_the_worst_entry_is_shown():
    expected = np.zeros((41, 37))
    got = expected.copy()
    got[40, 20] = 1
    comparison = seen(expected, got)
    assert comparison.part == "weights[29:41, 14:26]"
    assert (len(comparison.sides[1]), len(comparison.sides[1][0])) == (WINDOW, WINDOW)
    assert not comparison.numbers
    assert READABLE < WINDOW


def test_masks_are_written_as_ones_and_zeros():
    comparison = seen(np.array([[True, False]]), np.array([[False, False]]))
    assert texts(comparison.sides[0]) == [["1", "0"]]
    assert comparison.worst == "at [0, 0] expected True, actual False"


def test_what_is_no_number_is_the_worst_of_all():
    expected, got = np.array([[1.0, 2.0, 3.0]]), np.array([[9.0, np.nan, -np.inf]])
    comparison = seen(expected, got)
    assert texts(comparison.sides[1]) == [["9", "NaN", "−∞"]]
    assert comparison.worst.endswith("actual NaN")


def test_rounding_is_no_difference():
    expected = np.array([[0.3, 0.7]])
    comparison = seen(expected, expected + np.array([[1e-6, 0.2]]))
    assert [square.differs for square in comparison.sides[1][0]] == [False, True]


def test_marks_are_left_out_where_most_squares_would_carry_one():
    expected = np.zeros((3, 5))
    assert seen(expected, expected + np.array([1, 1, 0, 0, 0])).marked
    assert not seen(expected, expected + np.array([1, 1, 1, 0, 0])).marked
    assert seen(expected, expected + np.array([1, 1, 1, 0, 0])).differing == (9, 15)


def test_two_answers_of_the_students_own_are_not_called_expected():
    comparison = seen(np.zeros(3), np.ones(3), "changing a hidden key changes the output")
    assert comparison.names == ("should stay", "became")


def test_shapes_that_differ_are_left_to_the_sentence():
    assert seen(np.zeros((2, 3)), np.zeros((3, 2))) is None


def test_an_empty_tensor_and_a_missing_finding_show_nothing():
    assert seen(np.zeros((0, 3)), np.zeros((0, 3))) is None
    assert compare(None) is None
    assert compare(Finding("contains NaN", actual=np.zeros(3))) is None
