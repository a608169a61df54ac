"""Matrix products of wide layers by oneDNN, where that is the quicker of torch's two libraries.

On x86 torch multiplies float32 matrices with Intel's MKL, which on an AMD processor leaves the 512-bit instructions
unused. oneDNN, in the same torch, uses them: 239 against 109 billion operations a second on one core of an AMD EPYC
(Zen 5). It asks for tensors of its own kind, and to go there and back costs some 40 microseconds: more than a product
of a narrow layer takes, little beside that of a wide one.
"""

import functools
import time

import torch
from torch.nn import functional as F

from course_lib.training.engine.memory import keep_freed_memory

WIDE = 1 << 16  # numbers in a weight: 256 × 256
SIZE, ROUNDS = 512, 5  # of the trial
MINIMUM_SPEED_UP = 1.3  # times quicker; where it pays, 2.2 were seen, and noise alone makes less than this


def onednn_pays(weight: torch.Tensor) -> bool:
    """Whether `onednn_linear` suits a layer with this weight: it is wide, in float32, on a processor that gains."""
    is_plain = weight.device.type == "cpu" and weight.dtype == torch.float32
    return is_plain and weight.numel() >= WIDE and torch.backends.mkldnn.is_available() and is_quicker_here()


@functools.cache
def is_quicker_here() -> bool:
    """Whether oneDNN clearly outruns torch's default on this processor: the best of a few trials, once a process."""
    keep_freed_memory()  # as in training: otherwise the kernel's fresh pages cost as much as the product
    x, weight = torch.ones(SIZE, SIZE), torch.ones(SIZE, SIZE)
    seconds: dict[object, list[float]] = {F.linear: [], onednn_linear: []}
    with torch.no_grad():
        for _ in range(ROUNDS):
            for multiply, measured in seconds.items():
                began = time.perf_counter()
                multiply(x, weight, None)
                measured.append(time.perf_counter() - began)
    return min(seconds[F.linear]) > MINIMUM_SPEED_UP * min(seconds[onednn_linear])


def onednn_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """What `F.linear` computes: x [..., in], weight [out, in], bias [out]. Returns [..., out].

    Source: PyTorch documentation, `torch.Tensor.to_mkldnn` (oneDNN under its former name).
    """
    return F.linear(x.to_mkldnn(), weight, bias).to_dense()
