"""The stack; `tests/course_lib/test_interop.py` holds a block against torch's own."""

import torch

from course_lib.model.decoder import TransformerDecoder


def test_the_layers_come_one_after_the_other_with_the_same_memory():
    torch.manual_seed(53)
    decoder = TransformerDecoder(3, input_dim=6, num_heads=3, dim_feedforward=11).double()
    x, memory = (torch.randn(2, length, 6, dtype=torch.float64) for length in (5, 7))
    expected = decoder.layers[2](decoder.layers[1](decoder.layers[0](x, memory), memory), memory)
    assert torch.equal(decoder(x, memory), expected)
    assert len({id(p) for p in decoder.parameters()}) == len(decoder.state_dict())
