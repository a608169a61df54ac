"""Data of the tasks in NumPy, and the accuracy of a model on them."""

from collections.abc import Iterator
from operator import itemgetter

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from course_lib.tasks.digits import load_digits


class ReverseDataset:
    """Random sequences, and the same sequences backwards, as the UvA notebook in JAX draws them.

    Args:
        num_categories: how many different tokens there are.
        seq_len: T, tokens in a sequence.
        size: N, sequences in the dataset.
        np_rng: what draws them.

    An item is `(tokens [T], targets [T])`, int64.

    >>> ReverseDataset(10, 16, 50_000, np.random.default_rng(42))[0][0][:4].tolist()
    [0, 7, 6, 4]
    """

    def __init__(self, num_categories: int, seq_len: int, size: int, np_rng: np.random.Generator):
        self.data = np_rng.integers(num_categories, size=(size, seq_len))  # [N, T]

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        tokens = self.data[index]
        return tokens, np.flip(tokens, axis=0)

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """All tokens and all targets, int32 [N, T] each: what JAX computes in."""
        tokens = self.data.astype(np.int32)
        return tokens, np.flip(tokens, axis=1)


def numpy_collate(batch: list):
    """Stack samples, tuples inside included, into arrays: for a DataLoader, which makes tensors by default.

    >>> [array.shape for array in numpy_collate([(np.zeros(3), 1), (np.ones(3), 0)])]
    [(2, 3), (2,)]
    """
    if isinstance(batch[0], (tuple, list)):
        return tuple(numpy_collate(list(samples)) for samples in zip(*batch, strict=True))
    return np.stack(batch)


def batches(data, batch_size: int) -> Iterator:
    """A tree of arrays [N, …] in batches, in order; the last one may be smaller."""
    rows = len(jax.tree.leaves(data)[0])
    for start in range(0, rows, batch_size):
        chosen = slice(start, start + batch_size)
        yield jax.tree.map(itemgetter(chosen), data)


def evaluate(look, data, batch_size: int = 1000) -> float:
    """The mean of `look(batch)`, a number for each batch, weighted by how many rows a batch has."""
    found = [(float(look(batch)), len(jax.tree.leaves(batch)[0])) for batch in batches(data, batch_size)]
    return sum(value * rows for value, rows in found) / sum(rows for _, rows in found)


def reverse_accuracy(model: nnx.Module, data, num_categories: int = 10) -> float:
    """The share of tokens that a predictor gets right; data: tokens and targets, int [N, T]."""
    graph, params = nnx.split(model)

    @jax.jit
    def look(batch):
        tokens, targets = batch
        logits = nnx.merge(graph, params)(jax.nn.one_hot(tokens, num_categories))  # [B, T, C]
        return jnp.mean(logits.argmax(-1) == targets)

    return evaluate(look, data)


def digit_sets(part: str, size: int, np_rng: np.random.Generator, set_size: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Sets of digits of one class, but for one image of another.

    Args:
        part: "train", "validation" or "test"; the three share no image.
        size: B, how many sets.
        np_rng: what draws them.
        set_size: S, images in a set.

    Returns:
        sets float32 [B, S, 64], and target int32 [B], the place of the odd one.

    Raises:
        PackageMissing: scikit-learn, which ships the digits, is not installed.
    """
    images = getattr(load_digits(), part)
    features, labels = images.features.numpy(), images.labels.numpy()
    of_class = [np.flatnonzero(labels == label) for label in range(10)]
    index = np.empty((size, set_size), np.int64)
    target = np_rng.integers(set_size, size=size)
    for row, place in zip(index, target, strict=True):
        same, odd = np_rng.choice(10, 2, replace=False)
        row[:] = np_rng.choice(of_class[same], set_size, replace=False)
        row[place] = np_rng.choice(of_class[odd])
    return features[index], target.astype(np.int32)
