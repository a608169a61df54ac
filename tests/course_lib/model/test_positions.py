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


def test_learned_positions_add_rows_of_their_table():
    positions = LearnedPositions(max_len=11, d_model=7)
    x = torch.randn(3, 5, 7)
    assert torch.equal(positions(x), x + positions.table.weight[:5])
    assert positions.table.weight.shape == (11, 7)
