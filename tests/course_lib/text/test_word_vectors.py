import importlib.util

import pytest
import torch

from course_lib.text.word_vectors import AXES, BY_HAND, by_hand, learned

installed = importlib.util.find_spec("wordllama") is not None


def test_the_table_made_by_hand_has_a_number_for_each_axis():
    assert by_hand([*BY_HAND]).shape == (len(BY_HAND), len(AXES))


def test_bank_is_as_near_to_money_as_to_water():
    bank = by_hand(["bank"])[0]
    assert bank[AXES.index("money")] == bank[AXES.index("water")]


@pytest.mark.skipif(installed, reason="wordllama is installed")
def test_without_the_package_there_are_no_learned_vectors():
    assert learned(["bank"]) is None


@pytest.mark.skipif(not installed, reason="needs the extra `words`")
def test_learned_vectors_hold_bank_nearer_to_money_than_to_a_house():
    bank, money, house = torch.nn.functional.normalize(learned(["bank", "money", "house"]), dim=1)
    assert bank @ money > bank @ house
