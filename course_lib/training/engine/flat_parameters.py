"""Flat parameters: all parameters of a model in one long vector, all gradients in another.

A small Transformer has about twenty parameters, and emptying, clipping or applying gradients visits each of them: one
or two microseconds per parameter and operation. With one vector each is a single operation.

Source: the `FlatParameter` of PyTorch's FullyShardedDataParallel, which does the same to send them in one piece.
"""

import contextlib
from collections.abc import Iterable, Iterator

import torch
from torch import nn


class FlatParameter:
    """Parameters of one dtype on one device, whose values and gradients are views of two long vectors.

    Attributes:
        vector: a Parameter, all values one after the other; its `.grad` holds all gradients, zero at first.
    """

    def __init__(self, parameters: list[nn.Parameter]):
        self.vector = nn.Parameter(torch.cat([parameter.detach().flatten() for parameter in parameters]))
        self.vector.grad = torch.zeros_like(self.vector)
        sizes = [parameter.numel() for parameter in parameters]
        values, gradients = self.vector.detach().split(sizes), self.vector.grad.split(sizes)
        for parameter, value in zip(parameters, values, strict=True):
            parameter.data = value.view_as(parameter)
        self._gradients = [(p, piece.view_as(p)) for p, piece in zip(parameters, gradients, strict=True)]
        self.zero_grad()

    def zero_grad(self) -> None:
        """Set all gradients to zero, and restore those that were set to None in the meantime as views of the vector."""
        self.vector.grad.zero_()
        for parameter, gradient in self._gradients:
            if parameter.grad is not gradient:
                parameter.grad = gradient


@contextlib.contextmanager
def flat_parameters(parameters: Iterable[nn.Parameter]) -> Iterator[list[FlatParameter]]:
    """Inside, the parameters that are trained are flat: one vector for each dtype and device.

    They are the same objects, with the same values, before, inside and after; afterwards each has memory of its own
    again, and no gradient.
    """
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    kinds: dict[tuple, list[nn.Parameter]] = {}
    for parameter in trained:
        kinds.setdefault((parameter.dtype, parameter.device), []).append(parameter)
    try:
        yield [FlatParameter(same) for same in kinds.values()]
    finally:
        for parameter in trained:
            parameter.data, parameter.grad = parameter.data.clone(), None
