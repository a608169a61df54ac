"""Wide linear layers in bfloat16, on the processors that multiply it in hardware.

AMX, on Intel's Xeons since 2023, multiplies tiles of bfloat16 and adds them up in float32. A product whose two factors
are rounded to bfloat16 (8 bits of fraction in place of 24) takes a third of the time of one in float32; weights,
activations, gradients and Adam's averages stay in float32. GPUs round alike: to 11 bits, under the name of TF32.

torch offers this as a setting of oneDNN for the whole process, in which its fused attention then takes twenty times as
long. So it is set for each product of a wide layer alone.

Source: Micikevicius et al. 2018, "Mixed Precision Training", section 3; Kalamkar et al. 2019, "A Study of BFLOAT16 for
Deep Learning Training"; PyTorch documentation, "torch.backends.mkldnn".
"""

import contextlib
import functools
from collections.abc import Iterator

import torch

WIDE = 1 << 16  # numbers in a weight: 256 × 256


def bf16_pays(weight: torch.Tensor) -> bool:
    """Whether `bf16_linear` suits a layer with this weight: it is wide, in float32, on a processor that gains."""
    is_plain = weight.device.type == "cpu" and weight.dtype == torch.float32
    return is_plain and weight.numel() >= WIDE and multiplies_bfloat16()


@functools.cache
def multiplies_bfloat16() -> bool:
    """Whether the processor has AMX, and this torch (2.9 or later) can ask oneDNN for it."""
    can_ask = hasattr(torch.backends.mkldnn, "matmul") and torch.backends.mkldnn.is_available()
    return can_ask and torch.cpu._is_amx_tile_supported()


def bf16_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """What `F.linear` computes, with factors in bfloat16: x [..., in], weight [out, in], bias [out] → [..., out].

    Both products of the backward pass have factors in bfloat16, too.
    """
    return _Bfloat16Linear.apply(x, weight, bias)


class _Bfloat16Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        rows = x.reshape(-1, x.shape[-1])  # [N, in]
        ctx.save_for_backward(rows, weight)
        with _in_bfloat16():
            output = rows @ weight.T if bias is None else torch.addmm(bias, rows, weight.T)
        return output.view(*x.shape[:-1], -1)

    @staticmethod
    def backward(ctx, gradient: torch.Tensor):
        rows, weight = ctx.saved_tensors
        needs_x, needs_weight, needs_bias = ctx.needs_input_grad
        of_rows = gradient.reshape(-1, gradient.shape[-1])  # [N, out]
        of_x = of_weight = None
        with _in_bfloat16():
            if needs_x:
                of_x = (of_rows @ weight).view(*gradient.shape[:-1], -1)
            if needs_weight:
                of_weight = of_rows.T @ rows
        return of_x, of_weight, of_rows.sum(0) if needs_bias else None


@contextlib.contextmanager
def _in_bfloat16() -> Iterator[None]:
    products = torch.backends.mkldnn.matmul
    before = products.fp32_precision
    products.fp32_precision = "bf16"
    try:
        yield
    finally:
        products.fp32_precision = before
