"""Wide linear layers in bfloat16, on the processors that multiply it in hardware.

A product whose two factors are rounded to bfloat16 (8 bits of fraction in place of 24) and added up in float32 takes a
third of the time of one in float32 on Intel's Xeons since 2023, whose AMX multiplies tiles of them, and half of it with
AVX-512's instruction for pairs, on AMD's processors since Zen 4. Weights, activations, gradients and Adam's averages
stay in float32. GPUs round alike: to 11 bits, under the name of TF32.

With AMX a sum is kept in float32; torch offers this as a setting of oneDNN for the whole process, in which its fused
attention then takes twenty times as long, so it is set for each product of a wide layer alone. Without AMX the setting
does nothing. There the factors are converted, and torch rounds each sum to bfloat16, as its autocast does.

Source: Micikevicius et al. 2018, "Mixed Precision Training", section 3; Kalamkar et al. 2019, "A Study of BFLOAT16 for
Deep Learning Training"; PyTorch documentation, "torch.backends.mkldnn".
"""

import contextlib
import functools
from collections.abc import Iterator

import torch
from torch.nn import functional as F

WIDE = 1 << 16  # numbers in a weight: 256 × 256


def bf16_pays(weight: torch.Tensor) -> bool:
    """Whether `bf16_linear` suits a layer with this weight: it is wide, in float32, on a processor that gains."""
    is_plain = weight.device.type == "cpu" and weight.dtype == torch.float32
    return is_plain and weight.numel() >= WIDE and multiplies_bfloat16()


def multiplies_bfloat16() -> bool:
    """Whether the processor does, in one way or the other."""
    return multiplies_tiles() or multiplies_pairs()


@functools.cache
def multiplies_tiles() -> bool:
    """Whether the processor has AMX, and this torch (2.9 or later) can ask oneDNN for it."""
    can_ask = hasattr(torch.backends.mkldnn, "matmul") and torch.backends.mkldnn.is_available()
    return can_ask and torch.cpu._is_amx_tile_supported()


@functools.cache
def multiplies_pairs() -> bool:
    """Whether the processor has AVX-512's products of bfloat16, and this torch knows how to tell."""
    can_tell = hasattr(torch.cpu, "_is_avx512_bf16_supported") and torch.backends.mkldnn.is_available()
    return can_tell and torch.cpu._is_avx512_bf16_supported()


def bf16_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """What `F.linear` computes, with factors in bfloat16: x [..., in], weight [out, in], bias [out] → [..., out].

    Both products of the backward pass have factors in bfloat16, too.
    """
    if x.dtype == weight.dtype and not torch.is_autocast_enabled("cpu"):
        return _Bfloat16Linear.apply(x, weight, bias)
    return F.linear(x, weight, bias)  # in autocast's dtype; or torch says what is wrong


class _Bfloat16Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        rows, of_layer = _factor(_rows(x)), _factor(weight)
        ctx.save_for_backward(x, weight, rows, of_layer)
        return _product(rows, of_layer.T, bias).view(*x.shape[:-1], -1)

    @staticmethod
    def backward(ctx, gradient: torch.Tensor):
        x, weight, rows, of_layer = ctx.saved_tensors
        needs_x, needs_weight, needs_bias = ctx.needs_input_grad
        of_rows = _rows(gradient)
        product, upstream = _product, _factor(of_rows)
        if torch.is_grad_enabled():  # with create_graph=True the gradient has a gradient of its own
            product, upstream, rows, of_layer = torch.mm, of_rows, _rows(x), weight
        of_x = product(upstream, of_layer).view(x.shape) if needs_x else None
        of_weight = product(upstream.T, rows) if needs_weight else None
        return of_x, of_weight, of_rows.sum(0) if needs_bias else None


def _rows(x: torch.Tensor) -> torch.Tensor:
    return x.reshape(-1, x.shape[-1])


def _factor(x: torch.Tensor) -> torch.Tensor:
    """x as `_product` takes it: with AMX oneDNN rounds it itself."""
    return x if multiplies_tiles() else x.bfloat16()


def _product(rows: torch.Tensor, columns: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """rows [N, K], columns [K, M] and bias [M] → [N, M] in float32."""
    if multiplies_tiles():
        with _in_bfloat16():
            product = rows @ columns
    else:
        product = (rows @ columns).float()
    return product if bias is None else product.add_(bias)


@contextlib.contextmanager
def _in_bfloat16() -> Iterator[None]:
    products = torch.backends.mkldnn.matmul
    before = products.fp32_precision
    products.fp32_precision = "bf16"
    try:
        yield
    finally:
        products.fp32_precision = before
