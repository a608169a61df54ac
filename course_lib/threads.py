"""How many threads a step of training deserves.

Measured on a 2-core machine, milliseconds a step with one and with two threads, the machine idle and then with
one other busy process:

| model | parameters | idle: 1 | idle: 2 | busy: 1 | busy: 2 |
|---|---|---|---|---|---|
| reverse, width 32, batch 128 | 10 thousand | 3.7 | 2.6 | 4.2 | 14.6 |
| digits, 2 layers of width 64, batch 64 | 76 thousand | 9.7 | 7.5 | 10.3 | 24.5 |
| anomaly, 4 layers of width 256, batch 64 | 2.3 million | 122 | 76 | 123 | 218 |

An operation of a small model takes some ten microseconds, and the threads must meet after each: what a second
one gains is little, and when its core is taken (by a browser, or by the notebook next door) all wait for it.
"""

import contextlib
from collections.abc import Iterator

import torch
from torch import nn

SMALL = 1_000_000  # parameters


@contextlib.contextmanager
def suitable_threads(model: nn.Module) -> Iterator[int]:
    """One thread inside, for a model of fewer than a million parameters on the cpu; restored afterwards.

    A fixed rule and not a measurement at the start: a sum made by two threads is rounded in another order, so
    that the same seed would give other weights whenever the measurement came out differently.
    """
    before = torch.get_num_threads()
    on_cpu = all(parameter.device.type == "cpu" for parameter in model.parameters())
    is_small = sum(parameter.numel() for parameter in model.parameters()) < SMALL
    torch.set_num_threads(1 if on_cpu and is_small else before)
    try:
        yield torch.get_num_threads()
    finally:
        torch.set_num_threads(before)
