"""Other right ways to write `FeedForward`."""

import torch
from torch import nn

from autograder.catalogue.encoder.feed_forward_mistakes import Steps


class Named(nn.Module):
    """Modules under the names "0" and "3"; dropout after the ReLU, which is the same."""

    def __init__(self, dim: int, hidden_dim: int, dropout: float = 0.0, activation=torch.relu):
        super().__init__()
        self.add_module("0", nn.Linear(dim, hidden_dim))
        self.add_module("3", nn.Linear(hidden_dim, dim))
        self.rate, self.activation = dropout, activation

    def forward(self, inputs):
        hidden = self.activation(getattr(self, "0")(inputs))
        return getattr(self, "3")(nn.functional.dropout(hidden, self.rate, training=self.training))


class ByMatrices(Steps):
    """The formula of the paper, max(0, x W₁ + b₁) W₂ + b₂."""

    def forward(self, x):
        hidden = self[1](x @ self[0].weight.T + self[0].bias)
        return torch.where(hidden > 0, hidden, 0.0) @ self[3].weight.T + self[3].bias


VARIANTS = (Named, ByMatrices)
