import pytest
import torch
from torch.nn import functional as F

from course_lib.model.seq2seq import sequence_loss
from course_lib.model.translation import TranslationModel, smoothed_loss

SIZES = dict(src_vocab=17, tgt_vocab=13, model_dim=6, num_heads=3, num_layers=2, dim_feedforward=11, max_len=9)
B, S, T, V = 3, 7, 5, 13


@pytest.fixture
def model():
    torch.manual_seed(3)
    return TranslationModel(**SIZES).double().eval()


def tokens(vocabulary, *size):
    return torch.randint(3, vocabulary, size, generator=torch.Generator().manual_seed(5))


def test_the_output_layer_is_the_table_of_the_target(model):
    assert [name for name, _ in model.named_parameters() if "." not in name] == ["output_bias"]
    src, tgt = tokens(17, B, S), tokens(12, B, T)  # no target holds token 12
    before = model(src, tgt)
    with torch.no_grad():
        model.tgt_embedding.table[12] *= 2
    torch.testing.assert_close(model(src, tgt)[..., :12], before[..., :12], rtol=0, atol=0)
    torch.testing.assert_close(model(src, tgt)[..., 12], 2 * before[..., 12], rtol=0, atol=1e-12)


def test_it_is_the_formula(model):
    src, tgt = tokens(17, B, S), tokens(13, B, T)
    x = model.src_embedding.table[src] * 6**0.5 + model.src_positions.table.weight[:S]
    y = model.tgt_embedding.table[tgt] * 6**0.5 + model.tgt_positions.table.weight[:T]
    expected = F.linear(model.decoder(y, model.encoder(x)), model.tgt_embedding.table, model.output_bias)
    torch.testing.assert_close(model(src, tgt), expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(model.decode(model.encode(src), tgt), expected, rtol=0, atol=1e-12)


def test_another_table_may_be_shared_too(model):
    shared = TranslationModel(**SIZES | {"src_vocab": 13})
    shared.src_embedding = shared.tgt_embedding
    model_numbers, numbers = (sum(p.numel() for p in m.parameters()) for m in (model, shared))
    assert model_numbers - numbers == 17 * 6


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.37, 1.0])
def test_smoothed_loss_is_that_of_torch(smoothing):
    logits = torch.randn(B, T, V, dtype=torch.float64, generator=torch.Generator().manual_seed(7))
    targets = tokens(V, B, T)
    targets[0, 3:] = targets[2, 1:] = 0
    expected = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0, label_smoothing=smoothing)
    torch.testing.assert_close(smoothed_loss(logits, targets, 0, smoothing), expected, rtol=0, atol=1e-12)


def test_without_smoothing_it_is_sequence_loss():
    logits, targets = torch.randn(B, T, V, generator=torch.Generator().manual_seed(7)), tokens(V, B, T)
    torch.testing.assert_close(smoothed_loss(logits, targets, 4, 0.0), sequence_loss(logits, targets, 4))
