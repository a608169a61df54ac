import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.seq2seq import Seq2SeqTransformer, greedy_decode, sequence_loss, shift_right

SRC_VOCAB, TGT_VOCAB, BOS, EOS = 11, 13, 1, 2


def make_model():
    torch.manual_seed(61)
    return Seq2SeqTransformer(SRC_VOCAB, TGT_VOCAB, model_dim=6, num_heads=2, num_layers=2).double()


def make_tokens():
    generator = torch.Generator().manual_seed(67)
    src = torch.randint(SRC_VOCAB, (3, 7), generator=generator)
    return src, torch.randint(TGT_VOCAB, (3, 5), generator=generator)


# ---- Seq2SeqTransformer


def test_the_model_is_its_parts_in_the_order_of_the_paper():
    model = make_model()
    src, tgt = make_tokens()
    memory = model.encoder(model.positional_encoding(model.src_embedding(src) * math.sqrt(6)))
    y = model.decoder(model.positional_encoding(model.tgt_embedding(tgt) * math.sqrt(6)), memory)
    torch.testing.assert_close(model(src, tgt), model.output(y), rtol=0, atol=1e-12)
    assert model(src, tgt).shape == (3, 5, TGT_VOCAB)
    assert model.encoder.layers[1].linear_net[0].out_features == 24


# ---- shift_right


def test_shifting_puts_bos_in_front_and_drops_the_last_token():
    targets = torch.tensor([[5, 6, 7], [8, 9, 2]])
    shifted = shift_right(targets, BOS)
    assert shifted.tolist() == [[1, 5, 6], [1, 8, 9]]
    assert shifted.dtype == targets.dtype
    assert targets.tolist() == [[5, 6, 7], [8, 9, 2]]


# ---- sequence_loss


@pytest.mark.parametrize("pad", [0, 4, -1])
def test_the_loss_is_the_mean_over_real_tokens(pad):
    logits = torch.randn(2, 5, 7, dtype=torch.float64)
    targets = torch.tensor([[1, 2, 3, 5, 6], [6, 5, pad, pad, pad]])
    real = [(0, t) for t in range(5)] + [(1, 0), (1, 1)]
    expected = -sum(F.log_softmax(logits[b, t], dim=-1)[targets[b, t]] for b, t in real) / len(real)
    torch.testing.assert_close(sequence_loss(logits, targets, pad), expected, rtol=0, atol=1e-12)


# ---- greedy_decode


class Script(nn.Module):
    """Says what it is told to, row by row, and records how it was called."""

    def __init__(self, rows):
        super().__init__()
        self.rows = torch.tensor(rows)  # [B, n]
        self.weight = nn.Parameter(torch.ones(()))
        self.dropout = nn.Dropout(0.5)
        self.calls = []

    def forward(self, src, tokens, src_mask=None):
        self.calls.append((tokens.clone(), src_mask, self.training, torch.is_grad_enabled()))
        said = self.rows[:, : tokens.shape[1]]
        return F.one_hot(said, TGT_VOCAB) * self.weight


def test_each_row_stops_at_its_own_eos_and_is_filled_with_eos():
    model = Script([[5, 6, EOS, 7, 8, 9], [EOS, 5, 5, 5, 5, 5], [9, 8, 7, EOS, 6, 5]])
    decoded = greedy_decode(model, torch.zeros(3, 7), BOS, EOS, max_len=6)
    assert decoded.tolist() == [[5, 6, EOS, EOS], [EOS] * 4, [9, 8, 7, EOS]]
    assert len(model.calls) == 4
    assert decoded.dtype == torch.int64


def test_the_model_reads_bos_and_then_its_own_words():
    model, src_mask = Script([[5, 6, EOS]]), torch.ones(1, 7)
    greedy_decode(model, torch.zeros(1, 7), BOS, EOS, max_len=5, src_mask=src_mask)
    assert [tokens.tolist() for tokens, *_ in model.calls] == [[[BOS]], [[BOS, 5]], [[BOS, 5, 6]]]
    assert all(mask is src_mask for _, mask, *_ in model.calls)


def test_decoding_has_no_dropout_and_no_gradient_and_gives_the_modes_back():
    model = Script([[5, EOS]]).train()
    model.dropout.eval()
    decoded = greedy_decode(model, torch.zeros(1, 7), BOS, EOS, max_len=5)
    assert [call[2:] for call in model.calls] == [(False, False), (False, False)]
    assert (model.training, model.dropout.training) == (True, False)
    assert torch.is_grad_enabled()
    assert not decoded.requires_grad


def test_the_mode_comes_back_even_when_the_model_fails():
    model = Script([[5, 6]]).train()
    model.rows = None
    with pytest.raises(TypeError):
        greedy_decode(model, torch.zeros(1, 7), BOS, EOS, max_len=5)
    assert model.training
    assert model.dropout.training


def test_a_plain_function_can_decode():
    def say_five(src, tokens, src_mask=None):
        return F.one_hot(torch.full_like(tokens, 5), TGT_VOCAB)

    assert greedy_decode(say_five, torch.zeros(2, 7), BOS, EOS, max_len=3).tolist() == [[5] * 3] * 2


def test_greedy_decoding_agrees_with_teacher_forcing_on_its_own_words():
    model = make_model().eval()
    src, _ = make_tokens()
    decoded = greedy_decode(model, src, BOS, eos=-1, max_len=5)
    assert torch.equal(model(src, shift_right(decoded, BOS)).argmax(dim=-1), decoded)
