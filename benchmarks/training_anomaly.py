"""The set-anomaly task in the shape of its full version, on generated features.

A hundred steps with their sampling, ours and the per-sample recipe taking turns, and the share of our time that
goes into sampling. The real features would take as long: time does not depend on their values.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import torch

from benchmarks.baselines.per_sample_anomaly import Run
from benchmarks.measure import entry
from course_lib.model.predictor import TransformerPredictor
from course_lib.tasks.anomaly import anomaly_loss
from course_lib.tasks.anomaly_batches import AnomalyBatches, fixed_sets
from course_lib.tasks.cifar import CIFAR
from course_lib.tasks.task import SET_SIZE
from course_lib.training.batches import Batch
from course_lib.training.loop import fit

WIDTH, CLASSES = 512, 100
MODEL = dict(input_dim=WIDTH, model_dim=256, num_classes=1, num_heads=4, num_layers=4, dropout=0.1, input_dropout=0.1)
ALLOWED_SHARE = 3.0  # % of a step for sampling


class Size(NamedTuple):
    """How many images, rounds, and steps in each of them."""

    images: int
    rounds: int
    steps: int


FULL, TINY = Size(50_000, 4, 25), Size(2_000, 1, 1)


class Timed:
    """Training data that measures how long its batches take."""

    def __init__(self, batches: AnomalyBatches):
        self.batches, self.seconds = batches, 0.0

    def to(self, where: torch.device) -> "Timed":
        self.batches = self.batches.to(where)
        return self

    def epoch(self, generator: torch.Generator) -> Iterator[Batch]:
        batches = self.batches.epoch(generator)
        while True:
            began = time.perf_counter()
            batch = next(batches, None)
            self.seconds += time.perf_counter() - began
            if batch is None:
                return
            yield batch


def run(size: Size = FULL) -> list[dict]:
    """Seconds for a hundred steps, and the share of sampling."""
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(size.images, WIDTH, generator=generator)
    labels = torch.randint(CLASSES, (size.images,), generator=generator)
    model = TransformerPredictor(**MODEL)
    data = Timed(AnomalyBatches(features, labels, SET_SIZE, CIFAR.batch_size))
    validation = fixed_sets(features[:2000], labels[:2000] % 10, SET_SIZE, 1, seed=1)[0]
    published = Run(features, labels, SET_SIZE, MODEL)

    def our_steps(count: int) -> float:
        recipe = replace(CIFAR, max_steps=count)
        return fit(model, anomaly_loss, data, [tuple(t[:64] for t in validation)], recipe, progress=False).seconds

    our_steps(min(3, size.steps)), published.steps(min(3, size.steps))
    data.seconds = 0.0
    rounds = [(our_steps(size.steps), *published.steps(size.steps)) for _ in range(size.rounds)]
    ours, theirs, their_sampling = map(sum, zip(*rounds, strict=True))
    print(f"sampling under the per-sample DataLoader: {100 * their_sampling / theirs:.1f} % of a step")
    share = 100 * data.seconds / ours
    return [
        entry(f"anomaly, full shape, {size.rounds * size.steps} steps, per-sample DataLoader", ours, theirs, "s", None),
        entry("anomaly, full shape, sampling (baseline: what is allowed)", share, ALLOWED_SHARE, "% of a step", 1.0),
    ]
