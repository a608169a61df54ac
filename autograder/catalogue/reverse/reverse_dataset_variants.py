"""Other right ways to write `ReverseDataset`; each draws its numbers in its own way."""

import numpy as np
import torch
from torch.utils.data import Dataset


class Published(Dataset):
    """As the tutorial writes it, seeded by the global generator."""

    def __init__(self, num_categories, seq_len, size, seed=0):
        super().__init__()
        torch.manual_seed(seed)
        self.num_categories, self.seq_len, self.size = num_categories, seq_len, size
        self.data = torch.randint(self.num_categories, size=(self.size, self.seq_len))

    def __len__(self):
        return self.size

    def __getitem__(self, idx):
        inp_data = self.data[idx]
        labels = torch.flip(inp_data, dims=(0,))
        return inp_data, labels


class ByNumpy:
    """Drawn by numpy, no base class, the targets by indexing."""

    def __init__(self, categories, length, count, seed=0):
        drawn = np.random.default_rng(seed).integers(0, categories, size=(count, length))
        self.data = torch.from_numpy(drawn)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        row = self.data[index]
        return row, row[torch.arange(len(row) - 1, -1, -1)]


class RowByRow(Dataset):
    """A loop over the sequences, everything reversed beforehand."""

    def __init__(self, num_categories, seq_len, size, seed=0):
        generator = torch.Generator()
        generator.manual_seed(seed + 1000)
        rows = [(torch.rand(seq_len, generator=generator) * num_categories).long() for _ in range(size)]
        self.data = torch.stack(rows)
        self.targets = self.data.fliplr()

    def __len__(self):
        return self.data.size(0)

    def __getitem__(self, index):
        return [self.data[index], self.targets[index]]


class ViewsOfNumpy(ByNumpy):
    """The targets a view that runs backwards."""

    def __getitem__(self, index):
        row = self.data[index].numpy()
        return row, row[::-1]


VARIANTS = (ViewsOfNumpy, Published, ByNumpy, RowByRow)
