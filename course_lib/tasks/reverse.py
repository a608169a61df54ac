"""Stage 07: read a sequence, write it backwards."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import Dataset


class ReverseDataset(Dataset):
    """Random sequences, and the same sequences backwards.

    Args:
        num_categories: how many different tokens there are; a token is a number from 0 to num_categories − 1.
        seq_len: T, tokens in a sequence.
        size: N, sequences in the dataset.
        seed: the same seed gives the same data.

    Attributes:
        data: int64 [N, T], every sequence.

    An item is `(tokens [T], targets [T])`: a sequence, and the same sequence reversed.

    >>> dataset = ReverseDataset(num_categories=7, seq_len=5, size=3)
    >>> tokens, targets = dataset[2]
    >>> tokens.tolist() == targets.tolist()[::-1]
    True
    """

    def __init__(self, num_categories: int, seq_len: int, size: int, seed: int = 0):
        super().__init__()
        # BEGIN SOLUTION
        #: A torch.Generator with its own seed leaves every other random number of the program alone.
        #: torch.randint takes it as generator=..., and draws all N sequences at once.
        #: Keep them as self.data.
        generator = torch.Generator().manual_seed(seed)
        self.data = torch.randint(num_categories, (size, seq_len), generator=generator)  # [N, T]
        # END SOLUTION

    def __len__(self) -> int:
        # BEGIN SOLUTION
        #: How many sequences are there? Not how many tokens.
        #: self.data is [N, T].
        return self.data.shape[0]
        # END SOLUTION

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION
        #: The question is a row of self.data, the answer is that row backwards.
        #: torch has no step of −1 in a slice: torch.flip does it, along the axis you name.
        tokens = self.data[index]  # [T]
        return tokens, tokens.flip(-1)
        # END SOLUTION


def reverse_loss(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """How wrong a `TransformerPredictor` is about a batch of sequences, and how often it is right.

    Args:
        model: takes one-hot tokens, float [B, T, C], and returns logits [B, T, C]: one prediction for each position.
        batch: `(tokens, targets)`, both int64 [B, T].

    Returns:
        `(loss, accuracy)`: a tensor without dimensions, the mean cross-entropy over all B·T tokens; and the share of
        the tokens (not of the sequences) that are predicted correctly, a tensor like it or a plain number.
    """
    # BEGIN SOLUTION
    #: One-hot vectors are as wide as the model's first layer expects: model.input_net[-1].in_features.
    #: F.one_hot gives integers, a Linear wants floats.
    #: F.cross_entropy wants logits, not probabilities, with the categories second: [B, C, T] and [B, T].
    #: The prediction is the category with the largest logit.
    tokens, targets = batch
    num_categories = model.input_net[-1].in_features
    one_hot = F.one_hot(tokens, num_categories).float()  # [B, T, C]
    logits = model(one_hot)  # [B, T, C]
    loss = F.cross_entropy(logits.transpose(1, 2), targets)  # the categories stand second: [B, C, T]
    accuracy = (logits.argmax(dim=-1) == targets).float().mean()
    return loss, accuracy
    # END SOLUTION
