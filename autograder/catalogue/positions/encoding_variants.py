"""Other right ways to write `PositionalEncoding`."""

import math

import torch
from torch import nn

from autograder.catalogue.positions.encoding_parts import Steps


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
