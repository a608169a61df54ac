"""`PositionalEncoding` in small steps, each of which a wrong or another right way replaces."""

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
