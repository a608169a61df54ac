"""Stage 07: the dataset of sequences to reverse, and the loss on a model with known weights."""

import numpy as np
import torch

from autograder.probes.calling import several
from autograder.probes.torch.stand_in import StandIn, loss_on


def ReverseDataset(student, num_categories, seq_len, size, seed, ask="data"):
    """→ data [N, T]; with `ask`, something else.

    The "length"; all "items" as well as the data; with several "seeds", the data of each.
    """
    return ASK[ask](student, (num_categories, seq_len, size), seed)


def _data(student, sizes, seed):
    return {"data": student(*sizes, seed).data}


def _length(student, sizes, seed):
    return {"length": len(student(*sizes, seed))}


def _items(student, sizes, seed):
    """An item is read twice, the second time after all others: `read_again` is what it was then."""
    dataset = student(*sizes, seed)
    items = [_item(dataset, index) for index in range(sizes[-1])]
    found = {name: torch.stack([item[name] for item in items]) for name in items[0]}
    return found | {"data": dataset.data, "read_again": _item(dataset, 1)["tokens"]}


def _item(dataset, index):
    """The two parts of an item as tensors; numpy's arrays may run backwards."""
    parts = several(dataset[index], "tokens", "targets")
    return {
        name: torch.as_tensor(np.array(part) if isinstance(part, np.ndarray) else part) for name, part in parts.items()
    }


def _seeds(student, sizes, seed):
    made = {"first": student(*sizes, seed), "other": student(*sizes, seed + 1), "again": student(*sizes, seed)}
    made |= {"default": student(*sizes), "zero": student(*sizes, 0), "zero_again": student(*sizes, 0)}
    return {name: dataset.data for name, dataset in made.items()}


ASK = {"data": _data, "length": _length, "items": _items, "seeds": _seeds}


def reverse_loss(student, weights, tokens, targets, training=False):
    """tokens, targets [B, T] → loss and accuracy on a `StandIn` that holds `weights`."""
    return loss_on(student, StandIn(weights), (tokens, targets), training)
