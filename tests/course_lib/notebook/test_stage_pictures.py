"""The pictures of the stages say in words what is seen in them."""

import networkx as nx
import pytest
import torch

from course_lib import beam_search
from course_lib.notebook import pictures
from course_lib.notebook.pictures import origins, sentences, translation
from course_lib.notebook.pictures import words as stage_9


@pytest.fixture
def words(monkeypatch):
    """What was shown, as its text alternatives; nothing is drawn on a page."""
    shown = []
    for module in (origins, sentences, stage_9, translation):
        monkeypatch.setattr(module, "show", lambda figure, alt: shown.append(alt))
    return shown


def test_on_the_garden_path_one_beam_takes_the_best_first_word_and_two_find_the_best_sentence(words):
    translation.garden_path(beam_search)
    assert "ends in ein Hund with a sum of -1.80" in words[0]
    assert "a beam of two ends in der Hund with -0.85" in words[0]


def test_the_shares_of_she_are_in_the_words(words):
    truth = {"cooking": 0.8, "welding": 0.05}
    sentences.against_the_captions(truth, {"cooking": 1.0, "welding": 0.0}, None, "written")
    assert "cooking 0.80 → 1.00, welding 0.05 → 0.00" in words[0]


def test_who_is_predicted_wrongly_is_in_the_words(words):
    graph = nx.path_graph(4)
    side, predicted = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 1, 1])
    origins.factions(graph, side, predicted, torch.full((4, 4), 0.25))
    assert "whose side is predicted wrong, 1: between the groups" in words[0]


def test_the_curves_by_length_are_in_the_words(words):
    origins.by_length([1, 2], {"attention": [1.0, 0.75], "one vector": [1.0, 0.5]})
    assert "attention: 1.00, 0.75; one vector: 1.00, 0.50" in words[0]


def test_the_tree_of_merges_says_which_were_used_and_what_remains(words):
    stage_9.merge_tree("lowest", [("e", "s"), ("es", "t</w>"), ("a", "b"), ("l", "o")])
    assert words == [
        "A tree over the letters of lowest. Merges, from the bottom up: e and s, es and t</w>, l and o. "
        "What remains: lo w est</w>."
    ]


def test_the_mask_over_the_targets_names_what_is_read_and_what_is_predicted(words):
    translation.shifted_targets(["der", "Hund"])
    assert "tgt_in: bos, der, Hund" in words[0]
    assert "must predict: der, Hund, eos" in words[0]


def test_several_maps_have_one_scale_each_and_a_common_title(monkeypatch):
    drawn = []
    monkeypatch.setattr(pictures, "show", lambda figure, alt: drawn.append((figure, alt)))
    pictures.heat_maps({"a": torch.rand(2, 3), "b": torch.rand(2, 3)}, "two maps", "key", "query", "both")
    [(figure, alt)] = drawn
    assert [axes.get_title() for axes in figure.axes] == ["a", "b"]
    assert (figure.get_suptitle(), alt) == ("both", "two maps")
