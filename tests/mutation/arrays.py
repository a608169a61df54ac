"""The arrays and modules of a framework, as the answers without content use them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Arrays:
    """What a trivial answer may know of its framework.

    Attributes:
        of: numbers → an array.
        are: whether a value is an array.
        full: an array and a number → an array of its shape and dtype, full of the number.
        copy: an array → another one with its numbers.
        module: the base class of layers.
        identity: a layer that returns what comes in.
    """

    of: Callable
    are: Callable
    full: Callable
    copy: Callable
    module: type
    identity: type

    def first(self, arguments: list):
        """The first array among the arguments; one of two zeros where there is none."""
        return next((x for x in arguments if self.are(x)), self.of([0.0, 0.0]))

    def full_like(self, arguments: list, number: int):
        """An array like the first, with this number everywhere."""
        return self.full(self.first(arguments), number)

    def random(self, shape):
        """Numbers between 0 and 1, other ones each time."""
        return self.of(np.random.default_rng().random(tuple(shape), np.float32).tolist())


def _torch() -> Arrays:
    import torch

    return Arrays(torch.tensor, torch.is_tensor, torch.full_like, torch.clone, torch.nn.Module, torch.nn.Identity)


def _jax() -> Arrays:
    import jax
    import jax.numpy as jnp
    from flax import nnx

    class Identity(nnx.Module):
        def __call__(self, x):
            return x

    return Arrays(jnp.array, lambda x: isinstance(x, jax.Array), jnp.full_like, jnp.copy, nnx.Module, Identity)


ARRAYS: dict[str, Callable[[], Arrays]] = {"torch": _torch, "jax": _jax}
