import torch

from course_lib.model.decoder import DecoderBlock, TransformerDecoder

B, H, T, S, D, HIDDEN = 2, 3, 5, 7, 6, 11


def make_decoder(num_layers=2):
    torch.manual_seed(53)
    decoder = TransformerDecoder(num_layers, input_dim=D, num_heads=H, dim_feedforward=HIDDEN)
    return decoder.double()


def make_x_and_memory():
    generator = torch.Generator().manual_seed(59)
    return [torch.randn(B, length, D, generator=generator, dtype=torch.float64) for length in (T, S)]


def jacobian_size(decoder, x, memory, **masks):
    """How much output i moves with input j: [T, T]."""
    jacobian = torch.autograd.functional.jacobian(lambda x: decoder(x[None], memory[:1], **masks)[0], x[0])
    return jacobian.abs().amax(dim=(1, 3))


def test_the_block_has_the_parameters_of_the_contract():
    shapes = {name: tuple(p.shape) for name, p in DecoderBlock(D, H, HIDDEN).named_parameters()}
    assert {name.rsplit(".", 1)[0] for name in shapes} == {
        "self_attn.qkv_proj",
        "self_attn.o_proj",
        *(f"cross_attn.{name}_proj" for name in ("q", "k", "v", "out")),
        "linear_net.0",
        "linear_net.3",
        "norm1",
        "norm2",
        "norm3",
    }
    assert shapes["self_attn.qkv_proj.weight"] == (3 * D, D)
    assert shapes["linear_net.3.weight"] == (D, HIDDEN)


def test_the_jacobian_is_zero_above_the_diagonal_and_nowhere_else():
    x, memory = make_x_and_memory()
    size = jacobian_size(make_decoder(), x, memory)
    assert torch.equal(size.triu(diagonal=1), torch.zeros_like(size))
    assert (size[torch.ones(T, T).tril().bool()] > 1e-9).all()


def test_a_mask_hides_tokens_in_addition_to_causality():
    x, memory = make_x_and_memory()
    mask = torch.ones(T, T)
    mask[:, 1] = 0
    size = jacobian_size(make_decoder(num_layers=1), x, memory, mask=mask)
    visible = torch.ones(T, T).tril().bool()
    visible[:, 1] = False
    visible[1, 1] = True  # the residual
    assert torch.equal(size > 1e-9, visible)


def test_a_mask_of_numbers_means_what_the_bool_mask_means():
    x, memory = make_x_and_memory()
    mask = torch.rand(B, 1, T) < 0.5
    mask[..., 0] = True
    decoder = make_decoder()
    assert torch.equal(decoder(x, memory, mask=mask.float()), decoder(x, memory, mask=mask))


def test_hidden_memory_moves_nothing_and_visible_memory_does():
    x, memory = make_x_and_memory()
    mask = torch.ones(B, 1, S, dtype=torch.bool)
    mask[:, :, 4] = False
    hidden, visible = memory.clone(), memory.clone()
    hidden[:, 4] += torch.randn(D, dtype=torch.float64)
    visible[:, 5] += torch.randn(D, dtype=torch.float64)
    decoder = make_decoder()
    output = decoder(x, memory, memory_mask=mask)
    assert torch.equal(decoder(x, hidden, memory_mask=mask), output)
    assert (decoder(x, visible, memory_mask=mask) - output).abs().amax(dim=(0, 2)).min() > 1e-6


def test_with_silent_sub_layers_the_block_is_its_norms():
    block = DecoderBlock(D, H, HIDDEN, dropout=0.3).double()
    for linear in (block.self_attn.o_proj, block.cross_attn.out_proj, block.linear_net[3]):
        torch.nn.init.zeros_(linear.weight)
        torch.nn.init.zeros_(linear.bias)
    x, memory = make_x_and_memory()
    expected = block.norm3(block.norm2(block.norm1(x)))
    torch.testing.assert_close(block(x, memory), expected, rtol=0, atol=1e-12)


def test_the_layers_come_one_after_the_other_with_the_same_memory():
    decoder = make_decoder(num_layers=3)
    x, memory = make_x_and_memory()
    expected = decoder.layers[2](decoder.layers[1](decoder.layers[0](x, memory), memory), memory)
    assert torch.equal(decoder(x, memory), expected)
    assert len({id(p) for p in decoder.parameters()}) == len(decoder.state_dict())


def test_gradients_reach_every_parameter_and_the_memory():
    decoder = make_decoder()
    x, memory = make_x_and_memory()
    memory.requires_grad_()
    (decoder(x, memory) * torch.randn(B, T, D, dtype=torch.float64)).sum().backward()
    assert all(p.grad.abs().max() > 0 for p in [memory, *decoder.parameters()])


def test_dropout_works_while_training_alone():
    x, memory = make_x_and_memory()
    block = DecoderBlock(D, H, HIDDEN, dropout=0.5).double()
    assert not torch.equal(block(x, memory), block(x, memory))
    assert torch.equal(block.eval()(x, memory), block(x, memory))
