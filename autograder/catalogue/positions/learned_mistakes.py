"""Wrong and other right ways to write `LearnedPositions`."""

import torch
from torch import nn


class Steps(nn.Module):
    """Learned positions in small steps, right unless one is replaced."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.make(max_len, d_model)

    def make(self, max_len, d_model):
        self.table = nn.Embedding(max_len, d_model)

    def places(self, x):
        return torch.arange(x.shape[1])

    def forward(self, x):
        return x + self.table(self.places(x))


class AlongTheBatch(Steps):
    def forward(self, x):
        return x + self.table(torch.arange(x.shape[0]))[:, None]


class FromOne(Steps):
    def places(self, x):
        return torch.arange(1, x.shape[1] + 1)


class Backwards(Steps):
    def places(self, x):
        return torch.arange(x.shape[1]).flip(0)


class SameForAll(Steps):
    def places(self, x):
        return torch.zeros(x.shape[1], dtype=torch.long)


class OnlyThePositions(Steps):
    def forward(self, x):
        return self.table(self.places(x)).expand_as(x)


class Multiplied(Steps):
    def forward(self, x):
        return x * self.table(self.places(x))


class WholeTable(Steps):
    def forward(self, x):
        return x + self.table.weight


class Numbered(Steps):
    def forward(self, x):
        places = torch.arange(x.shape[0] * x.shape[1]) % self.table.num_embeddings
        return x + self.table(places).view_as(x)


class Scaled(Steps):
    def forward(self, x):
        return x * x.shape[-1] ** 0.5 + self.table(self.places(x))


class Detached(Steps):
    def forward(self, x):
        return x + self.table.weight.data[self.places(x)]


class Exchanged(Steps):
    def make(self, max_len, d_model):
        self.table = nn.Embedding(d_model, max_len)


class PlainParameter(Steps):
    def make(self, max_len, d_model):
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x):
        return x + self.table[self.places(x)]


class AnotherName(Steps):
    def make(self, max_len, d_model):
        self.embedding = nn.Embedding(max_len, d_model)

    def table(self, places):
        return self.embedding(places)


class Clamped(Steps):
    def places(self, x):
        return super().places(x).clamp(max=self.table.num_embeddings - 1)


class Wrapped(Steps):
    def places(self, x):
        return super().places(x) % self.table.num_embeddings


class CutOff(Steps):
    def forward(self, x):
        return super().forward(x[:, : self.table.num_embeddings])


class WithoutPosition(Steps):
    def forward(self, x):
        known = self.table(self.places(x[:, : self.table.num_embeddings]))
        return x + nn.functional.pad(known, (0, 0, 0, x.shape[1] - len(known)))


class DropoutByDefault(Steps):
    def forward(self, x):
        return nn.functional.dropout(super().forward(x), 0.1, training=self.training)


class TokensCutOff(Steps):
    def forward(self, x):
        return super().forward(x.detach())


class KeepsItsRows(Steps):
    kept = None

    def forward(self, x):
        self.kept = self.table(self.places(x)) if self.kept is None else self.kept
        return x + self.kept


class TheLastRows(Steps):
    def forward(self, x):
        return x + self.table.weight[-x.shape[1] :]


class BySlicing(Steps):
    """The first rows of the weight, no look-up."""

    def forward(self, x):
        length = x.size(1)
        assert length <= self.table.weight.size(0)
        return x + self.table.weight[:length].unsqueeze(0)


class ByOneHot(Steps):
    """The look-up as the matrix product that it is."""

    def forward(self, x):
        one_hot = torch.eye(self.table.num_embeddings, dtype=x.dtype)[self.places(x)]
        return one_hot @ self.table.weight + x


class ForEverySample(Steps):
    """Places [B, T], and dropout as an extra argument."""

    def __init__(self, max_len: int, d_model: int, dropout: float = 0.0):
        super().__init__(max_len, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        places = torch.arange(tokens.size(1), device=tokens.device).expand(tokens.size(0), -1)
        return self.dropout(tokens + self.table(places))


VARIANTS = (BySlicing, ByOneHot, ForEverySample)
