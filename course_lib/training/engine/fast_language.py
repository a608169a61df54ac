"""The layers of stage 13 on fused kernels, for `fast_path`: the same parameters, the same numbers up to rounding."""

from collections.abc import Callable

import torch
from torch.nn import functional as F

from course_lib.model.grouped_query import Cache, GroupedQueryAttention
from course_lib.model.rms_norm import RMSNorm
from course_lib.model.swiglu import SwiGLU

Forward = Callable[..., object]
WIDE = (torch.float32, torch.float64)


def fast_rms_norm(layer: RMSNorm) -> Forward:
    """torch's own; in half precision, where the course's computes wider, as written."""
    written = layer.forward

    def forward(x: torch.Tensor) -> torch.Tensor:
        if x.dtype not in WIDE:
            return written(x)
        # BEGIN SOLUTION of RMSNorm
        return F.rms_norm(x, layer.weight.shape, layer.weight, layer.eps)
        # END SOLUTION

    return forward


def fast_swiglu(layer: SwiGLU) -> Forward:
    """torch's silu is one operation."""
    # BEGIN SOLUTION of SwiGLU
    return lambda x: layer.down_proj(F.silu(layer.gate_proj(x)) * layer.up_proj(x))
    # END SOLUTION


def fast_grouped_query(layer: GroupedQueryAttention) -> Forward:
    """A rotation is one complex product with a table that is made once; attention is torch's kernel.

    With a cache, in half precision, or where `base` is a tensor, as written. Where products alone are in half precision
    (autocast on a GPU), the rotation is computed in x's own dtype.
    """
    written, turns = layer.forward, {}

    def forward(x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        if cache is not None or x.dtype not in WIDE or torch.is_tensor(layer.base):
            return written(x, cache)
        # BEGIN SOLUTION of GroupedQueryAttention
        d, group = x.shape[-1] // layer.num_heads, layer.num_heads // layer.num_kv_heads
        kind = (x.shape[1], x.device, x.dtype)
        if kind not in turns:
            frequencies = layer.base ** (-torch.arange(0, d, 2).to(x) / d)  # [d/2]
            angles = torch.arange(x.shape[1]).to(x).unsqueeze(-1) * frequencies  # [T, d/2]
            turns[kind] = torch.polar(torch.ones_like(angles), angles).unsqueeze(1)  # [T, 1, d/2]
        turn = turns[kind]

        def turned(projected: torch.Tensor) -> torch.Tensor:
            pairs = torch.view_as_complex(projected.to(x.dtype).unflatten(-1, (-1, d // 2, 2)))  # [B, T, heads, d/2]
            return torch.view_as_real(pairs * turn).to(projected.dtype).flatten(-2).transpose(1, 2)  # [B, heads, T, d]

        q, keys = turned(layer.q_proj(x)), turned(layer.k_proj(x))
        values = layer.v_proj(x).unflatten(-1, (-1, d)).transpose(1, 2)  # [B, g, T, d]
        k, v = (part.repeat_interleave(group, dim=1) if group > 1 else part for part in (keys, values))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # [B, h, T, d]
        return layer.o_proj(mixed.transpose(1, 2).flatten(2)), (keys, values)
        # END SOLUTION

    return forward
