"""Batches by index tensors: the data stay on the device, and a batch is one indexing operation.

A `Dataset` and a `DataLoader` ask for one sample at a time and stack the answers: about 128 python calls and
128 small tensors a step, most of the time of a step at the size of this course. Here an epoch is a random
permutation, cut in pieces.
"""

from collections.abc import Iterator

import torch

Batch = tuple[torch.Tensor, ...]


class Batches:
    """Shuffled batches of tensors that belong together.

    Args:
        tensors: each [N, ...], the same N.
        batch_size: rows in a batch; a last batch that would be smaller is left out.

    Raises:
        ValueError: when the tensors differ in N, or there are fewer rows than batch_size.
    """

    def __init__(self, *tensors: torch.Tensor, batch_size: int):
        sizes = [len(tensor) for tensor in tensors]
        if len(set(sizes)) != 1:
            raise ValueError(f"tensors of one dataset must have the same number of rows, not {sizes}")
        if not 1 <= batch_size <= sizes[0]:
            raise ValueError(f"batch_size ({batch_size}) must lie between 1 and the number of rows ({sizes[0]})")
        self.tensors = tensors
        self.batch_size = batch_size

    def to(self, where: torch.device) -> "Batches":
        """The same batches, on another device."""
        return type(self)(*(tensor.to(where) for tensor in self.tensors), batch_size=self.batch_size)

    def epoch(self, generator: torch.Generator) -> Iterator[Batch]:
        """Each row once, in an order drawn from generator (a cpu generator: the same order on every device)."""
        order = torch.randperm(len(self.tensors[0]), generator=generator).to(self.tensors[0].device)
        for index in full_pieces(order, self.batch_size):
            yield tuple(tensor.index_select(0, index) for tensor in self.tensors)


def full_pieces(rows: torch.Tensor, size: int) -> Iterator[torch.Tensor]:
    """rows, cut into pieces of exactly size rows, one at a time; what remains is left out."""
    for first in range(0, len(rows) - size + 1, size):
        yield rows[first : first + size]


def in_order(*tensors: torch.Tensor, batch_size: int = 500) -> list[Batch]:
    """All rows of the tensors, batch after batch, the last one possibly smaller: for validation and tests.

    >>> [len(rows) for rows, in in_order(torch.zeros(7, 2), batch_size=3)]
    [3, 3, 1]
    """
    return list(zip(*(tensor.split(batch_size) for tensor in tensors), strict=True))
