import math

import pytest
import torch

from course_lib.model.positions import LearnedPositions, PositionalEncoding


@pytest.mark.parametrize("d_model", [1, 2, 7, 12])
def test_sines_and_cosines_alternate_with_the_frequencies_of_the_paper(d_model):
    pe = PositionalEncoding(d_model, max_len=23).pe
    assert pe.shape == (1, 23, d_model)
    for t in (0, 1, 22):
        for column in range(d_model):
            angle = t / 10000 ** (column // 2 * 2 / d_model)
            expected = math.cos(angle) if column % 2 else math.sin(angle)
            assert pe[0, t, column].item() == pytest.approx(expected, abs=1e-5)


def test_the_first_positions_are_added_to_every_row_of_the_batch():
    encode = PositionalEncoding(d_model=7, max_len=11)
    x = torch.randn(3, 5, 7)
    assert torch.equal(encode(x), x + encode.pe[0, :5])


def test_the_table_is_not_saved_with_the_model():
    encode = PositionalEncoding(d_model=7)
    assert encode.state_dict() == {}
    assert dict(encode.named_buffers())["pe"].shape == (1, 5000, 7)
    assert encode.double().pe.dtype == torch.float64


def test_learned_positions_add_rows_of_their_table():
    positions = LearnedPositions(max_len=11, d_model=7)
    x = torch.randn(3, 5, 7)
    assert torch.equal(positions(x), x + positions.table.weight[:5])
    assert positions.table.weight.shape == (11, 7)


def test_gradients_reach_the_rows_that_were_used_and_no_others():
    positions = LearnedPositions(max_len=11, d_model=7)
    positions(torch.zeros(3, 5, 7)).sum().backward()
    assert positions.table.weight.grad.sum(dim=1).tolist() == [21.0] * 5 + [0.0] * 6


@pytest.mark.parametrize(
    "make", [lambda: PositionalEncoding(7, max_len=11), lambda: LearnedPositions(max_len=11, d_model=7)]
)
def test_a_sequence_may_be_as_long_as_max_len_and_no_longer(make):
    positions = make()
    assert positions(torch.zeros(1, 11, 7)).shape == (1, 11, 7)
    with pytest.raises(ValueError, match=r"13 tokens is longer than max_len \(11\)"):
        positions(torch.zeros(1, 13, 7))
