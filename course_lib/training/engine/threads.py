"""How many threads a training step should use.

Measured on two cores of an AMD EPYC (Zen 5), milliseconds a step with one and with two threads, the machine idle
and then with one other busy process:

| model | parameters | idle: 1 | idle: 2 | busy: 1 | busy: 2 |
|---|---|---|---|---|---|
| reverse, width 32, batch 32 | 10 thousand | 1.1 | 0.9 | 1.2 | 2.1 |
| reverse, width 32, batch 128 | 10 thousand | 2.7 | 1.8 | 2.9 | 4.2 |
| digits, 2 layers of width 64, batch 64 | 76 thousand | 6.7 | 4.4 | 7.0 | 9.2 |
| anomaly, 4 layers of width 256, batch 64 | 2.3 million | 65 | 38 | 67 | 110 |

An operation of a small model takes some ten microseconds, and the threads must meet after each: what a second
one gains is little, and when its core is taken (by a browser, or by the notebook next door) all wait for it.
With half a dozen busy neighbours a step of the reverse model took 15 ms on one thread, and 2 s on two.
"""

import contextlib
from collections.abc import Iterator

import torch
from torch import nn

SMALL = 1_000_000  # parameters


@contextlib.contextmanager
def suitable_threads(model: nn.Module, threads: int | None = None) -> Iterator[int]:
    """That many threads inside, restored afterwards; None: one, for a model of under a million parameters on a cpu.

    A fixed rule and not a measurement at the start: a sum made by two threads is rounded in another order, so
    that the same seed would give other weights whenever the measurement came out differently.
    """
    before = torch.get_num_threads()
    if threads is None:
        on_cpu = all(parameter.device.type == "cpu" for parameter in model.parameters())
        is_small = sum(parameter.numel() for parameter in model.parameters()) < SMALL
        threads = 1 if on_cpu and is_small else before
    torch.set_num_threads(threads)
    try:
        yield threads
    finally:
        torch.set_num_threads(before)
