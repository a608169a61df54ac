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


def test_the_parameters_have_the_names_and_shapes_of_the_contract():
    shapes = {name: tuple(p.shape) for name, p in make_self().state_dict().items()}
    assert shapes == {
        "qkv_proj.weight": (99, 13),
        "qkv_proj.bias": (99,),
        "o_proj.weight": (33, 33),
        "o_proj.bias": (33,),
    }


def test_attention_comes_when_it_is_asked_for_and_its_rows_sum_to_one():
    attend = make_self()
    (x,) = make_tokens((L, 13))
    output, attention = attend(x, return_attention=True)
    assert torch.equal(output, attend(x))
    torch.testing.assert_close(attention.sum(dim=-1), torch.ones(B, H, L, dtype=torch.float64))


@pytest.mark.parametrize("shape", [(L, L), (B, L, L), (B, 1, L), (B, 1, L, L), (B, H, L, L), (1, H, 1, L)])
def test_self_attention_takes_every_mask_that_expand_mask_takes(shape):
    attend = make_self()
    (x,) = make_tokens((L, 13))
    mask = make_mask(*shape)
    _, attention = attend(x, mask, return_attention=True)
    full = mask if mask.dim() == 4 else mask.unsqueeze(-3)  # [.., 1, L, L]
    assert (attention == 0).equal(~full.expand(B, H, L, L))


def test_permuted_tokens_give_permuted_outputs():
    attend = make_self()
    (x,) = make_tokens((L, 13))
    permutation = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(attend(x[:, permutation]), attend(x)[:, permutation], rtol=0, atol=1e-12)


def test_a_row_of_the_batch_does_not_feel_the_others():
    attend = make_self()
    (x,) = make_tokens((L, 13))
    torch.testing.assert_close(attend(x[:1]), attend(x)[:1], rtol=0, atol=1e-12)


# ---- CrossAttention


@pytest.mark.parametrize("masked", [False, True])
def test_cross_attention_agrees_with_heads_cut_out_by_hand(masked):
    attend = make_cross()
    queries, keys, values = make_tokens((L, 13), (S, 17), (S, 19))
    mask = make_mask(B, L, S) if masked else None
    q, k, v = attend.q_proj(queries), attend.k_proj(keys), attend.v_proj(values)
    expected = attend.out_proj(by_hand(q, k, v, mask))
    torch.testing.assert_close(attend(queries, keys, values, mask), expected, rtol=0, atol=1e-12)


def test_cross_attention_goes_back_to_the_width_of_the_queries():
    shapes = {name: tuple(p.shape) for name, p in make_cross().state_dict().items() if "weight" in name}
    assert shapes == {
        "q_proj.weight": (33, 13),
        "k_proj.weight": (33, 17),
        "v_proj.weight": (33, 19),
        "out_proj.weight": (13, 33),
    }


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


@pytest.mark.parametrize(
    "make",
    [lambda: MultiheadAttention(7, 30, 4), lambda: CrossAttention(7, 11, 13, embed_dim=30, num_heads=4)],
)
def test_a_width_that_the_heads_do_not_divide_is_refused_with_both_numbers(make):
    with pytest.raises(ValueError, match=r"embed_dim \(30\) must be divisible by num_heads \(4\)"):
        make()


def test_gradients_reach_every_parameter():
    queries, keys, values = make_tokens((L, 13), (S, 17), (S, 19))
    attend, cross = make_self(), make_cross()
    (attend(queries).square().sum() + cross(queries, keys, values, is_causal=True).square().sum()).backward()
    assert all(p.grad.abs().max() > 1e-9 for m in (attend, cross) for p in m.parameters() if p.dim() > 1)
    assert all(p.grad is not None for m in (attend, cross) for p in m.parameters())
