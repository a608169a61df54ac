"""The pictures of the stages say in words what is seen in them."""

import networkx as nx
import pytest
import torch

from course_lib import beam_search
from course_lib.notebook import pictures
from course_lib.notebook.pictures import inside, language, origins, sentences, translation
from course_lib.notebook.pictures import words as stage_9


@pytest.fixture
def words(monkeypatch):
    """What was shown, as its text alternatives; nothing is drawn on a page."""
    shown = []
    for module in (pictures, inside, language, origins, sentences, stage_9, translation):
        monkeypatch.setattr(module, "show", lambda figure, alt: shown.append(alt))
    return shown


def test_on_the_garden_path_one_beam_takes_the_best_first_word_and_two_find_the_best_sentence(words):
    translation.garden_path(beam_search)
    assert "ends in ein Hund with a sum of −1.80" in words[0]
    assert "a beam of two ends in der Hund with −0.85" in words[0]


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


def test_a_cache_is_told_by_heads_in_the_singular_and_the_plural(words):
    language.cache_sizes({8: 1.0737, 1: 0.1342})
    assert "1.07 GB with 8 heads, 0.13 GB with 1 head." in words[0]


def test_the_loss_past_the_training_texts_is_told_in_three_parts(words):
    language.past_the_block(torch.cat([torch.full((128,), 1.0), torch.full((64,), 2.0), torch.full((320,), 3.0)]), 128)
    assert "1.00 within the 128 of the training texts, 2.00 in the 64 after them, and 3.00 in the last 64" in words[0]


def test_the_recipe_that_gets_there_first_is_told_with_its_seconds(words):
    language.two_recipes({"slow": [(10.0, 2.5), (20.0, 1.9)], "quick": [(5.0, 1.95), (11.0, 1.8), (19.0, 1.5)]})
    assert words[0].endswith("slow ends at 1.90 nats after 20 seconds; quick is below that after 11 and ends at 1.50.")


def test_logits_are_told_by_how_far_they_are_from_those_of_transformers(words):
    expected = torch.tensor([[[1.0, -2.0], [5.5, 0.0]]])
    language.against_transformers(expected, {"rows reordered": expected, "rows as they came": expected + 3.0})
    assert "whose largest is 5.5. With rows reordered the largest difference is 0. With rows as" in words[0]
    assert words[0].endswith("With rows as they came the largest difference is 3.")


def test_each_change_of_the_ladder_has_its_loss_and_what_it_changed(words):
    language.ladder({"plain": 2.0, "better": 1.5, "worse": 1.75})
    assert words[0].endswith("in nats per character: plain 2.00; better 1.50 (-0.50); worse 1.75 (+0.25).")


def test_the_head_that_restores_most_is_named_with_the_best_of_each_layer(words):
    inside.restored(torch.tensor([[0.0, 0.94], [0.29, 0.1]]))
    assert "head 1 of layer 0 restores most, 0.94; the first layer's best 0.94, the second's 0.29" in words[0]


def test_a_curve_that_never_falls_is_not_said_to_fall(words):
    inside.learning_curve([3.9] * 60, 50)
    assert words == ["The training loss stays near ln 50 for hundreds of steps and ends near 3.9."]


def test_a_state_read_early_has_its_loss_and_every_character_it_would_say(words):
    inside.read_early(torch.log(torch.tensor([[0.5, 0.5], [1.0, 0.25]])), ["abc", "d f"], "xyz", start=1)
    assert "The mean loss of this text is 0.69, 0.69 nats" in words[0]


def test_failures_are_counted_by_kind_with_an_example_of_each(words, capsys):
    right = ["eine gute Frau schläft", "der Hund sitzt"]
    translation.failures({"early": ["eine guter Frau schläft", "Hund der sitzt"], "late": right}, right)
    assert "early: other order 1, wrong ending 1," in words[0]
    assert "late: other order 0, wrong ending 0," in words[0]
    assert "early, wrong ending:\n    eine guter Frau schläft\n    eine gute Frau schläft" in capsys.readouterr().out
