import base64
import io
import xml.etree.ElementTree as ElementTree

import matplotlib.image
import numpy as np
import pytest

from course_lib.notebook.widgets.pixels import colour_of, data_uri, ink_on
from course_lib.notebook.widgets.plot import Panel, picture, whole

SVG = "{http://www.w3.org/2000/svg}"


def parsed(*panels, alt="words"):
    return ElementTree.fromstring(picture(panels, alt).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def texts(tree):
    return [text.text for text in tree.iter(f"{SVG}text")]


def panel(**options):
    return Panel("title", "across", "down", **({"x_range": (0, 10)} | options))


def test_a_picture_is_well_formed_and_escapes_its_words():
    tree = parsed(Panel("a < b", "x & y", '"', (0, 1)).words(0, 0, "<b>"), alt='"<&')
    assert tree.get("aria-label") == '"<&'
    assert {"a < b", "x & y", '"', "<b>"} <= set(texts(tree))


def test_points_lie_where_the_axes_say():
    axes = panel(y_range=(-1, 1), width=200, height=100)
    assert axes.across(5) - axes.across(0) == pytest.approx(100)
    assert axes.down(-1) - axes.down(1) == pytest.approx(100)


def test_an_axis_may_be_turned_round():
    axes = panel(y_range=whole(7)[::-1])
    assert axes.down(0) < axes.down(6)


def test_places_are_counted_in_whole_numbers():
    assert {"0", "1"} <= set(texts(parsed(panel(x_range=whole(2)))))
    assert "0.5" not in texts(parsed(panel(x_range=whole(2), y_range=whole(3))))


@pytest.mark.parametrize("span", [(0, 1), (0, 0.0012), (-3.7, 2.2), (0, 5000), (0, 0.7), (99.5, 187.5)])
def test_there_are_two_to_eight_ticks_inside_the_axis(span):
    places = [place for place, _ in panel(x_range=span).x_ticks]
    assert 2 <= len(places) <= 8
    assert min(span) - 1e-9 <= places[0]
    assert places[-1] <= max(span) + 1e-9


def test_names_replace_numbers_and_stand_upright_when_they_are_long():
    names = ["attention", "is", "all"]
    tree = parsed(panel(x_range=whole(3), x_names=names, width=90))
    assert set(names) <= set(texts(tree))
    turned = [text for text in tree.iter(f"{SVG}text") if text.get("transform")]
    assert len(turned) == 4


def test_a_chosen_bar_differs_in_more_than_colour():
    bars = list(parsed(panel(x_range=whole(3)).bars([0.2, 0.5, 0.3], chosen=1)).iter(f"{SVG}rect"))[:3]
    assert len({bar.get("fill") for bar in bars}) == 2
    assert bars[1].get("stroke-width") > bars[0].get("stroke-width")


def test_bars_can_carry_their_numbers():
    assert {"0.25", "0.75"} <= set(texts(parsed(panel(x_range=whole(2)).bars([0.25, 0.75], labels=True))))


def test_guides_carry_words():
    tree = parsed(panel().line([0, 10], [0, 1]).guide_at_x(3, "here").guide_at_y(0.5, "so much"))
    assert {"here", "so much"} <= set(texts(tree))
    assert sum("stroke-dasharray" in line.attrib for line in tree.iter(f"{SVG}line")) == 2


def test_a_matrix_says_what_its_colours_mean():
    tree = parsed(panel(x_range=whole(3), y_range=whole(2)[::-1]).matrix([[0, 0.5, 1], [1, 0, 0]], -1, 1))
    assert len(list(tree.iter(f"{SVG}image"))) == 2
    assert {"-1", "0", "1"} <= set(texts(tree))


def test_colours_are_those_of_cividis():
    theirs = matplotlib.colormaps["cividis"]
    for share in np.linspace(0, 1, 41):
        expected = np.array(theirs(share)[:3]) * 255
        assert np.abs(np.array(colour_of(share)) - expected).max() < 8


def test_what_is_beyond_the_scale_or_no_number_has_a_colour():
    assert colour_of(-7, 0, 1) == colour_of(0, 0, 1)
    assert colour_of(float("inf"), 0, 1) == colour_of(1, 0, 1)
    assert colour_of(3, 3, 3) == colour_of(0, 0, 1)
    assert colour_of(float("nan"), 0, 1) not in [colour_of(share / 100, 0, 1) for share in range(101)]


def test_ink_is_readable_on_every_colour():
    def luminance(colour):
        parts = [level / 255 for level in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for share in range(101):
        colour = colour_of(share / 100)
        paper, ink = luminance(colour), 0.0 if ink_on(colour) == "#000" else 1.0
        contrast = (max(paper, ink) + 0.05) / (min(paper, ink) + 0.05)
        assert contrast >= 3.5


def test_pixels_come_back_from_the_png():
    pixels = [[(1, 2, 3), (250, 0, 7)], [(0, 0, 0), (255, 255, 255)], [(9, 8, 7), (5, 5, 5)]]
    image = matplotlib.image.imread(io.BytesIO(base64.b64decode(data_uri(pixels).split(",")[1])))
    assert (image[..., :3] * 255).round().astype(int).tolist() == [[list(colour) for colour in row] for row in pixels]
