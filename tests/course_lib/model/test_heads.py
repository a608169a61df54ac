import pytest
import torch

from course_lib.model.heads import merge_heads, split_heads


def test_head_number_i_holds_the_features_from_i_times_d_on():
    x = torch.randn(2, 5, 21)
    heads = split_heads(x, num_heads=3)
    assert heads.shape == (2, 3, 5, 7)
    for i in range(3):
        assert torch.equal(heads[:, i], x[:, :, 7 * i : 7 * (i + 1)])


@pytest.mark.parametrize("num_heads", [1, 3, 7, 21])
def test_merging_undoes_splitting(num_heads):
    x = torch.randn(2, 5, 21)
    assert torch.equal(merge_heads(split_heads(x, num_heads)), x)


def test_merging_takes_a_tensor_that_is_not_contiguous():
    heads = torch.randn(5, 2, 7, 3).permute(1, 3, 0, 2)  # [2, 3, 5, 7]
    assert torch.equal(split_heads(merge_heads(heads), 3), heads)
