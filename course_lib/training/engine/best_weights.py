"""The weights of the best moment of a run."""

import torch
from torch import nn


class BestWeights:
    """A context in which a model trains; at its end, even after an error, the model has its best weights again.

    A model that was never offered keeps the weights that it has.
    """

    def __init__(self, model: nn.Module):
        self.model = model
        self.score: tuple[float, float] | None = None
        self.weights: dict[str, torch.Tensor] = {}

    def offer(self, step: int, loss: float, accuracy: float) -> None:
        """Keep the present weights if they are the best so far: higher accuracy, or the same with a lower loss."""
        score = (accuracy, -loss)
        if self.score is None or score > self.score:
            self.score = score
            self.weights = {name: weight.clone() for name, weight in self.model.state_dict().items()}

    def __enter__(self) -> "BestWeights":
        return self

    def __exit__(self, *_) -> None:
        if self.weights:
            self.model.load_state_dict(self.weights)
        self.model.eval()
