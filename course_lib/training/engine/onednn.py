"""Matrix products of wide layers by oneDNN, on the processors that gain by it.

On x86 torch multiplies float32 matrices with Intel's MKL, which on an AMD processor leaves the 512-bit instructions
unused. oneDNN, in the same torch, uses them: 239 against 109 billion operations a second on one core of an AMD EPYC
(Zen 5). It asks for tensors of its own kind, and to go there and back costs some 40 microseconds: more than a product
of a narrow layer takes, little beside that of a wide one. On an Intel processor it costs only, and on a Zen 4, which
executes these instructions in two halves, more than it saves.

The processor decides and no stopwatch does: the two libraries round differently, and a trial that came out now so,
now so would give one seed two sets of weights.
"""

import functools
import platform
import re
from pathlib import Path

import torch
from torch.nn import functional as F

ZEN_5 = 26  # its CPU family
WIDE = 1 << 16  # numbers in a weight: 256 × 256
CPUINFO = Path("/proc/cpuinfo")


def onednn_pays(weight: torch.Tensor) -> bool:
    """Whether `onednn_linear` suits a layer with this weight: it is wide, in float32, on a processor that gains."""
    return suits(weight) and is_zen_5_or_later()


def suits(weight: torch.Tensor) -> bool:
    """Whether a layer with this weight is wide and in float32, and oneDNN is there."""
    is_plain = weight.device.type == "cpu" and weight.dtype == torch.float32
    return is_plain and weight.numel() >= WIDE and torch.backends.mkldnn.is_available()


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
    """What `F.linear` computes: x [..., in], weight [out, in], bias [out]. Returns [..., out].

    Source: PyTorch documentation, `torch.Tensor.to_mkldnn` (oneDNN under its former name).
    """
    return F.linear(x.to_mkldnn(), weight, bias).to_dense()
