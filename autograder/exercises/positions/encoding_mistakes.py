"""Wrong and other right ways to write `PositionalEncoding`."""

import math

import torch
from torch import nn


class Steps(nn.Module):
    """The encoding in small steps, right unless one is replaced."""

    base = 10000.0

    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.keep(self.table(d_model, max_len).unsqueeze(0))

    def keep(self, pe):
        self.register_buffer("pe", pe, persistent=False)

    def positions(self, max_len):
        return torch.arange(max_len, dtype=torch.get_default_dtype())

    def exponents(self, d_model):
        return torch.arange(0, d_model, 2) / d_model

    def table(self, d_model, max_len):
        angles = self.positions(max_len)[:, None] / self.base ** self.exponents(d_model)
        return self.fill(torch.zeros(max_len, d_model), angles)

    def fill(self, pe, angles):
        pe[:, 0::2] = angles.sin()
        pe[:, 1::2] = angles.cos()[:, : pe.shape[1] // 2]
        return pe

    def refuse(self, x):
        if x.shape[1] > self.pe.shape[1]:
            raise ValueError(f"{x.shape[1]} tokens are more than max_len {self.pe.shape[1]}")

    def forward(self, x):
        self.refuse(x)
        return x + self.pe[:, : x.shape[1]]


class ExponentDoubled(Steps):
    def exponents(self, d_model):
        return 2 * torch.arange(0, d_model, 2) / d_model


class ExponentHalved(Steps):
    def exponents(self, d_model):
        return torch.arange((d_model + 1) // 2) / d_model


class ExponentByHalf(Steps):
    def exponents(self, d_model):
        half = (d_model + 1) // 2
        return torch.arange(half) / max(half - 1, 1)


class AnotherBase(Steps):
    base = 1000.0


class Faster(Steps):
    def exponents(self, d_model):
        return -torch.arange(0, d_model, 2) / d_model


class WholeExponents(Steps):
    def exponents(self, d_model):
        return torch.arange(0, d_model, 2) // d_model


class EachItsOwn(Steps):
    def table(self, d_model, max_len):
        angles = self.positions(max_len)[:, None] / self.base ** (torch.arange(d_model) / d_model)
        pe = angles.sin()
        pe[:, 1::2] = angles[:, 1::2].cos()
        return pe


class SineAndCosineExchanged(Steps):
    def fill(self, pe, angles):
        pe[:, 0::2] = angles.cos()
        pe[:, 1::2] = angles.sin()[:, : pe.shape[1] // 2]
        return pe


class SinesThenCosines(Steps):
    def fill(self, pe, angles):
        return torch.cat([angles.sin(), angles.cos()], dim=1)[:, : pe.shape[1]]


class OnlySines(Steps):
    def fill(self, pe, angles):
        return angles.sin().repeat_interleave(2, dim=1)[:, : pe.shape[1]]


class FromOne(Steps):
    def positions(self, max_len):
        return super().positions(max_len) + 1


class Fractions(Steps):
    def positions(self, max_len):
        return super().positions(max_len) / max_len


class InDegrees(Steps):
    def fill(self, pe, angles):
        return super().fill(pe, angles * math.pi / 180)


class NoPositions(Steps):
    def fill(self, pe, angles):
        return pe


class EvenOnly(Steps):
    def fill(self, pe, angles):
        pe[:, 0::2] = angles.sin()
        pe[:, 1::2] = angles.cos()
        return pe


class LastColumnEmpty(Steps):
    def fill(self, pe, angles):
        half = pe.shape[1] // 2
        pe[:, 0 : 2 * half : 2] = angles.sin()[:, :half]
        pe[:, 1::2] = angles.cos()[:, :half]
        return pe


class RoundedUp(Steps):
    def table(self, d_model, max_len):
        even = d_model + d_model % 2
        return super().table(even, max_len)[:, :d_model]


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


class OnlyCosines(Steps):
    def fill(self, pe, angles):
        return angles.cos().repeat_interleave(2, dim=1)[:, : pe.shape[1]]


class WidthLessOne(Steps):
    def exponents(self, d_model):
        return torch.arange(0, d_model, 2) / max(d_model - 1, 1)


class AddedTwice(Steps):
    def forward(self, x):
        return super().forward(super().forward(x))


class ByExpAndLog(nn.Module):
    """The exponential of a logarithm; an assert; dropout as an extra argument."""

    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
        self.register_buffer("pe", pe.unsqueeze(0), persistent=False)

    def forward(self, x):
        assert x.size(1) <= self.pe.size(1), f"sequence too long: {x.size(1)} > {self.pe.size(1)}"
        return self.dropout(x + self.pe[:, : x.size(1)].requires_grad_(False))


class OtherNames(Steps):
    """Arguments under other names, the last one only by its name."""

    def __init__(self, width, *, max_len=5000):
        super().__init__(width, max_len)


class ByPhase(nn.Module):
    """A cosine is a sine a quarter turn later; a loop; an IndexError in its own words."""

    def __init__(self, d_model: int, max_len: int = 5000):
        super().__init__()
        self.max_len, columns = max_len, []
        t = torch.arange(max_len).double()
        for column in range(d_model):
            angle = t / 10000 ** (2 * (column // 2) / d_model)
            columns.append(torch.sin(angle + (column % 2) * math.pi / 2))
        self.register_buffer("pe", torch.stack(columns, dim=-1)[None].to(torch.get_default_dtype()), persistent=False)

    def forward(self, embeddings):
        length = embeddings.shape[-2]
        if length > self.max_len:
            raise IndexError(f"only {self.max_len} positions")
        return embeddings.add(self.pe.narrow(1, 0, length))


class ByStacking(Steps):
    """Sine and cosine side by side, flattened, one column too many cut off."""

    def fill(self, pe, angles):
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, : pe.shape[1]]


VARIANTS = (ByExpAndLog, OtherNames, ByPhase, ByStacking)
