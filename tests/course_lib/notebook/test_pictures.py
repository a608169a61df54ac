import base64
import re

import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from course_lib.notebook.pictures import DARK, INK, heat_map, image, png, show


@pytest.fixture
def drawn():
    figure, axes = plt.subplots(figsize=(2, 2))
    yield figure, axes
    plt.close(figure)


def test_an_image_carries_its_bytes_and_its_words(drawn):
    tag = image(drawn[0], 'rows & "columns"')
    assert 'alt="rows &amp; &quot;columns&quot;"' in tag
    assert base64.b64decode(re.search(r"base64,([^\"]+)", tag)[1]).startswith(b"\x89PNG")


def test_there_is_one_for_the_light_theme_and_one_for_the_dark(drawn):
    tag = image(drawn[0], "what is seen")
    assert re.findall(r'<img class="course-(\w+)"', tag) == ["light", "dark"]
    assert re.findall(r'<img class="course-(\w+)"[^>]*display:none', tag) == ["dark"]
    assert 'body[data-jp-theme-light="false"] .course-dark' in tag


def test_laid_out_once_it_is_the_picture_that_matplotlib_lays_out_itself():
    alike = []
    for _ in range(2):
        figure, axes = plt.subplots(figsize=(3, 2), layout="constrained")
        heat_map(axes, [[0.0, 1.0], [0.5, 0.2]], "weights, with a title that is wider than the map", "key", "query")
        alike.append(figure)
    light = re.search(r"base64,([^\"]+)", image(alike[0], "what is seen"))[1]
    assert base64.b64decode(light) == png(alike[1])
    for figure in alike:
        plt.close(figure)


def test_in_the_dark_black_is_light_and_white_is_dark_and_all_else_stays(drawn):
    axes = drawn[1]
    line, bar, legend = axes.plot([1, 2], "k")[0], axes.bar(0, 1, color="tab:blue")[0], axes.legend(["a"])
    image(drawn[0], "what is seen")
    assert to_hex(line.get_color()) == to_hex(axes.title.get_color()) == INK
    assert to_hex(legend.get_frame().get_facecolor()) == DARK
    assert to_hex(bar.get_facecolor()) == to_hex("tab:blue")
    assert {to_hex(mark.get_markeredgecolor()) for mark in axes.xaxis.get_ticklines()} == {INK}


def test_what_is_written_on_a_heat_map_keeps_its_ink(drawn):
    heat_map(drawn[1], [[0.0, 1.0]], "weights", "key", "query", numbers=True)
    image(drawn[0], "what is seen")
    assert [text.get_color() for text in drawn[1].texts] == ["white", "black"]


def test_a_heat_map_has_numbers_or_a_scale(drawn):
    heat_map(drawn[1], [[0.0, 1.0]], "weights", "key", "query")
    assert len(drawn[1].child_axes) == 1


def test_a_mask_needs_no_scale(drawn):
    heat_map(drawn[1], torch.tensor([[True, False]]), "mask", "key", "query")
    assert drawn[1].child_axes == []


@pytest.mark.parametrize(("places", "ticks"), [(11, 11), (12, 6), (48, 10)])
def test_at_most_eleven_ticks_stand_on_an_axis(drawn, places, ticks):
    heat_map(drawn[1], torch.rand(2, places), "weights", "key", "query")
    assert len(drawn[1].get_xticks()) == ticks


def test_a_figure_is_png_on_white(drawn):
    assert png(drawn[0]).startswith(b"\x89PNG")


def test_a_shown_figure_is_closed(drawn, capsys):
    show(drawn[0], "what is seen")
    assert not plt.fignum_exists(drawn[0].number)


def test_where_nobody_looks_the_words_stand_alone(drawn, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PICTURES", "off")
    show(drawn[0], "what is seen")
    assert capsys.readouterr().out == "{'text/plain': 'what is seen'}\n"


def test_a_heat_map_has_words_and_its_first_row_on_top(drawn):
    axes = drawn[1]
    heat_map(axes, torch.rand(2, 3), "weights", "key", "query")
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("weights", "key", "query")
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_numbers_are_written_in_an_ink_that_contrasts(drawn):
    axes = drawn[1]
    heat_map(axes, [[0.0, 1.0]], "weights", "key", "query", numbers=True)
    assert [(text.get_text(), text.get_color()) for text in axes.texts] == [("0.00", "white"), ("1.00", "black")]
