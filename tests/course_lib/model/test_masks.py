import pytest
import torch

from course_lib.model.masks import causal_mask, expand_mask, padding_mask


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_position_sees_itself_and_what_came_before_it(size):
    expected = [[j <= i for j in range(size)] for i in range(size)]
    assert causal_mask(size).tolist() == expected
    assert causal_mask(size).dtype == torch.bool


@pytest.mark.parametrize("lengths", [[3, 5, 0], (3, 5, 0), torch.tensor([3, 5, 0])])
def test_padding_begins_where_the_length_ends(lengths):
    mask = padding_mask(lengths)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[t < length for t in range(5)] for length in (3, 5, 0)]


def test_padding_reaches_as_far_as_max_len():
    assert padding_mask([2, 3], max_len=7).sum(dim=1).tolist() == [2, 3]
    assert padding_mask([2, 3], max_len=7).shape == (2, 7)


def test_a_max_len_below_a_length_cuts_the_mask():
    assert padding_mask([2, 5], max_len=3).tolist() == [[True, True, False], [True, True, True]]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((5, 7), (1, 1, 5, 7)),
        ((2, 5, 7), (2, 1, 5, 7)),
        ((2, 1, 7), (2, 1, 1, 7)),
        ((2, 3, 5, 7), (2, 3, 5, 7)),
        ((1, 3, 5, 7), (1, 3, 5, 7)),
    ],
)
def test_a_mask_gets_four_axes_and_keeps_its_entries(shape, expected):
    mask = torch.rand(shape) < 0.5
    expanded = expand_mask(mask)
    assert expanded.shape == expected
    assert torch.equal(expanded.flatten(), mask.flatten())
