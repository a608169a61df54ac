import pytest
import torch

from course_lib.model.predictor import TransformerPredictor

ARGUMENTS = dict(input_dim=5, model_dim=6, num_classes=3, num_heads=2, num_layers=2)


def make_model(**more):
    torch.manual_seed(71)
    return TransformerPredictor(**ARGUMENTS, **more).double()


def make_x():
    return torch.randn(2, 7, 5, generator=torch.Generator().manual_seed(73), dtype=torch.float64)


def test_the_parameters_are_exactly_those_of_the_published_checkpoints():
    model = TransformerPredictor(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1)
    layer = "transformer.layers.0"
    assert {name: tuple(p.shape) for name, p in model.state_dict().items()} == {
        "input_net.1.weight": (32, 10),
        "input_net.1.bias": (32,),
        f"{layer}.self_attn.qkv_proj.weight": (96, 32),
        f"{layer}.self_attn.qkv_proj.bias": (96,),
        f"{layer}.self_attn.o_proj.weight": (32, 32),
        f"{layer}.self_attn.o_proj.bias": (32,),
        f"{layer}.linear_net.0.weight": (64, 32),
        f"{layer}.linear_net.0.bias": (64,),
        f"{layer}.linear_net.3.weight": (32, 64),
        f"{layer}.linear_net.3.bias": (32,),
        f"{layer}.norm1.weight": (32,),
        f"{layer}.norm1.bias": (32,),
        f"{layer}.norm2.weight": (32,),
        f"{layer}.norm2.bias": (32,),
        "output_net.0.weight": (32, 32),
        "output_net.0.bias": (32,),
        "output_net.1.weight": (32,),
        "output_net.1.bias": (32,),
        "output_net.4.weight": (10, 32),
        "output_net.4.bias": (10,),
    }


def test_the_model_is_its_parts_one_after_the_other():
    model, x, mask = make_model(), make_x(), torch.ones(7, 7).tril()
    h = model.positional_encoding(model.input_net(x))
    assert torch.equal(model(x, mask), model.output_net(model.transformer(h, mask)))
    without = model.output_net(model.transformer(model.input_net(x), mask))
    assert torch.equal(model(x, mask, add_positional_encoding=False), without)


def test_without_positions_a_permuted_set_gives_permuted_guesses():
    model, x, permutation = make_model(), make_x(), torch.tensor([3, 6, 0, 5, 1, 4, 2])
    permuted = model(x[:, permutation], add_positional_encoding=False)
    expected = model(x, add_positional_encoding=False)[:, permutation]
    torch.testing.assert_close(permuted, expected, rtol=0, atol=1e-12)
    assert not torch.allclose(model(x[:, permutation]), model(x)[:, permutation])


@pytest.mark.parametrize("positions", [True, False])
def test_the_attention_maps_are_those_of_the_forward_pass(positions):
    model, x, mask = make_model(), make_x(), torch.ones(2, 1, 7)
    mask[1, 0, 4:] = 0
    used = []
    for layer in model.transformer.layers:
        layer.self_attn.register_forward_pre_hook(lambda _, args: used.append(args[0]))
    model(x, mask, add_positional_encoding=positions)
    inputs = used.copy()
    maps = model.get_attention_maps(x, mask, add_positional_encoding=positions)
    for layer, h, attention in zip(model.transformer.layers, inputs, maps, strict=True):
        assert torch.equal(attention, layer.self_attn(h, mask, return_attention=True)[1])
        assert attention[1, ..., 4:].abs().max() == 0


def test_all_arguments_are_kept_as_hyper_parameters():
    more = dict(lr=0.3, warmup=11, max_iters=13, dropout=0.2, input_dropout=0.1)
    assert make_model(**more).hyper_parameters == ARGUMENTS | more
    again = TransformerPredictor(**make_model(**more).hyper_parameters)
    assert again.state_dict().keys() == make_model().state_dict().keys()


def test_each_dropout_gets_its_own_probability():
    model = make_model(dropout=0.2, input_dropout=0.1)
    layer = model.transformer.layers[1]
    dropouts = [model.input_net[0], model.output_net[3], layer.dropout, layer.linear_net[1]]
    assert [dropout.p for dropout in dropouts] == [0.1, 0.2, 0.2, 0.2]


def test_gradients_reach_every_parameter():
    model = make_model()
    (model(make_x()) * torch.randn(2, 7, 3, dtype=torch.float64)).sum().backward()
    assert all(p.grad.isfinite().all() and p.grad.abs().max() > 0 for p in model.parameters() if p.dim() > 1)
    assert all(p.grad is not None for p in model.parameters())
