"""Wrong ways to write `PositionalEncoding`: its table left empty, and how it is kept, added and guarded."""

import torch
from torch import nn

from autograder.catalogue.positions.encoding_parts import Steps


class NoPositions(Steps):
    def fill(self, pe, angles):
        return pe


class AlongTheBatch(Steps):
    def forward(self, x):
        self.refuse(x)
        return x + self.pe[0, : x.shape[0], None]


class BatchSecond(Steps):
    def keep(self, pe):
        super().keep(pe.transpose(0, 1))

    def forward(self, x):
        if x.shape[0] > self.pe.shape[0]:
            raise ValueError(f"{x.shape[0]} tokens are more than max_len {self.pe.shape[0]}")
        return x + self.pe[: x.shape[0]]


class SameForAll(Steps):
    def forward(self, x):
        self.refuse(x)
        return x + self.pe[:, :1]


class TheLastRows(Steps):
    def forward(self, x):
        self.refuse(x)
        return x + self.pe[:, -x.shape[1] :]


class OnlyThePositions(Steps):
    def forward(self, x):
        self.refuse(x)
        return self.pe[:, : x.shape[1]].expand_as(x)


class Multiplied(Steps):
    def forward(self, x):
        self.refuse(x)
        return x * self.pe[:, : x.shape[1]]


class TokensScaled(Steps):
    def forward(self, x):
        return super().forward(x * x.shape[-1] ** 0.5)


class WholeTable(Steps):
    def forward(self, x):
        self.refuse(x)
        return x + self.pe


class NotUsed(Steps):
    def forward(self, x):
        self.refuse(x)
        return x


class Attribute(Steps):
    def keep(self, pe):
        self.pe = pe


class Saved(Steps):
    def keep(self, pe):
        self.register_buffer("pe", pe)


class Parameter(Steps):
    def keep(self, pe):
        self.pe = nn.Parameter(pe)


class TwoAxes(Steps):
    def keep(self, pe):
        super().keep(pe[0])

    def refuse(self, x):
        if x.shape[1] > self.pe.shape[0]:
            raise ValueError(f"{x.shape[1]} tokens are more than max_len {self.pe.shape[0]}")

    def forward(self, x):
        self.refuse(x)
        return x + self.pe[: x.shape[1]]


class Unchecked(Steps):
    def refuse(self, x):
        pass


class CutOff(Steps):
    def forward(self, x):
        x = x[:, : self.pe.shape[1]]
        return x + self.pe[:, : x.shape[1]]


class Wrapped(Steps):
    def forward(self, x):
        return x + self.pe[:, torch.arange(x.shape[1]) % self.pe.shape[1]]


class SilentAssert(Steps):
    def refuse(self, x):
        assert x.shape[1] <= self.pe.shape[1]


class OneShort(Steps):
    def refuse(self, x):
        if x.shape[1] >= self.pe.shape[1]:
            raise ValueError(f"{x.shape[1]} tokens are more than max_len {self.pe.shape[1]}")


class AnotherDefault(Steps):
    def __init__(self, d_model, max_len=512):
        super().__init__(d_model, max_len)


class MaxLenIgnored(Steps):
    def __init__(self, d_model, max_len=5000):
        super().__init__(d_model, 5000)


class DropoutByDefault(Steps):
    def forward(self, x):
        return nn.functional.dropout(super().forward(x), 0.1, training=self.training)


class TokensCutOff(Steps):
    def forward(self, x):
        return super().forward(x.detach())


class KeepsItsRows(Steps):
    kept = None

    def forward(self, x):
        self.refuse(x)
        self.kept = self.pe[:, : x.shape[1]] if self.kept is None else self.kept
        return x + self.kept


class AddedTwice(Steps):
    def forward(self, x):
        return super().forward(super().forward(x))
