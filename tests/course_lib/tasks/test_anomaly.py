import math

import pytest
import torch
from scipy.stats import chi2
from torch import nn

from course_lib.tasks.anomaly import anomaly_loss, equivariance_error, sample_anomaly_sets, split_per_class

COUNTS = {3: 11, 4: 13, 8: 17, 21: 19, 5: 23}  # label: how many images, labels with gaps


def make_images(seed=0):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.cat([torch.full((count,), label) for label, count in COUNTS.items()])
    labels = labels[torch.randperm(len(labels), generator=generator)]
    return torch.rand(len(labels), 7, generator=generator), labels


def draw_sets(anomaly_index, set_size=6, seed=0):
    features, labels = make_images()
    generator = torch.Generator().manual_seed(seed)
    return features, labels, sample_anomaly_sets(features, labels, anomaly_index, set_size, generator)


def chi_square_p(observed, expected):
    statistic = ((observed - expected) ** 2 / expected).sum().item()
    return chi2.sf(statistic, len(observed) - 1)


# ---- split_per_class


def test_every_class_gives_the_same_number_and_nothing_is_lost():
    _, labels = make_images()
    picked, rest = split_per_class(labels, per_class=7)
    assert {label: 7 for label in COUNTS} == dict(
        zip(*(t.tolist() for t in labels[picked].unique(return_counts=True)), strict=True)
    )
    assert torch.cat([picked, rest]).sort().values.tolist() == list(range(len(labels)))


# ---- sample_anomaly_sets


def test_the_others_share_one_class_that_is_not_the_anomalys():
    anomaly_index = torch.arange(83).repeat(31)
    _, labels, (_, target, indices) = draw_sets(anomaly_index)
    is_odd = torch.arange(6) == target[:, None]
    normal = labels[indices][~is_odd].view(-1, 5)  # [B, 5]
    assert (normal == normal[:, :1]).all()
    assert (normal[:, 0] != labels[anomaly_index]).all()


def test_the_place_of_the_anomaly_is_uniform():
    _, _, (_, target, _) = draw_sets(torch.arange(83).repeat(101), seed=1)
    assert chi_square_p(target.bincount(minlength=6), len(target) / 6) > 0.01


def test_the_class_of_the_others_is_uniform():
    _, labels, (_, target, indices) = draw_sets(torch.zeros(8009, dtype=torch.int64), seed=2)
    other = labels[indices[torch.arange(8009), (target + 1) % 6]]
    _, observed = other.unique(return_counts=True)
    assert len(observed) == 4
    assert chi_square_p(observed, 8009 / 4) > 0.01


def test_every_member_of_a_class_is_drawn_as_often_as_any_other():
    _, labels, (_, _, indices) = draw_sets(torch.where(make_images()[1] == 3)[0][:1].repeat(20011), seed=3)
    for label, count in COUNTS.items():
        if label != 3:
            observed = indices[labels[indices] == label].bincount(minlength=83)[labels == label]
            # five different ones at a time: a chi-square times (count − 5) / (count − 1)
            expected = observed.sum() / count
            statistic = ((observed - expected) ** 2 / expected).sum().item() * (count - 1) / (count - 5)
            assert chi2.sf(statistic, count - 1) > 0.001


# ---- anomaly_loss


class Scores(nn.Module):
    """Scores an image by the sum of its features."""

    def forward(self, x, mask=None, add_positional_encoding=True):
        return x.sum(-1, keepdim=True)


def test_the_loss_is_a_softmax_over_the_set():
    sets = torch.zeros(2, 3, 5)
    sets[0, 1, 0] = 2.0
    loss, accuracy = anomaly_loss(Scores(), (sets, torch.tensor([1, 2])))
    assert loss.item() == pytest.approx((math.log(math.e**2 + 2) - 2 + math.log(3)) / 2)
    assert accuracy.item() == pytest.approx(0.5)


# ---- equivariance_error


class Places(nn.Module):
    """Adds the place of an image to its score: not a model of sets."""

    def forward(self, x, mask=None, add_positional_encoding=True):
        return x.sum(-1, keepdim=True) + 0.5 * torch.arange(x.shape[1])[:, None]


def test_a_model_that_scores_each_image_alone_is_equivariant():
    sets = torch.rand(2, 3, 5, generator=torch.Generator().manual_seed(0))
    assert equivariance_error(Scores(), sets, torch.tensor([2, 0, 1])) == 0.0


def test_a_model_that_sees_places_is_caught_with_its_largest_change():
    assert equivariance_error(Places(), torch.zeros(2, 3, 5), torch.tensor([2, 0, 1])) == pytest.approx(1.0)
