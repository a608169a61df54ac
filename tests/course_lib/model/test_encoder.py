import pytest
import torch

from course_lib.model.encoder import EncoderBlock, PreNormEncoderBlock, TransformerEncoder

B, H, T, D, HIDDEN = 2, 3, 5, 6, 11


def make_block(kind=EncoderBlock, dropout=0.0):
    torch.manual_seed(37)
    return kind(D, H, HIDDEN, dropout).double()


def make_encoder(num_layers=3):
    torch.manual_seed(41)
    encoder = TransformerEncoder(num_layers, input_dim=D, num_heads=H, dim_feedforward=HIDDEN, dropout=0.5)
    return encoder.double().eval()


def make_x(seed=43):
    return torch.randn(B, T, D, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def silence(block):
    """Make both sub-layers give zero, whatever comes in."""
    for linear in (block.self_attn.o_proj, block.linear_net[3]):
        torch.nn.init.zeros_(linear.weight)
        torch.nn.init.zeros_(linear.bias)
    return block


def test_a_post_norm_block_with_silent_sub_layers_is_its_norms():
    block = silence(make_block())
    torch.testing.assert_close(block(make_x()), block.norm2(block.norm1(make_x())), rtol=0, atol=1e-12)


def test_a_pre_norm_block_with_silent_sub_layers_changes_nothing():
    assert torch.equal(silence(make_block(PreNormEncoderBlock))(make_x()), make_x())


def test_each_kind_of_block_is_its_formula():
    post, pre, x = make_block(), make_block(PreNormEncoderBlock), make_x()
    for parameter in [*post.parameters(), *pre.parameters()]:
        torch.nn.init.normal_(parameter)
    h = post.norm1(x + post.self_attn(x))
    torch.testing.assert_close(post(x), post.norm2(h + post.linear_net(h)), rtol=0, atol=1e-12)
    h = x + pre.self_attn(pre.norm1(x))
    torch.testing.assert_close(pre(x), h + pre.linear_net(pre.norm2(h)), rtol=0, atol=1e-12)


def test_both_kinds_of_block_have_the_parameters_of_the_contract():
    expected = {
        "self_attn.qkv_proj.weight": (3 * D, D),
        "self_attn.qkv_proj.bias": (3 * D,),
        "self_attn.o_proj.weight": (D, D),
        "self_attn.o_proj.bias": (D,),
        "linear_net.0.weight": (HIDDEN, D),
        "linear_net.0.bias": (HIDDEN,),
        "linear_net.3.weight": (D, HIDDEN),
        "linear_net.3.bias": (D,),
        "norm1.weight": (D,),
        "norm1.bias": (D,),
        "norm2.weight": (D,),
        "norm2.bias": (D,),
    }
    for kind in (EncoderBlock, PreNormEncoderBlock):
        assert {name: tuple(p.shape) for name, p in make_block(kind).state_dict().items()} == expected


@pytest.mark.parametrize("kind", [EncoderBlock, PreNormEncoderBlock])
def test_dropout_works_while_training_alone(kind):
    block = make_block(kind, dropout=0.5)
    assert not torch.equal(block.train()(make_x()), block(make_x()))
    assert torch.equal(block.eval()(make_x()), block(make_x()))


@pytest.mark.parametrize("kind", [EncoderBlock, PreNormEncoderBlock])
def test_full_dropout_leaves_the_residual_path(kind):
    block = make_block(kind, dropout=1.0).train()
    bare = make_x() if kind is PreNormEncoderBlock else block.norm2(block.norm1(make_x()))
    torch.testing.assert_close(block(make_x()), bare, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", [EncoderBlock, PreNormEncoderBlock])
def test_a_hidden_token_moves_no_other_token(kind):
    block, x, mask = make_block(kind), make_x(), torch.ones(T, T, dtype=torch.bool)
    mask[:, 3] = False
    moved = x.clone()
    moved[:, 3] += torch.randn(D, dtype=torch.float64)
    others = [0, 1, 2, 4]
    assert torch.equal(block(moved, mask)[:, others], block(x, mask)[:, others])
    assert not torch.allclose(block(moved)[:, others], block(x)[:, others])


def test_gradients_reach_every_parameter_of_the_stack():
    encoder = make_encoder()
    (encoder(make_x()) * make_x(seed=47)).sum().backward()
    assert all(p.grad.isfinite().all() and p.grad.abs().max() > 0 for p in encoder.parameters())


def test_the_layers_are_different_and_come_one_after_the_other():
    encoder, x = make_encoder(), make_x()
    expected = encoder.layers[2](encoder.layers[1](encoder.layers[0](x)))
    assert torch.equal(encoder(x), expected)
    assert len({id(p) for p in encoder.parameters()}) == 3 * 12


def test_the_mask_reaches_every_layer_of_the_forward_pass_and_of_the_maps():
    encoder, x = make_encoder(), make_x()
    mask = torch.ones(B, 1, T, dtype=torch.bool)
    mask[0, 0, 3:] = False
    moved = x.clone()
    moved[0, 3:] += torch.randn(2, D, dtype=torch.float64)
    assert torch.equal(encoder(moved, mask)[0, :3], encoder(x, mask)[0, :3])
    maps = encoder.get_attention_maps(x, mask)
    assert [attention.shape for attention in maps] == [(B, H, T, T)] * 3
    assert all(attention[0, ..., 3:].abs().max() == 0 for attention in maps)
    assert all(attention[1].min() > 0 for attention in maps)


def test_the_maps_are_those_that_the_forward_pass_uses():
    encoder, x, used = make_encoder(), make_x(), []
    mask = torch.ones(T, T).tril()
    for layer in encoder.layers:
        used.append(layer.self_attn(x, mask, return_attention=True)[1])
        x = layer(x, mask)
    maps = encoder.get_attention_maps(make_x(), mask)
    assert all(torch.equal(got, expected) for got, expected in zip(maps, used, strict=True))
