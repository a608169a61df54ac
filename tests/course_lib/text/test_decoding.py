from itertools import product

import pytest
import torch

from course_lib.model.seq2seq import greedy_decode
from course_lib.text.decoding import beam_search

V, BOS, EOS = 5, 1, 2
SRC = torch.tensor([[3, 4, 0]])


class Scripted(torch.nn.Module):
    """Log-probabilities from a table, by position, token before, and the sum of the visible source."""

    def __init__(self, seed):
        super().__init__()
        self.table = torch.nn.Parameter(
            2 * torch.randn(7, V, 3, V, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
        )

    def forward(self, src, tgt, src_mask=None):
        source = (src if src_mask is None else src * src_mask).sum(1) % 3  # [B]
        places = torch.arange(tgt.shape[1])
        return self.table[places, tgt, source[:, None]]  # [B, T, V]


def every_sentence(model, max_len, alpha, src_mask=None):
    """All that can be said in max_len tokens, with its score, best first."""
    found = []
    for n in range(1, max_len + 1):
        for sentence in product(range(V), repeat=n):
            if EOS in sentence[:-1] or (n < max_len and sentence[-1] != EOS):
                continue
            tokens = torch.tensor([[BOS, *sentence]])
            log_p = model(SRC, tokens[:, :-1], src_mask=src_mask).log_softmax(-1)
            total = log_p.gather(-1, tokens[:, 1:, None]).sum().item()
            made = [*sentence][:-1] if sentence[-1] == EOS else [*sentence]
            found.append((made, total / ((5 + n) / 6) ** alpha))
    return sorted(found, key=lambda pair: -pair[1])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.3])
def test_a_beam_as_wide_as_the_language_finds_what_trying_everything_finds(seed, alpha):
    model, mask = Scripted(seed), torch.tensor([[True, False, True]])
    expected = every_sentence(model, 4, alpha, mask)
    found = beam_search(model, SRC, BOS, EOS, beam_size=V**4, max_len=4, alpha=alpha, src_mask=mask)
    assert [tokens for tokens, _ in found] == [tokens for tokens, _ in expected]
    torch.testing.assert_close([score for _, score in found], [score for _, score in expected], rtol=0, atol=1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_a_beam_of_one_is_greedy(seed):
    model = Scripted(seed)
    ((tokens, _),) = beam_search(model, SRC, BOS, EOS, beam_size=1, max_len=6)
    expected = greedy_decode(model, SRC, BOS, EOS, max_len=6)[0].tolist()
    assert tokens == (expected[: expected.index(EOS)] if EOS in expected else expected)


def test_a_wider_beam_finds_what_greedy_misses():
    better = 0
    for seed in range(40):
        model = Scripted(seed)
        (_, greedy), *_ = beam_search(model, SRC, BOS, EOS, beam_size=1, max_len=4, alpha=0.0)
        (_, wide), *_ = beam_search(model, SRC, BOS, EOS, beam_size=4, max_len=4, alpha=0.0)
        better += wide > greedy + 1e-6
    assert better >= 10
