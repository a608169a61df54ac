import pytest
import torch

from course_lib.model.predictor import TransformerPredictor

ARGUMENTS = dict(input_dim=5, model_dim=6, num_classes=3, num_heads=2, num_layers=2)


def make_model():
    torch.manual_seed(71)
    return TransformerPredictor(**ARGUMENTS).double()


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
