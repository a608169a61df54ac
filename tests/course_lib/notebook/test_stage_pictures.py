"""The pictures of the stages say in words what is seen in them."""

import networkx as nx
import pytest
import torch

from course_lib import beam_search
from course_lib.notebook.pictures import origins, sentences, translation


@pytest.fixture
def words(monkeypatch):
    """What was shown, as its text alternatives; nothing is drawn on a page."""
    shown = []
    for module in (origins, sentences, translation):
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
