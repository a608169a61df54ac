import pytest

from course_lib.notebook.guess import draw_first, guess_first


@pytest.fixture
def asked(monkeypatch):
    """A question, and how often its picture was looked at."""
    monkeypatch.delenv("COURSE_GUESS", raising=False)
    looks = []

    @guess_first("Which way does it go?", ["up", 2])
    def picture():
        looks.append("looked")

    return picture, looks


def test_the_picture_waits_for_an_answer(asked):
    picture, looks = asked
    assert picture.button.disabled
    assert looks == []
    picture.choice.value = "up"
    assert not picture.button.disabled
    picture.button.click()
    assert looks == ["looked"]


def test_a_guess_is_not_changed_once_one_has_looked(asked):
    picture, _ = asked
    picture.choice.value = "2"
    picture.button.click()
    assert picture.choice.disabled
    assert picture.button.disabled


def test_without_controls_one_looks_by_calling_it(asked):
    picture, looks = asked
    assert "picture()" in picture._repr_mimebundle_()["text/html"]
    picture()
    assert looks == ["looked"]


def test_where_nobody_looks_the_question_is_shown_alone(asked, monkeypatch):
    picture, _ = asked
    monkeypatch.setenv("COURSE_PICTURES", "off")
    assert picture._repr_mimebundle_() == {
        "text/plain": "Guess first. Which way does it go? (up; 2) Then look: picture()"
    }


def test_for_print_one_looks_at_once(monkeypatch):
    monkeypatch.setenv("COURSE_GUESS", "off")
    looks = []
    guess_first("Which?", ["a", "b"])(lambda: looks.append("looked"))
    assert looks == ["looked"]


def test_what_is_still_unwritten_is_waited_for(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_GUESS", "off")

    @guess_first("Which?", ["a", "b"], needs=["softmax"])
    def picture():
        raise NotImplementedError

    assert "waits for your softmax" in capsys.readouterr().out


@pytest.fixture
def row(monkeypatch):
    """Three weights to be drawn, and what the picture was given."""
    monkeypatch.delenv("COURSE_GUESS", raising=False)
    given = []

    @draw_first("Where does it look?", ["a", "b", "c"])
    def weights(row=None):
        given.append(row)

    return weights, given


def test_a_row_of_weights_is_complete_when_it_sums_to_one(row):
    picture, _ = row
    for slider, weight, waits in zip(picture.sliders, (0.7, 0.2, 0.1), (True, True, False), strict=True):
        slider.value = weight
        assert picture.button.disabled == waits
        assert ("it must be 1" in picture.together.value) == waits
    assert picture.together.value == "together 1.00"


def test_the_picture_is_given_the_row_that_was_drawn(row, capsys):
    picture, given = row
    for slider, weight in zip(picture.sliders, (0.25, 0.75, 0), strict=True):
        slider.value = weight
    picture.button.click()
    assert given == [[0.25, 0.75, 0]]
    assert capsys.readouterr().out == "You guessed: 0.25, 0.75, 0.00\n"


def test_without_controls_a_row_is_given_by_calling(row):
    picture, given = row
    assert "<code>weights([…, …, …])</code>" in picture._repr_mimebundle_()["text/html"]
    picture([0.5, 0.5, 0])
    picture()
    assert given == [[0.5, 0.5, 0], None]
