"""Which outputs say anything: a wrong answer does, a constant or an argument that came back does not."""

import json

import numpy as np
import pytest

from autograder.catalogue.results import ERROR, Results
from autograder.judging.content import Content

DRAWN = np.random.default_rng(0)
INPUTS = {case: DRAWN.normal(size=(3, 5)) for case in ("one", "other", "third")}
EXPECTED = {case: np.exp(x) for case, x in INPUTS.items()}


def content_of(answer, expected=EXPECTED, refusing=()):
    """The content of an answer that returns `answer(x)` for the input of each case, and refuses some."""
    actual = {case: {"tensors": {"y": np.asarray(answer(INPUTS[case]))}} for case in expected}
    actual |= {case: {"error": {"type": "ValueError", "message": ""}} for case in refusing}
    inputs = {case: {"tensors": {"x": x}, "settings": {}} for case, x in INPUTS.items()}
    return Content(Results(actual, {case: {"tensors": {"y": y}} for case, y in expected.items()}, {}, inputs))


SHOWS_NOTHING = {
    "zeros": np.zeros_like,
    "NaN": lambda x: x * np.nan,
    "one number": lambda x: np.full((2, 7), 3.0),
    "its argument": lambda x: x,
    "its argument at another scale": lambda x: 1 - 2 * x,
    "its argument, padded": lambda x: np.pad(x, ((0, 0), (0, 3))),
    "its argument in another shape": lambda x: x.reshape(5, 3),
    "its argument, transposed": lambda x: x.T,
    "its argument without a column": lambda x: x[:, 1:],
    "its magnitudes": np.abs,
    "its squares": lambda x: 3 * x**2,
    "sums along an axis": lambda x: x.sum(-1),
    "places of the largest": lambda x: x.argmax(-1),
    "the same noise for all inputs": lambda x: np.random.default_rng(1).normal(size=x.shape),
}
SHOWS_SOMETHING = {
    "another function": np.tanh,
    "the right numbers in another order": lambda x: np.exp(x).T,
    "its argument's signs": np.sign,
}


@pytest.mark.parametrize("name", SHOWS_NOTHING)
def test_what_anybody_can_write_shows_nothing(name):
    assert not content_of(SHOWS_NOTHING[name]).shows({("one", "y")})


@pytest.mark.parametrize("name", SHOWS_SOMETHING)
def test_a_wrong_answer_shows_something(name):
    assert content_of(SHOWS_SOMETHING[name]).shows({("one", "y")})


def test_the_order_of_an_argument_shows_something_where_the_answer_has_its_numbers():
    expected = {case: x.T for case, x in INPUTS.items()}
    assert content_of(lambda x: x.reshape(5, 3), expected).shows({("one", "y")})
    assert not content_of(lambda x: x, expected).shows({("one", "y")})


def shown_by_twins(answer, *settings):
    """Whether an answer says anything that is asked for the same input once with each of these settings."""
    x = INPUTS["one"]
    inputs = {f"{k}": {"tensors": {"x": x}, "settings": {"ask": ask}} for k, ask in enumerate(settings)}
    expected = {case: {"tensors": {"y": np.exp(x)}} for case in inputs}
    actual = {case: {"tensors": {"y": answer(x)}} for case in inputs}
    return Content(Results(actual, expected, {}, inputs)).shows({("0", "y")})


def test_fresh_noise_shows_nothing_where_the_same_is_asked_twice():
    def noise(x):
        return DRAWN.normal(size=x.shape)

    assert not shown_by_twins(noise, "a", "a")
    assert not shown_by_twins(noise, "a", "b", "c")
    assert shown_by_twins(np.tanh, "a", "a")


def test_one_pair_that_differs_in_a_setting_and_an_argument_at_random_are_no_noise():
    assert shown_by_twins(lambda x: DRAWN.normal(size=x.shape), "eval", "training")
    x = INPUTS["one"]
    given = {case: {"tensors": {"x": x}, "settings": {}} for case in ("one", "again")}
    expected = {case: {"tensors": {"y": np.sort(x, axis=None)[:9]}} for case in given}
    actual = {case: {"tensors": {"y": DRAWN.permutation(x.ravel())[:9]}} for case in given}
    assert Content(Results(actual, expected, {}, given)).shows({("one", "y")})


NUMBERS = {case: np.array(np.exp(x).sum()) for case, x in INPUTS.items()}


@pytest.mark.parametrize(("answer", "shown"), [(np.mean, False), (np.sum, False), (np.size, False), (np.std, True)])
def test_a_number_that_one_input_alone_gives_shows_nothing(answer, shown):
    assert content_of(answer, NUMBERS).shows({("one", "y")}) == shown


