import pytest
import torch
from torch import nn

from course_lib.training.engine.flat_parameters import flat_parameters


def make_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))


def backward(model):
    x = torch.linspace(-1, 1, 21).view(7, 3)
    model(x).square().sum().backward()


def test_the_vector_holds_the_parameters_and_their_gradients_one_after_the_other():
    model, plain = make_model(), make_model()
    with flat_parameters(model.parameters()) as flat:
        backward(model)
        backward(plain)
        vector = flat[0].vector
        torch.testing.assert_close(vector.detach(), nn.utils.parameters_to_vector(plain.parameters()).detach())
        expected = torch.cat([parameter.grad.flatten() for parameter in plain.parameters()])
        torch.testing.assert_close(vector.grad, expected)


def test_what_is_done_to_the_vector_is_done_to_the_model():
    model = make_model()
    with flat_parameters(model.parameters()) as flat:
        with torch.no_grad():
            flat[0].vector.fill_(0.25)
        assert (model[0].weight == 0.25).all()


@pytest.mark.parametrize("somebody_did", [lambda model: None, nn.Module.zero_grad], ids=["nothing", "zero_grad"])
def test_emptied_gradients_are_zero_and_pieces_of_the_vector(somebody_did):
    model, once = make_model(), make_model()
    backward(once)
    with flat_parameters(model.parameters()) as flat:
        backward(model)
        somebody_did(model)
        flat[0].zero_grad()
        assert not flat[0].vector.grad.any()
        backward(model)
        expected = torch.cat([parameter.grad.flatten() for parameter in once.parameters()])
        torch.testing.assert_close(flat[0].vector.grad, expected)


def test_afterwards_also_after_an_error_the_parameters_are_the_same_objects_each_with_memory_of_its_own():
    model = make_model()
    before = list(model.parameters())
    with pytest.raises(RuntimeError, match="is invalid"), flat_parameters(model.parameters()) as flat:
        flat[0].vector.data.fill_(0.25).view(1)
    assert all(now is then for now, then in zip(model.parameters(), before, strict=True))
    assert len({parameter.untyped_storage().data_ptr() for parameter in before}) == len(before)
    assert all((parameter == 0.25).all() and parameter.grad is None for parameter in before)


def test_what_is_not_trained_stays_out_and_each_dtype_has_a_vector_of_its_own():
    model = make_model()
    model[0].bias.requires_grad_(False)
    model[2].double()
    with flat_parameters(model.parameters()) as flat:
        sizes = {one.vector.dtype: len(one.vector) for one in flat}
        assert sizes == {torch.float32: 15, torch.float64: 12}


def test_a_parameter_that_two_layers_share_is_there_once_and_stays_shared():
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    model[1].weight = model[0].weight
    with flat_parameters(model.parameters()) as flat:
        assert len(flat[0].vector) == 15
    assert model[1].weight is model[0].weight
