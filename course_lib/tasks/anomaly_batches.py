"""Sets with an odd one, epoch after epoch, from features that lie on the device."""

from collections.abc import Iterator
from itertools import islice

import torch

from course_lib.tasks.anomaly import sample_anomaly_sets
from course_lib.training.batches import Batch, full_pieces, in_order

SETS_AT_ONCE = 1024  # one draw costs as much in python for one set as for a thousand


class AnomalyBatches:
    """Training batches `(sets [B, S, D], target [B])`; in an epoch each image is the odd one of one set.

    The sets are drawn a thousand at a time as indices, on the cpu, and a batch looks its features up. So the
    same generator gives the same sets on every device, and sampling is a small share of a step.

    Args:
        features: float [N, D], on any device.
        labels: int64 [N].
        set_size: S. batch_size: B; a last batch that would be smaller is left out.

    Raises:
        ValueError: when there are fewer images than batch_size.
    """

    def __init__(self, features: torch.Tensor, labels: torch.Tensor, set_size: int, batch_size: int):
        if not 1 <= batch_size <= len(labels):
            raise ValueError(f"batch_size ({batch_size}) must lie between 1 and the number of images ({len(labels)})")
        self.features, self.labels = features, labels.cpu()
        self.set_size, self.batch_size = set_size, batch_size

    def to(self, where: torch.device) -> "AnomalyBatches":
        """The same batches, on another device."""
        return AnomalyBatches(self.features.to(where), self.labels, self.set_size, self.batch_size)

    def epoch(self, generator: torch.Generator) -> Iterator[Batch]:
        """As many sets as there are images, in an order drawn from generator, a cpu generator."""
        where = self.features.device
        order = torch.randperm(len(self.labels), generator=generator)
        pieces = full_pieces(order, self.batch_size)
        while some := list(islice(pieces, max(1, SETS_AT_ONCE // self.batch_size))):
            anomaly_index = torch.cat(some)
            indices, target = draw_indices(self.labels, anomaly_index, self.set_size, generator)
            indices, target = indices.to(where), target.to(where)
            for index, place in zip(indices.split(self.batch_size), target.split(self.batch_size), strict=True):
                yield self.features[index], place


def draw_indices(
    labels: torch.Tensor, anomaly_index: torch.Tensor, set_size: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """`(indices [B, S], target [B])` of random sets, without their features."""
    nothing = torch.empty(len(labels), 0)
    _, target, indices = sample_anomaly_sets(nothing, labels, anomaly_index, set_size, generator)
    return indices, target


def fixed_sets(
    features: torch.Tensor, labels: torch.Tensor, set_size: int, sets_per_image: int, seed: int
) -> list[Batch]:
    """The same sets on every call, each image being the odd one of sets_per_image: to validate and to test on."""
    anomaly_index = torch.arange(len(labels)).repeat(sets_per_image)
    generator = torch.Generator().manual_seed(seed)
    sets, target, _ = sample_anomaly_sets(features, labels, anomaly_index, set_size, generator)
    return in_order(sets, target)
