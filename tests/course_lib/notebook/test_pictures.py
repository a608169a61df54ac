import base64
import re

import pytest
import torch
from matplotlib import pyplot as plt

from course_lib.notebook.pictures import heat_map, image, png, show


@pytest.fixture
def drawn():
    figure, axes = plt.subplots(figsize=(2, 2))
    yield figure, axes
    plt.close(figure)


def test_an_image_carries_its_bytes_and_its_words(drawn):
    tag = image(drawn[0], 'rows & "columns"')
    assert 'alt="rows &amp; &quot;columns&quot;"' in tag
    assert base64.b64decode(re.search(r"base64,([^\"]+)", tag)[1]).startswith(b"\x89PNG")


def test_a_figure_is_png_on_white(drawn):
    assert png(drawn[0]).startswith(b"\x89PNG")


def test_a_shown_figure_is_closed(drawn, capsys):
    show(drawn[0], "what is seen")
    assert not plt.fignum_exists(drawn[0].number)


def test_where_nobody_looks_the_words_stand_alone(drawn, monkeypatch):
    monkeypatch.setenv("COURSE_PICTURES", "off")
    seen = []
    monkeypatch.setattr("course_lib.notebook.pictures.display", lambda bundle, raw: seen.append(bundle))
    show(drawn[0], "what is seen")
    assert seen == [{"text/plain": "what is seen"}]


def test_a_heat_map_has_words_and_its_first_row_on_top(drawn):
    axes = drawn[1]
    heat_map(axes, torch.rand(2, 3), "weights", "key", "query")
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("weights", "key", "query")
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_numbers_are_written_in_an_ink_that_contrasts(drawn):
    axes = drawn[1]
    heat_map(axes, [[0.0, 1.0]], "weights", "key", "query", numbers=True)
    assert [(text.get_text(), text.get_color()) for text in axes.texts] == [("0.00", "white"), ("1.00", "black")]
