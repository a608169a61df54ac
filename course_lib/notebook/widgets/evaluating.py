"""Run a model without changing it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(model) -> Iterator[None]:
    """No gradients and no dropout inside; afterwards every submodule gets its mode back."""
    modes = {part: part.training for part in model.modules()} if isinstance(model, nn.Module) else {}
    for part in modes:
        part.training = False
    try:
        with torch.no_grad():
            yield
    finally:
        for part, training in modes.items():
            part.training = training


def beside(model, tensor: torch.Tensor) -> torch.Tensor:
    """A tensor on the device of a model's parameters."""
    first = next(model.parameters(), None) if isinstance(model, nn.Module) else None
    return tensor if first is None else tensor.to(first.device)
