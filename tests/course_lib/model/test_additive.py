import pytest
import torch
from torch.nn import functional as F

from course_lib.model.additive import AdditiveAttention, BilinearAttention
from course_lib.model.attention import scaled_dot_product

B, S, QUERY, KEY = 3, 7, 5, 11
LAYERS = {"additive": lambda: AdditiveAttention(QUERY, KEY, 13), "bilinear": lambda: BilinearAttention(QUERY, KEY)}


@pytest.fixture(params=LAYERS)
def attend(request):
    torch.manual_seed(3)
    return LAYERS[request.param]().double()


@pytest.fixture
def query():
    return torch.randn(B, QUERY, dtype=torch.float64, generator=torch.Generator().manual_seed(5))


@pytest.fixture
def keys():
    return torch.randn(B, S, KEY, dtype=torch.float64, generator=torch.Generator().manual_seed(7))


def some_hidden():
    mask = torch.ones(B, S, dtype=torch.bool)
    mask[:, 2], mask[1, 4:] = False, False
    return mask


def test_additive_scores_are_those_of_the_formula_key_by_key(query, keys):
    attend = LAYERS["additive"]().double()
    w, w_q, w_k = attend.score.weight[0], attend.query_proj.weight, attend.key_proj.weight
    scores = torch.stack(
        [torch.stack([w @ torch.tanh(w_q @ q + w_k @ k) for k in row]) for q, row in zip(query, keys, strict=True)]
    )
    torch.testing.assert_close(attend(query, keys)[1], F.softmax(scores, dim=-1), rtol=0, atol=1e-12)


def test_bilinear_scores_are_those_of_torchs_bilinear(query, keys):
    attend = LAYERS["bilinear"]().double()
    each = query.unsqueeze(1).expand(-1, S, -1).contiguous()
    scores = F.bilinear(each, keys, attend.weight.unsqueeze(0)).squeeze(-1)
    torch.testing.assert_close(attend(query, keys)[1], F.softmax(scores, dim=-1), rtol=0, atol=1e-12)


def test_bilinear_attention_with_a_scaled_identity_is_that_of_stage_1(keys):
    attend = BilinearAttention(KEY, KEY).double()
    attend.weight.data = torch.eye(KEY, dtype=torch.float64) / KEY**0.5
    query = keys.flip(1)[:, 0]
    values, attention = scaled_dot_product(query.unsqueeze(1), keys, keys)
    torch.testing.assert_close(attend(query, keys), (values.squeeze(1), attention.squeeze(1)), rtol=0, atol=1e-12)


def test_the_context_is_the_mean_of_the_keys_with_these_weights(attend, query, keys):
    context, attention = attend(query, keys, some_hidden())
    torch.testing.assert_close(context, torch.einsum("bs,bsk->bk", attention, keys), rtol=0, atol=1e-12)
    torch.testing.assert_close(attention.sum(-1), torch.ones(B, dtype=torch.float64), rtol=0, atol=1e-12)


def test_a_query_that_sees_no_key_gets_finite_numbers_and_gradients(attend, query, keys):
    context, attention = attend(query, keys.requires_grad_(), torch.zeros(B, S))
    context.sum().backward()
    for tensor in (context, attention, keys.grad, *(parameter.grad for parameter in attend.parameters())):
        assert tensor.isfinite().all()
