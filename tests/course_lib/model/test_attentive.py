import pytest
import torch

from course_lib.model.attentive import AttentiveDecoder

V, D, M = 13, 5, 7
B, T, S = 3, 4, 11


@pytest.fixture
def decoder():
    torch.manual_seed(3)
    return AttentiveDecoder(V, D, M).double()


@pytest.fixture
def tokens():
    return torch.randint(V, (B, T), generator=torch.Generator().manual_seed(5))


@pytest.fixture
def memory():
    return torch.randn(B, S, M, dtype=torch.float64, generator=torch.Generator().manual_seed(7))


def lengths_mask(*lengths):
    return torch.arange(S) < torch.tensor(lengths)[:, None]


def test_it_is_the_formula_step_by_step(decoder, tokens, memory):
    mask = lengths_mask(8, 11, 1)
    logits, attention = decoder(tokens, memory, mask)
    for sample in range(B):
        seen = memory[sample : sample + 1, : mask[sample].sum()]  # cut off, no mask
        state = decoder.start(seen.mean(dim=1))
        for step in range(T):
            context, weights = decoder.attention(state, seen)
            state = decoder.cell(torch.cat([decoder.embedding(tokens[sample, step])[None], context], -1), state)
            expected = decoder.output(torch.cat([state, context], -1))[0]
            torch.testing.assert_close(logits[sample, step], expected, rtol=0, atol=1e-12)
            torch.testing.assert_close(attention[sample, step, : seen.shape[1]], weights[0], rtol=0, atol=1e-12)


def test_a_memory_of_padding_alone_gives_finite_numbers_and_gradients(decoder, tokens, memory):
    mask = lengths_mask(8, 0, 0)
    logits, attention = decoder(tokens, memory, mask)
    logits.sum().backward()
    for tensor in (logits, attention, *(parameter.grad for parameter in decoder.parameters())):
        assert tensor.isfinite().all()
    alone = decoder(tokens[:1], memory[:1], mask[:1])
    torch.testing.assert_close((logits[:1], attention[:1]), alone, rtol=0, atol=1e-12)
