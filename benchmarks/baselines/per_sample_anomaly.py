"""The set-anomaly recipe as published: each set sampled by itself, in a Dataset, through a DataLoader.

Source: P. Lippe, *UvA Deep Learning Tutorials*, tutorial 6. One thing is ours: the odd one stands at a random
place, not always last.
"""

import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from benchmarks.baselines.published_model import PublishedModel, rate_factor

BATCH_SIZE, RATE, WARMUP, CLIP, MAX_STEPS = 64, 5e-4, 100, 2.0, 70_300


class Sets(Dataset):
    def __init__(self, features: torch.Tensor, labels: torch.Tensor, set_size: int):
        self.features, self.labels, self.set_size = features, labels, set_size
        self.members = [torch.where(labels == label)[0].numpy() for label in range(int(labels.max()) + 1)]
        self.random = np.random.default_rng(0)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        other = self.random.integers(len(self.members) - 1)
        if other >= self.labels[index]:
            other += 1
        chosen = self.random.choice(self.members[other], size=self.set_size - 1, replace=False)
        place = int(self.random.integers(self.set_size))
        return self.features[np.insert(chosen, place, index)], place


class Run:
    """A run that `steps(n)` continues, returning the seconds for n more steps and those spent on sampling."""

    def __init__(self, features: torch.Tensor, labels: torch.Tensor, set_size: int, model: dict):
        self.model = PublishedModel(**model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=RATE)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: rate_factor(step, WARMUP, MAX_STEPS)
        )
        sets = Sets(features, labels, set_size)
        self.batches = iter(DataLoader(sets, batch_size=BATCH_SIZE, shuffle=True, drop_last=True))

    def steps(self, count: int) -> tuple[float, float]:
        began, sampling = time.perf_counter(), 0.0
        for _ in range(count):
            asked = time.perf_counter()
            sets, target = next(self.batches)
            sampling += time.perf_counter() - asked
            self.optimizer.zero_grad()
            logits = self.model(sets, add_positional_encoding=False).squeeze(-1)
            F.cross_entropy(logits, target).backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
            self.optimizer.step()
            self.scheduler.step()
        return time.perf_counter() - began, sampling
