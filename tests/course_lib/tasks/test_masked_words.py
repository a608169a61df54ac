import torch
from torch import nn
from torch.nn import functional as F

from course_lib.tasks.bias import candidate_odds
from course_lib.tasks.masked_words import mask_tokens, masked_lm_loss

TOKENS = torch.randint(0, 23, (401, 29), generator=torch.Generator().manual_seed(1))
MASK = torch.arange(29) < torch.randint(3, 30, (401, 1), generator=torch.Generator().manual_seed(2))
WORDS = MASK & (TOKENS >= 5)


def masked(rate, seed=3):
    return mask_tokens(TOKENS, MASK, 4, 23, 5, rate, torch.Generator().manual_seed(seed))


def test_the_shares_are_those_of_the_paper():
    inputs, targets = masked(0.15)
    chosen = targets != -100
    hidden, left = inputs[chosen] == 4, inputs[chosen] == TOKENS[chosen]
    assert not chosen[~WORDS].any()
    assert 0.13 < chosen[WORDS].float().mean() < 0.17
    assert 0.76 < hidden.float().mean() < 0.84
    assert 0.07 < left.float().mean() < 0.14


def test_the_random_words_are_all_words():
    inputs, targets = masked(1.0)
    others = inputs[(targets != -100) & (inputs != 4)]
    assert sorted(set(others.tolist())) == list(range(5, 23))


def model(tokens, mask=None):
    """Logits [B, T, 23] that hang on the token and on how many are visible."""
    table = torch.randn(23, 23, generator=torch.Generator().manual_seed(7), requires_grad=True)
    return table[tokens] * (1 if mask is None else mask.float().mean())


def test_the_loss_is_torchs_where_something_was_asked():
    inputs, targets = masked(0.3)
    loss, accuracy = masked_lm_loss(model, (inputs, targets, MASK))
    asked = targets != -100
    logits = model(inputs, MASK)[asked]
    torch.testing.assert_close(loss, F.cross_entropy(logits, targets[asked]))
    torch.testing.assert_close(accuracy, (logits.argmax(-1) == targets[asked]).float().mean())


def test_odds_are_a_difference_of_torchs_losses():
    tokens = TOKENS[0].clone()
    logits = model(torch.where(torch.arange(29) == 6, 4, tokens)[None])[0, 6]
    expected = F.cross_entropy(logits, torch.tensor(9)) - F.cross_entropy(logits, torch.tensor(11))
    whole = nn.Module()
    whole.forward = model
    assert abs(candidate_odds(whole, tokens, 6, 11, 9, mask_id=4) - expected.item()) < 1e-5
    assert torch.equal(tokens, TOKENS[0])