def test_numbers_that_are_the_same_for_all_inputs_of_one_size_show_nothing():
    inputs = {"one": np.zeros(3), "two": np.ones(3), "three": np.arange(3.0), "wider": np.arange(5.0)}
    given = {case: {"tensors": {"x": x}, "settings": {}} for case, x in inputs.items()}
    answers = {case: {"tensors": {"y": np.array(np.exp(x).sum())}} for case, x in inputs.items()}

    def shows(answer):
        actual = {case: {"tensors": {"y": np.array(answer(x))}} for case, x in inputs.items()}
        return Content(Results(actual, answers, {}, given)).shows({("one", "y")})

    assert not shows(lambda x: np.random.default_rng(x.size).normal())
    assert shows(lambda x: np.tanh(x).sum())


def test_the_argument_in_low_precision_and_some_of_its_rows_show_nothing():
    inputs = {case: {"tensors": {"x": x}, "settings": {}} for case, x in INPUTS.items()}
    answers = {case: {"tensors": {"y": np.exp(x)}} for case, x in INPUTS.items()}
    rows = {case: {"tensors": {"y": np.exp(x)[[0, 2]]}} for case, x in INPUTS.items()}

    def shows(answer, expected, precision=1e-5):
        actual = {case: {"tensors": {"y": answer(x)}} for case, x in INPUTS.items()}
        return Content(Results(actual, expected, dict.fromkeys(INPUTS, precision), inputs)).shows({("one", "y")})

    assert shows(lambda x: np.round(x, 1), answers)
    assert not shows(lambda x: np.round(x, 1), answers, precision=0.1)
    assert not shows(lambda x: x[[0, 2]], rows)
    assert shows(lambda x: np.tanh(x)[[0, 2]], rows)


def test_an_output_where_an_error_was_asked_for_is_not_looked_at():
    inputs = {case: {"tensors": {"x": x}, "settings": {}} for case, x in INPUTS.items()}
    expected = {case: {"tensors": {"y": np.exp(x)}} for case, x in INPUTS.items()}
    expected["one"] = {"error": {"type": "ValueError", "message": ""}}
    actual = {case: {"tensors": {"y": x[[0, 2]]}} for case, x in INPUTS.items()}
    assert not Content(Results(actual, expected, {}, inputs)).shows({("other", "y")})


def test_what_looked_at_no_output_rests_on_the_whole_answer():
    assert content_of(np.tanh).shows(set())
    assert not content_of(np.zeros_like).shows(set())


def test_an_error_that_was_asked_for_is_shown_where_not_everything_ends_in_it():
    refusal = {("wrong sizes", ERROR)}
    assert content_of(np.zeros_like, refusing=["wrong sizes"]).shows(refusal)
    assert not content_of(np.zeros_like, refusing=["wrong sizes", *INPUTS]).shows(refusal)


def test_a_list_made_of_arguments_shows_nothing():
    def text(value):
        return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)

    words = {"one": ["ab", "c"], "other": ["d", "efg"]}
    inputs = {case: {"tensors": {}, "settings": {"words": value}} for case, value in words.items()}
    expected = {case: {"tensors": {"y": text(["".join(value)])}} for case, value in words.items()}

    def shows(answer):
        actual = {case: {"tensors": {"y": text(answer(value))}} for case, value in words.items()}
        return Content(Results(actual, expected, {}, inputs)).shows({("one", "y")})

    assert not shows(lambda value: [value, value])
    assert not shows(lambda value: [])
    assert shows(lambda value: value[:1])


def shown_by_means(axes):
    """Whether an answer that is made of an argument in other shapes shows something."""
    given = {case: np.arange(24.0).reshape(2, 3, 4) ** power for case, power in (("one", 0.5), ("other", 0.7))}
    given["wide"] = np.arange(30.0).reshape(2, 3, 5) ** 0.5
    inputs = {case: {"tensors": {"x": x}, "settings": {}} for case, x in given.items()}
    answers = {case: {"tensors": {"y": np.tanh(x).sum(axes)}} for case, x in given.items()}

    def shows(answer):
        actual = {case: {"tensors": {"y": answer(x)}} for case, x in given.items()}
        return Content(Results(actual, answers, {}, inputs)).shows({("one", "y")})

    return shows


def test_a_mean_of_an_argument_shows_nothing():
    shows = shown_by_means((0, 1))
    assert not shows(lambda x: x.mean(axis=(0, 1)))
    assert shows(lambda x: np.tanh(x).mean(axis=(0, 1)))


def test_one_place_or_the_mean_along_an_axis_shows_something_only_in_the_right_shape():
    shows = shown_by_means((0, 1))
    assert not shows(lambda x: x[0])
    assert not shows(lambda x: x[:, -1])
    assert not shows(lambda x: x.mean(axis=1))
    assert not shows(lambda x: x[:, :1])
    assert not shows(lambda x: x[0, 0])
    assert shows(lambda x: np.tanh(x)[0])
    shows = shown_by_means(1)
    assert shows(lambda x: x.mean(axis=1))


def test_one_number_in_a_new_shape_shows_nothing():
    shows = shown_by_means(1)
    assert not shows(lambda x: np.zeros((2, x.shape[-1])))
    assert shows(lambda x: np.tanh(x).mean(axis=1))
