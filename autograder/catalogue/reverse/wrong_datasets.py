"""Wrong ways to write `ReverseDataset`."""

import torch

from course_lib.tasks.reverse import ReverseDataset


def drawn(seed, *arguments):
    return torch.randint(*arguments, generator=torch.Generator().manual_seed(seed))


class NothingReversed(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index]


class SequencesReversed(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data.flip(0)[index]


class Rolled(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index].roll(1)


class Descending(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index].sort(descending=True).values


class HalvesExchanged(ReverseDataset):
    def __getitem__(self, index):
        tokens = self.data[index]
        middle = len(tokens) // 2
        return tokens, torch.cat([tokens[middle:], tokens[:middle]])


class BothReversed(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index].flip(-1), self.data[index].flip(-1)


class Exchanged(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index].flip(-1), self.data[index]


class FloatTargets(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index].flip(-1).float()


class NextRow(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[(index + 1) % len(self.data)].flip(-1)


class DrawnWhenAsked(ReverseDataset):
    def __init__(self, num_categories, seq_len, size, seed=0):
        super().__init__(num_categories, seq_len, size, seed)
        self.categories = num_categories
        self.generator = torch.Generator().manual_seed(seed + 1)

    def __getitem__(self, index):
        tokens = torch.randint(self.categories, (self.data.shape[1],), generator=self.generator)
        return tokens, tokens.flip(-1)


class CountsTokens(ReverseDataset):
    def __len__(self):
        return self.data.numel()


class CountsPlaces(ReverseDataset):
    def __len__(self):
        return self.data.shape[1]


class Other(ReverseDataset):
    """A dataset whose data are made by another `draw(num_categories, seq_len, size, seed)`."""

    def __init__(self, num_categories, seq_len, size, seed=0):
        self.data = self.draw(num_categories, seq_len, size, seed)


class OneCategoryLess(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories - 1, (size, seq_len))


class OneCategoryMore(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories + 1, (size, seq_len))


class FromOne(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, 1, num_categories, (size, seq_len))


class OneToAll(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, 1, num_categories + 1, (size, seq_len))


class Floats(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (size, seq_len)).float()


class Transposed(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (seq_len, size))

    def __len__(self):
        return self.data.shape[1]

    def __getitem__(self, index):
        return self.data[:, index], self.data[:, index].flip(-1)


class OneSequence(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (1, seq_len)).repeat(size, 1)


class OneToken(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (size, 1)).repeat(1, seq_len)


class Unseeded(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return torch.randint(num_categories, (size, seq_len))


class AlwaysTheSame(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(42, num_categories, (size, seq_len))


class OwnDefault(ReverseDataset):
    def __init__(self, num_categories, seq_len, size, seed=42):
        super().__init__(num_categories, seq_len, size, seed)


class SmallIntegers(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (size, seq_len)).int()


class TokensAlone(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index]


class ZeroIsNoSeed(Other):
    def draw(self, num_categories, seq_len, size, seed):
        if seed:
            return drawn(seed, num_categories, (size, seq_len))
        return torch.randint(num_categories, (size, seq_len))
