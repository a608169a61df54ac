import pytest
import torch
from torch.nn import functional as F

from course_lib.model.attention import scaled_dot_product, softmax

B, H, L, S, D_K, D_V = 2, 3, 5, 7, 11, 13


def make_qkv(dtype=torch.float64, lead=(B, H)):
    generator = torch.Generator().manual_seed(17)
    shapes = [(*lead, L, D_K), (*lead, S, D_K), (*lead, S, D_V)]
    return [torch.randn(shape, generator=generator, dtype=dtype).requires_grad_() for shape in shapes]


def make_mask(shape, seed=19):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < 0.6
    mask[..., 0] = True  # every query sees at least one key
    return mask


# ---- softmax


@pytest.mark.parametrize("dim", [-1, 0, 1, 2])
def test_softmax_agrees_with_torch_along_any_dimension(dim):
    logits = torch.randn(3, 5, 7, dtype=torch.float64)
    torch.testing.assert_close(softmax(logits, dim), torch.softmax(logits, dim), rtol=0, atol=1e-14)


def test_softmax_of_logits_far_apart_is_finite_in_float32():
    weights = softmax(torch.tensor([[1e4, -1e4, 0.0]]))
    assert weights.tolist() == [[1.0, 0.0, 0.0]]


def test_softmax_has_the_gradient_of_torch_and_leaves_its_argument_alone():
    logits = torch.randn(3, 7, dtype=torch.float64, requires_grad=True)
    kept = logits.detach().clone()
    assert torch.autograd.gradcheck(softmax, logits)
    assert torch.equal(logits.detach(), kept)


# ---- scaled_dot_product


@pytest.mark.parametrize("lead", [(), (B,), (B, H), (2, 1, 3)])
def test_values_agree_with_torch_for_any_leading_dimensions(lead):
    q, k, v = make_qkv(lead=lead)
    values, attention = scaled_dot_product(q, k, v)
    torch.testing.assert_close(values, F.scaled_dot_product_attention(q, k, v), rtol=0, atol=1e-12)
    assert attention.shape == (*lead, L, S)
    torch.testing.assert_close(attention.sum(dim=-1), torch.ones(*lead, L, dtype=torch.float64))


@pytest.mark.parametrize("shape", [(L, S), (B, 1, L, S), (B, H, L, S), (B, 1, 1, S)])
def test_values_agree_with_torch_under_a_mask_of_any_shape(shape):
    q, k, v = make_qkv()
    mask = make_mask(shape)
    values, _ = scaled_dot_product(q, k, v, mask)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_a_query_that_sees_no_key_gets_uniform_weights_and_no_nan(dtype):
    q, k, v = make_qkv(dtype=dtype)
    mask = make_mask((L, S))
    mask[2] = False
    values, attention = scaled_dot_product(q, k, v, mask)
    assert values.isfinite().all()
    torch.testing.assert_close(attention[..., 2, :], torch.full((B, H, S), 1 / S, dtype=dtype))


def test_gradients_reach_q_k_and_v_even_beside_a_hidden_row():
    q, k, v = make_qkv(lead=(B,))
    mask = make_mask((L, S))
    mask[2] = False
    assert torch.autograd.gradcheck(lambda *qkv: scaled_dot_product(*qkv, mask), (q, k, v))
