"""The stack; `tests/course_lib/test_interop.py` holds each kind of block against torch's own."""

import torch

from course_lib.model.encoder import TransformerEncoder

B, H, T, D = 2, 3, 5, 6


def make_encoder():
    torch.manual_seed(41)
    encoder = TransformerEncoder(3, input_dim=D, num_heads=H, dim_feedforward=11, dropout=0.5)
    return encoder.double().eval()


def make_x():
    return torch.randn(B, T, D, generator=torch.Generator().manual_seed(43), dtype=torch.float64)


def test_the_layers_are_different_and_come_one_after_the_other():
    encoder, x = make_encoder(), make_x()
    expected = encoder.layers[2](encoder.layers[1](encoder.layers[0](x)))
    assert torch.equal(encoder(x), expected)
    assert len({id(p) for p in encoder.parameters()}) == 3 * 12


def test_the_maps_are_those_that_the_forward_pass_uses():
    encoder, x, used = make_encoder(), make_x(), []
    mask = torch.ones(T, T).tril()
    for layer in encoder.layers:
        used.append(layer.self_attn(x, mask, return_attention=True)[1])
        x = layer(x, mask)
    maps = encoder.get_attention_maps(make_x(), mask)
    assert all(torch.equal(got, expected) for got, expected in zip(maps, used, strict=True))
