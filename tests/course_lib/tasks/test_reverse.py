import math

import pytest
import torch
from torch import nn

from course_lib.tasks.reverse import ReverseDataset, reverse_loss


class FixedLogits(nn.Module):
    """Answers with given logits, and keeps what it was asked."""

    def __init__(self, logits):
        super().__init__()
        self.input_net = nn.Sequential(nn.Dropout(), nn.Linear(logits.shape[-1], 1))
        self.logits = logits

    def forward(self, x):
        self.seen = x
        return self.logits


def test_the_data_are_tokens_of_every_category():
    dataset = ReverseDataset(num_categories=7, seq_len=11, size=97)
    assert dataset.data.shape == (97, 11)
    assert dataset.data.dtype == torch.int64
    assert dataset.data.unique().tolist() == list(range(7))
    assert len(dataset) == 97


def test_an_item_is_a_sequence_and_the_same_sequence_backwards():
    dataset = ReverseDataset(num_categories=7, seq_len=5, size=3)
    tokens, targets = dataset[1]
    assert torch.equal(tokens, dataset.data[1])
    assert targets.tolist() == tokens.tolist()[::-1]


def test_the_model_is_asked_in_one_hot_floats():
    tokens = torch.tensor([[0, 2, 1], [2, 2, 0]])
    model = FixedLogits(torch.zeros(2, 3, 5))
    reverse_loss(model, (tokens, tokens.flip(-1)))
    assert model.seen.shape == (2, 3, 5)
    assert model.seen.dtype == torch.float32
    assert torch.equal(model.seen.argmax(-1), tokens)
    assert torch.equal(model.seen.sum(-1), torch.ones(2, 3))


def test_equal_logits_cost_the_logarithm_of_the_number_of_categories():
    targets = torch.tensor([[0, 2, 1], [2, 2, 0]])
    loss, _ = reverse_loss(FixedLogits(torch.zeros(2, 3, 5)), (targets, targets))
    assert loss.item() == pytest.approx(math.log(5))


def test_the_loss_is_the_mean_over_all_tokens_and_accuracy_counts_tokens():
    targets = torch.tensor([[0, 2, 1], [2, 2, 0]])
    logits = torch.zeros(2, 3, 5)
    logits[0, :, 3] = 2.0  # the first row guesses 3 each time, wrongly
    logits[1] = nn.functional.one_hot(targets[1], 5) * 2.0  # the second row is right each time
    loss, accuracy = reverse_loss(FixedLogits(logits), (targets, targets))
    total = math.log(4 + math.e**2)
    assert loss.item() == pytest.approx((total + (total - 2)) / 2)
    assert accuracy.item() == pytest.approx(0.5)
