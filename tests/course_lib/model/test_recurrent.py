import pytest
import torch
from torch import nn

from course_lib.model.recurrent import gru_step


def make_cell(inputs=5, hidden=7):
    torch.manual_seed(3)
    return nn.GRUCell(inputs, hidden).double()


@pytest.mark.parametrize("batch", [1, 3])
def test_one_step_is_that_of_gru_cell(batch):
    cell = make_cell()
    x, h = torch.randn(batch, 5, dtype=torch.float64), torch.randn(batch, 7, dtype=torch.float64)
    torch.testing.assert_close(gru_step(x, h, dict(cell.named_parameters())), cell(x, h), rtol=0, atol=1e-12)


def test_many_steps_are_those_of_gru():
    torch.manual_seed(5)
    gru = nn.GRU(5, 7).double()
    weights = {name.removesuffix("_l0"): value for name, value in gru.named_parameters()}
    sequence, state = torch.randn(11, 3, 5, dtype=torch.float64), torch.zeros(3, 7, dtype=torch.float64)
    for place, x in enumerate(sequence):
        state = gru_step(x, state, weights)
        torch.testing.assert_close(state, gru(sequence)[0][place], rtol=0, atol=1e-12)


def test_gradients_are_those_of_gru_cell():
    cell, h = make_cell(), torch.randn(3, 7, dtype=torch.float64, requires_grad=True)
    x = torch.randn(3, 5, dtype=torch.float64)
    leaves = [h, *cell.parameters()]
    ours = torch.autograd.grad(gru_step(x, h, dict(cell.named_parameters())).square().sum(), leaves)
    theirs = torch.autograd.grad(cell(x, h).square().sum(), leaves)
    for mine, expected in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, expected, rtol=0, atol=1e-12)
