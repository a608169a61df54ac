"""Scores, ablation, patching and the lens beside what can be said without them."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.inside.head_scores import induction_score, previous_token_score
from course_lib.inside.hooked import AttentionOnly
from course_lib.inside.interventions import ablation_losses, patch_heads
from course_lib.inside.lens import logit_lens
from course_lib.tasks.induction import PERIODS, VOCABULARY, repeated_tokens, train_on_repeats
from course_lib.text.next_token import next_token_loss


@pytest.fixture
def model():
    torch.manual_seed(0)
    return AttentionOnly(13, model_dim=12, num_heads=3, num_layers=2).double()


TOKENS = torch.tensor([[5, 4, 0, 7, 5, 4], [7, 8, 9, 8, 8, 2]])


def test_with_one_period_the_score_is_a_diagonal():
    """As TransformerLens detects induction heads: the mean of the diagonal one less than a period back."""
    attention, tokens = torch.rand(2, 3, 14, 14, dtype=torch.float64).tril(), torch.arange(7).repeat(2, 2)
    diagonal = attention.diagonal(-6, dim1=-2, dim2=-1)[..., 1:]  # queries from 7 on
    torch.testing.assert_close(induction_score(attention, tokens), diagonal.mean(dim=(0, 2)))


def test_a_head_that_looks_one_back_has_the_score_one():
    attention = torch.eye(6).roll(-1, dims=1).expand(2, 3, 6, 6)
    torch.testing.assert_close(previous_token_score(attention), torch.ones(3))


@pytest.mark.parametrize("head", range(3))
@pytest.mark.parametrize("layer", range(2))
def test_a_head_set_to_zero_is_a_head_without_columns_in_o_proj(model, layer, head):
    rises = ablation_losses(model, TOKENS, how="zero")
    before = next_token_loss(model(TOKENS), TOKENS)
    with torch.no_grad():
        model.blocks[layer].attention.o_proj.weight[:, 4 * head : 4 * head + 4] = 0
    torch.testing.assert_close(rises[layer, head], (next_token_loss(model(TOKENS), TOKENS) - before).detach())


def test_a_constant_head_loses_nothing_by_its_mean(model):
    with torch.no_grad():
        model.blocks[1].attention.v_proj.weight[4:8] = 0
    assert ablation_losses(model, TOKENS)[1, 1].abs() < 1e-12


def test_the_only_head_restores_everything_where_the_last_token_is_the_same():
    single = AttentionOnly(13, model_dim=12, num_heads=1, num_layers=1).double()
    clean, corrupt = TOKENS[:1], torch.tensor([[5, 9, 0, 7, 5, 4]])
    restored = patch_heads(single, clean, corrupt, torch.tensor([2]), torch.tensor([3]))
    torch.testing.assert_close(restored, torch.ones(1, 1).double())


def test_the_last_state_through_the_lens_is_the_loss(model):
    logits, _, states = model.look(TOKENS)
    read = logit_lens(states, model.norm, model.output.weight, TOKENS)
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), TOKENS[:, 1:], reduction="none")
    torch.testing.assert_close(read[-1], -losses)


def test_a_lens_of_one_token_is_empty():
    assert logit_lens(torch.ones(3, 2, 1, 4), nn.Identity(), torch.ones(5, 4), torch.zeros(2, 1).long()).shape == (
        3,
        2,
        0,
    )


def test_training_on_repeats_is_repeatable_and_leaves_the_random_state_alone():
    torch.manual_seed(11)
    state = torch.get_rng_state()
    runs = [train_on_repeats((5, 6), seed=3, steps=4, progress=False) for _ in range(2)]
    assert torch.equal(torch.get_rng_state(), state)
    assert runs[0][1] == runs[1][1]
    assert len(runs[0][1]) == 4
    assert train_on_repeats((5, 6), seed=4, steps=4, progress=False)[1] != runs[0][1]


def test_an_environment_variable_ends_training_on_repeats_early(monkeypatch):
    monkeypatch.setenv("COURSE_STEPS", "3")
    assert len(train_on_repeats((5, 6), steps=4, progress=False)[1]) == 3


@pytest.mark.slow
def test_an_induction_head_forms_and_works_at_a_period_that_never_occurred_in_training():
    model, losses = train_on_repeats(PERIODS, progress=False)
    assert sum(losses[:100]) / 100 > 3.6
    tokens = repeated_tokens(64, 31, VOCABULARY, torch.Generator().manual_seed(99))
    with torch.no_grad():
        logits, attention, _ = model.look(tokens)
    assert induction_score(attention[1], tokens).max() > 0.6
    assert previous_token_score(attention[0]).max() > 0.5
    assert next_token_loss(logits[:, 31:], tokens[:, 31:]) < 2
    rises = ablation_losses(model, tokens)
    assert rises[0, previous_token_score(attention[0]).argmax()] > 0.1
