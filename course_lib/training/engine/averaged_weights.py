"""The mean of the weights at the last few validations."""

from collections import deque

import torch
from torch import nn


class AveragedWeights:
    """A context in which a model trains; at its end the model has the mean of the last weights that were offered.

    Towards the end of a run the weights still jump about in the valley that they have found; their mean lies lower.

    Source: "Attention Is All You Need", section 6.1 (the last 5 checkpoints); Polyak and Juditsky 1992, "Acceleration
    of Stochastic Approximation by Averaging".
    """

    def __init__(self, model: nn.Module, count: int):
        self.model = model
        self.recent: deque[dict[str, torch.Tensor]] = deque(maxlen=count)

    def offer(self, step: int, loss: float, accuracy: float) -> None:
        """Keep the present weights, however good they are; beyond the limit, forget the oldest ones."""
        self.recent.append({name: weight.clone() for name, weight in self.model.state_dict().items()})

    def __enter__(self) -> "AveragedWeights":
        return self

    def __exit__(self, *_) -> None:
        if self.recent:
            names = self.recent[0].keys()
            self.model.load_state_dict({name: torch.stack([w[name] for w in self.recent]).mean(0) for name in names})
        self.model.eval()
