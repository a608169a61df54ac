import pytest
import torch
from torch.nn import functional as F

from course_lib.model.masks import causal_mask
from course_lib.model.multi_head import CrossAttention, MultiheadAttention

B, H, L, S, D = 2, 3, 5, 7, 11


def make_mask(*shape):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(23)) < 0.6
    mask[..., 0] = True
    return mask


def make_self():
    torch.manual_seed(29)
    return MultiheadAttention(input_dim=13, embed_dim=H * D, num_heads=H).double()


def make_cross():
    torch.manual_seed(31)
    return CrossAttention(query_dim=13, key_dim=17, value_dim=19, embed_dim=H * D, num_heads=H).double()


def make_tokens(*widths_and_lengths):
    return [torch.randn(B, length, width, dtype=torch.float64) for length, width in widths_and_lengths]


def by_hand(q, k, v, mask=None):
    """Attention of torch on heads cut out one by one, [B, T, h·d] each."""
    heads = [
        F.scaled_dot_product_attention(*(t[..., i * D : (i + 1) * D] for t in (q, k, v)), attn_mask=mask)
        for i in range(H)
    ]
    return torch.cat(heads, dim=-1)


# ---- MultiheadAttention


@pytest.mark.parametrize("masked", [False, True])
def test_self_attention_agrees_with_heads_cut_out_by_hand(masked):
    attend = make_self()
    (x,) = make_tokens((L, 13))
    mask = make_mask(B, L, L) if masked else None
    rows = attend.qkv_proj.weight.view(H, 3, D, 13), attend.qkv_proj.bias.view(H, 3, D)
    q, k, v = (F.linear(x, rows[0][:, i].flatten(0, 1), rows[1][:, i].flatten()) for i in range(3))
    expected = attend.o_proj(by_hand(q, k, v, mask))
    torch.testing.assert_close(attend(x, mask), expected, rtol=0, atol=1e-12)


# ---- CrossAttention


@pytest.mark.parametrize("masked", [False, True])
def test_cross_attention_agrees_with_heads_cut_out_by_hand(masked):
    attend = make_cross()
    queries, keys, values = make_tokens((L, 13), (S, 17), (S, 19))
    mask = make_mask(B, L, S) if masked else None
    q, k, v = attend.q_proj(queries), attend.k_proj(keys), attend.v_proj(values)
    expected = attend.out_proj(by_hand(q, k, v, mask))
    torch.testing.assert_close(attend(queries, keys, values, mask), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("queries_len", "keys_len"), [(5, 7), (7, 5), (5, 5), (1, 3)])
def test_causal_query_number_i_sees_the_keys_up_to_i(queries_len, keys_len):
    attend = make_cross()
    queries, keys, values = make_tokens((queries_len, 13), (keys_len, 17), (keys_len, 19))
    mask = torch.tensor([[j <= i for j in range(keys_len)] for i in range(queries_len)])
    causal = attend(queries, keys, values, is_causal=True)
    torch.testing.assert_close(causal, attend(queries, keys, values, mask), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float32])
def test_causality_and_a_mask_hide_together(dtype):
    attend = make_cross()
    queries, keys, values = make_tokens((L, 13), (S, 17), (S, 19))
    mask = make_mask(B, 1, S)
    both = mask & causal_mask(S)[:L]
    got = attend(queries, keys, values, mask.to(dtype), is_causal=True)
    torch.testing.assert_close(got, attend(queries, keys, values, both), rtol=0, atol=1e-12)


# ---- both
