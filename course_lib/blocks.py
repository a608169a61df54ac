"""All parameters of a model in one block of memory, all gradients in another.

A small Transformer has some twenty parameters, and whoever empties, clips or applies gradients visits each of them:
a microsecond or two for each, and for each of the things that are done. In one block they are a single operation.
"""

import contextlib
from collections.abc import Iterable, Iterator

import torch
from torch import nn


@contextlib.contextmanager
def in_blocks(parameters: Iterable[nn.Parameter]) -> Iterator[list[nn.Parameter]]:
    """Inside, the parameters that are trained, and their gradients, are pieces of a few long vectors, which it gives.

    One vector for each dtype and device. The parameters stay the same objects, with the same values, before, inside
    and after; their gradients are zero inside and gone afterwards. Empty the gradients in place: with `.grad = None`
    the pieces would fall apart.
    """
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    kinds: dict[tuple, list[nn.Parameter]] = {}
    for parameter in trained:
        kinds.setdefault((parameter.dtype, parameter.device), []).append(parameter)
    try:
        yield [_join(same) for same in kinds.values()]
    finally:
        for parameter in trained:
            parameter.data, parameter.grad = parameter.data.clone(), None


def _join(parameters: list[nn.Parameter]) -> nn.Parameter:
    block = nn.Parameter(torch.cat([parameter.detach().flatten() for parameter in parameters]))
    block.grad = torch.zeros_like(block)
    sizes = [parameter.numel() for parameter in parameters]
    pieces = zip(parameters, block.detach().split(sizes), block.grad.split(sizes), strict=True)
    for parameter, weight, gradient in pieces:
        parameter.data, parameter.grad = weight.view_as(parameter), gradient.view_as(parameter)
    return block
