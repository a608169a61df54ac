"""Stage 07: the dataset of sequences to reverse, and the loss on a model with known weights."""

from functools import partial

import numpy as np
import torch

from autograder.probes.calling import call, several
from autograder.probes.torch.stand_in import StandIn, loss_on

ARGUMENTS = "num_categories seq_len size seed"


def ReverseDataset(student, seed, ask="data", **sizes):
    """→ data [N, T], and whether it is called so; with `ask`, something else.

    The "length", beside the number of rows of data; all "items" as well as the data; with several "seeds", the data of
    each. The seed 0 is also given as a number that is true, where `seed or …` and `if seed` take it for a seed.
    """
    return ASK[ask](partial(call, student, ARGUMENTS, **sizes), seed, sizes["size"])


def _data(make, seed, size):
    dataset = make(seed=seed)
    return {"data": _rows(dataset), "named": hasattr(dataset, "data")}


def _rows(dataset):
    """The tokens that a dataset keeps, whatever it calls them: the name costs its one criterion."""
    kept = [value for value in vars(dataset).values() if isinstance(value, torch.Tensor) and value.ndim > 1]
    return dataset.data if hasattr(dataset, "data") or not kept else kept[0]


def _length(make, seed, size):
    dataset = make(seed=seed)
    return {"length": len(dataset), "rows": len(_rows(dataset))}


def _items(make, seed, size):
    """An item is read twice, the second time after all others: `read_again` is what it was then.

    `data_kept` says whether the data are the same afterwards.
    """
    dataset = make(seed=seed)
    before = _as_tensor(_rows(dataset)).clone()
    items = [several(dataset[index], "tokens", "targets") for index in range(size)]
    found = {name: torch.stack([_as_tensor(item[name]) for item in items]) for name in items[0]}
    are_tensors = all(isinstance(part, torch.Tensor) for item in items for part in item.values())
    again = several(dataset[1], "tokens", "targets")["tokens"]
    kept = {"data_kept": torch.equal(before, _as_tensor(_rows(dataset))), "read_again": _as_tensor(again)}
    return found | kept | {"data": _rows(dataset), "are_tensors": are_tensors}


def _as_tensor(part):
    """Of numbers in any form; numpy's arrays may run backwards."""
    return torch.as_tensor(np.array(part) if isinstance(part, np.ndarray) else part)


class _TrueZero(int):
    """0, but true."""

    def __bool__(self) -> bool:
        return True


def _seeds(make, seed, size):
    made = {"first": make(seed=seed), "other": make(seed=seed + 1), "again": make(seed=seed)}
    made |= {"default": make(), "zero": make(seed=0), "zero_again": make(seed=0)}
    made |= {"one": make(seed=1), "true_zero": make(seed=_TrueZero(0)), "ten_later": make(seed=seed + 10)}
    return {name: _rows(dataset) for name, dataset in made.items()}


ASK = {"data": _data, "length": _length, "items": _items, "seeds": _seeds}


def reverse_loss(student, weights, tokens, targets, training=False):
    """tokens, targets [B, T] → loss and accuracy on a `StandIn` that holds `weights`."""
    return loss_on(student, StandIn(weights), (tokens, targets), training)
