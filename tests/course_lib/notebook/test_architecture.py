import xml.etree.ElementTree as ET

import pytest

import course_lib
from course_lib.notebook.architecture import BOXES, Architecture, architecture
from course_lib.notebook.scores import keep_score


@pytest.fixture(autouse=True)
def _scores(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "scores.json"))


def test_every_box_is_made_by_exercises_of_the_course():
    assert {name for box in BOXES for name in box.exercises} <= set(course_lib.__all__)


def test_what_is_finished_is_filled_in_and_said():
    keep_score("01_attention", "softmax", 4, {"softmax": 4, "scaled_dot_product": 8})
    drawing = architecture()
    assert drawing.done == {"softmax"}
    assert str(drawing).endswith("Finished: softmax.")
    assert "✓ softmax" in drawing.svg()
    assert "✓ mean of the values" not in drawing.svg()


def test_what_is_at_hand_has_the_thick_edge_and_is_said():
    drawing = Architecture(("LayerNorm",), frozenset())
    assert "At hand now: + input, norm." in str(drawing)
    edges = [box for box in BOXES if "LayerNorm" in box.exercises]
    assert drawing.svg().count('stroke-width="3"') == len(edges) + 1  # and the key


def test_it_is_well_formed_and_says_in_words_what_it_shows():
    drawing = architecture("softmax")
    assert ET.fromstring(drawing.svg()).get("aria-label") == str(drawing)


def test_nothing_overlaps():
    for one in BOXES:
        for other in BOXES:
            apart = one.left + one.wide <= other.left or other.left + other.wide <= one.left
            assert one is other or apart or abs(one.top - other.top) >= 24, (one, other)
