"""Stage 07: the dataset of sequences to reverse, and the loss on a model with known weights."""

import torch

from autograder.probes.stand_in import StandIn, loss_on


def ReverseDataset(student, num_categories, seq_len, size, seed, items=False, compare=False):
    """→ data [N, T] and the length; with `items`, all of them; with `compare`, other datasets beside it.

    An item is read twice, the second time after all others: `read_again` is what it was then.
    """
    sizes = (num_categories, seq_len, size)
    if compare:
        made = {"first": student(*sizes, seed), "other": student(*sizes, seed + 1), "again": student(*sizes, seed)}
        made |= {"default": student(*sizes), "zero": student(*sizes, 0)}
        return {name: dataset.data for name, dataset in made.items()}
    dataset = student(*sizes, seed)
    found = {"data": dataset.data, "length": len(dataset)}
    if items:
        pairs = [[torch.as_tensor(part) for part in dataset[index]] for index in range(size)]
        found["tokens"], found["targets"] = (torch.stack(parts) for parts in zip(*pairs, strict=True))
        found["read_again"] = torch.as_tensor(dataset[1][0])
    return found


def reverse_loss(student, weights, tokens, targets, training=False):
    """tokens, targets [B, T] → loss and accuracy on a `StandIn` that holds `weights`."""
    return loss_on(student, StandIn(weights), (tokens, targets), training)
