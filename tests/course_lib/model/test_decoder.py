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


def test_the_block_is_its_formula():
    x, memory = make_x_and_memory()
    mask, memory_mask = torch.ones(B, 1, T), torch.ones(B, 1, S)
    mask[0, 0, 1], memory_mask[1, 0, 4:] = 0, 0
    block = make_decoder(num_layers=1).layers[0]
    for parameter in block.parameters():
        torch.nn.init.normal_(parameter)
    h = block.norm1(x + block.self_attn(x, mask * torch.ones(T, T).tril()))
    h = block.norm2(h + block.cross_attn(h, memory, memory, memory_mask))
    expected = block.norm3(h + block.linear_net(h))
    torch.testing.assert_close(block(x, memory, mask, memory_mask), expected, rtol=0, atol=1e-12)


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


def test_the_layers_come_one_after_the_other_with_the_same_memory():
    decoder = make_decoder(num_layers=3)
    x, memory = make_x_and_memory()
    expected = decoder.layers[2](decoder.layers[1](decoder.layers[0](x, memory), memory), memory)
    assert torch.equal(decoder(x, memory), expected)
    assert len({id(p) for p in decoder.parameters()}) == len(decoder.state_dict())
