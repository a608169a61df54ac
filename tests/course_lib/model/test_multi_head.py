"""What torch's attention does not have; for the rest, `tests/course_lib/test_interop.py` holds ours against it."""

import pytest
import torch

from course_lib.model.masks import causal_mask
from course_lib.model.multi_head import CrossAttention

B, L, S = 2, 5, 7


@pytest.fixture
def attend():
    torch.manual_seed(31)
    return CrossAttention(query_dim=13, key_dim=17, value_dim=19, embed_dim=33, num_heads=3).double()


def make_tokens(*widths_and_lengths):
    return [torch.randn(B, length, width, dtype=torch.float64) for length, width in widths_and_lengths]


@pytest.mark.parametrize(("queries_len", "keys_len"), [(5, 7), (7, 5), (5, 5), (1, 3)])
def test_causal_query_number_i_sees_the_keys_up_to_i(attend, queries_len, keys_len):
    queries, keys, values = make_tokens((queries_len, 13), (keys_len, 17), (keys_len, 19))
    mask = torch.tensor([[j <= i for j in range(keys_len)] for i in range(queries_len)])
    causal = attend(queries, keys, values, is_causal=True)
    torch.testing.assert_close(causal, attend(queries, keys, values, mask), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float32])
def test_causality_and_a_mask_hide_together(attend, dtype):
    queries, keys, values = make_tokens((L, 13), (S, 17), (S, 19))
    mask = torch.rand(B, 1, S, generator=torch.Generator().manual_seed(23)) < 0.6
    mask[..., 0] = True
    got = attend(queries, keys, values, mask.to(dtype), is_causal=True)
    both = attend(queries, keys, values, mask & causal_mask(S)[:L])
    torch.testing.assert_close(got, both, rtol=0, atol=1e-12)
