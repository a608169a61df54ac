"""Matrix products of linear layers by oneDNN, on the processors that gain by it.

On x86 torch multiplies float32 matrices with Intel's MKL, which on an AMD processor leaves the 512-bit instructions
unused. oneDNN, in the same torch, uses them: 239 against 109 billion operations a second on one core of an AMD EPYC
(Zen 5). `torch.compile` has an operation for it, which takes ordinary tensors; to call it takes some ten microseconds
more than torch's own product, so small products stay with torch. Zen 4, which executes these instructions in two
halves, gains nothing by it. Intel processors lost time with oneDNN's own kind of tensors; this operation has not been
tried there.

The processor and the size decide and no stopwatch does: the two libraries round differently, and a trial that came out
now so, now so would give one seed two sets of weights.
"""

import functools
import platform
import re
from pathlib import Path

import torch
from torch.nn import functional as F

ZEN_5 = 26  # its CPU family
LARGE = 1 << 21  # multiplications of a product: 2,048 rows by a weight of 32 × 32
WIDE = 1 << 11  # numbers in a weight whose gradient oneDNN computes, too: 32 × 64
WIDE_FOR_MORE_THREADS = 1 << 16  # numbers in a weight, 256 × 256, from which several threads gain
CPUINFO = Path("/proc/cpuinfo")


def onednn_pays(weight: torch.Tensor) -> bool:
    """Whether `onednn_linear` suits a layer with this weight: it is in float32, on a processor that gains."""
    return suits(weight) and is_zen_5_or_later()


def suits(weight: torch.Tensor) -> bool:
    """Whether a layer with this weight is in float32 on a cpu, and this torch has the operation."""
    is_plain = weight.device.type == "cpu" and weight.dtype == torch.float32
    return is_plain and torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")


@functools.cache
def is_zen_5_or_later() -> bool:
    """Whether this machine's processor gains."""
    processor = CPUINFO.read_text() if CPUINFO.exists() else platform.processor()
    return gains(processor, torch.backends.cpu.get_cpu_capability())


def gains(processor: str, capability: str) -> bool:
    """Whether a processor is AMD's (its CPUID vendor is `AuthenticAMD`), of family 26 (Zen 5) or a later one, and torch
    uses its 512-bit instructions.

    Args:
        processor: what the system says about it.
        capability: what torch says about its instructions.
    """
    family = re.search(r"family\s*:?\s*(\d+)", processor, re.IGNORECASE)
    is_recent = family is not None and int(family[1]) >= ZEN_5
    return "AuthenticAMD" in processor and is_recent and capability == "AVX512"


def onednn_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """What `F.linear` computes, by oneDNN if it is a large product: x [..., in], weight [out, in], bias [out].

    Returns:
        [..., out].
    """
    is_large = x.numel() * weight.shape[0] >= LARGE
    fits = x.dtype == weight.dtype and x.shape[-1:] == weight.shape[1:]  # else torch says what is wrong
    is_wide = weight.numel() >= WIDE_FOR_MORE_THREADS or torch.get_num_threads() == 1
    if is_large and is_wide and fits and not torch.is_autocast_enabled("cpu"):
        return _OneDnnLinear.apply(x, weight, bias)
    return F.linear(x, weight, bias)


class _OneDnnLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        return _product(x, weight, bias)

    @staticmethod
    def backward(ctx, gradient: torch.Tensor):
        x, weight = ctx.saved_tensors
        needs_x, needs_weight, needs_bias = ctx.needs_input_grad
        of_rows = gradient.reshape(-1, gradient.shape[-1])  # [N, out]
        of_x = _product(gradient, weight.T) if needs_x else None
        of_weight = _of_weight(of_rows, x.reshape(-1, x.shape[-1])) if needs_weight else None
        return of_x, of_weight, of_rows.sum(0) if needs_bias else None


def _of_weight(of_rows: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """The gradient of a weight, [out, in], from that of the output, [N, out], and the input, [N, in].

    oneDNN first copies the transposed factor, so that is the narrower of the two.
    """
    out_features, in_features = of_rows.shape[1], rows.shape[1]
    if out_features * in_features < WIDE:
        return of_rows.T @ rows
    if out_features <= in_features:
        return _product(of_rows.T, rows.T)
    return _product(rows.T, of_rows.T).T


def _product(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """x [..., in] and weight [out, in], of any strides, and bias [out] → [..., out]."""
    if torch.is_grad_enabled():  # in a backward pass with create_graph=True: the operation itself has no gradient
        return F.linear(x, weight, bias)
    return torch.ops.mkldnn._linear_pointwise.default(x, weight, bias, "none", [], "")
