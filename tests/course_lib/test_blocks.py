import pytest
import torch
from torch import nn

from course_lib.blocks import in_blocks


def make_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))


def backward(model):
    x = torch.linspace(-1, 1, 21).view(7, 3)
    model(x).square().sum().backward()


def test_the_block_holds_the_parameters_and_their_gradients_one_after_the_other():
    model, plain = make_model(), make_model()
    with in_blocks(model.parameters()) as blocks:
        backward(model)
        backward(plain)
        block = blocks[0].vector
        torch.testing.assert_close(block.detach(), nn.utils.parameters_to_vector(plain.parameters()).detach())
        expected = torch.cat([parameter.grad.flatten() for parameter in plain.parameters()])
        torch.testing.assert_close(block.grad, expected)


def test_what_is_done_to_the_block_is_done_to_the_model():
    model = make_model()
    with in_blocks(model.parameters()) as blocks:
        with torch.no_grad():
            blocks[0].vector.fill_(0.25)
        assert (model[0].weight == 0.25).all()


@pytest.mark.parametrize("somebody_did", [lambda model: None, nn.Module.zero_grad], ids=["nothing", "zero_grad"])
def test_emptied_gradients_are_zero_and_pieces_of_the_block(somebody_did):
    model, once = make_model(), make_model()
    backward(once)
    with in_blocks(model.parameters()) as blocks:
        backward(model)
        somebody_did(model)
        blocks[0].empty()
        assert not blocks[0].vector.grad.any()
        backward(model)
        expected = torch.cat([parameter.grad.flatten() for parameter in once.parameters()])
        torch.testing.assert_close(blocks[0].vector.grad, expected)


def test_afterwards_also_after_an_error_the_parameters_are_the_same_objects_each_with_memory_of_its_own():
    model = make_model()
    before = list(model.parameters())
    with pytest.raises(RuntimeError, match="is invalid"), in_blocks(model.parameters()) as blocks:
        blocks[0].vector.data.fill_(0.25).view(1)
    assert all(now is then for now, then in zip(model.parameters(), before, strict=True))
    assert len({parameter.untyped_storage().data_ptr() for parameter in before}) == len(before)
    assert all((parameter == 0.25).all() and parameter.grad is None for parameter in before)


def test_what_is_not_trained_stays_out_and_each_dtype_has_a_block_of_its_own():
    model = make_model()
    model[0].bias.requires_grad_(False)
    model[2].double()
    with in_blocks(model.parameters()) as blocks:
        sizes = {block.vector.dtype: len(block.vector) for block in blocks}
        assert sizes == {torch.float32: 15, torch.float64: 12}


def test_a_parameter_that_two_layers_share_is_there_once_and_stays_shared():
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    model[1].weight = model[0].weight
    with in_blocks(model.parameters()) as blocks:
        assert len(blocks[0].vector) == 15
    assert model[1].weight is model[0].weight
