"""Keys of JAX and what is drawn from them, by NumPy: XLA takes up to a second to compile one draw of a new shape.

A key is two words of 32 bits. Here it is one number of 64, so that slices, joins and scans treat it as any other.

Source: Salmon et al. (2011), "Parallel random numbers: as easy as 1, 2, 3", section 3.3 (Threefry), with twenty rounds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import jax
import numpy as np

KEY = "key<fry>"  # how JAX writes the dtype of a key of Threefry; keys of other generators are left to it
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = np.uint32(0x1BD11BDA)


@cache
def dtype_here(dtype) -> np.dtype:
    """The dtype that NumPy holds values of a dtype of JAX in."""
    return np.dtype(np.uint64) if str(dtype) == KEY else dtype


def is_key(aval) -> bool:
    """Whether values of this type are keys that this module draws from."""
    return str(aval.dtype) == KEY


def numbers_of(keys: jax.Array) -> np.ndarray:
    """Keys as numbers, in the same shape."""
    return wrap(np.asarray(jax.random.key_data(keys)))


def keys_of(numbers: np.ndarray) -> jax.Array:
    """Numbers as keys, in the same shape."""
    return jax.random.wrap_key_data(jax.device_put(unwrap(numbers)), impl="threefry2x32")


def wrap(words: np.ndarray, **_) -> np.ndarray:
    """Words [..., 2] as numbers [...]."""
    return np.asarray(words, np.uint32, order="C").view(np.uint64)[..., 0]


def unwrap(numbers: np.ndarray, **_) -> np.ndarray:
    """Numbers [...] as words [..., 2]."""
    return np.asarray(numbers, order="C")[..., None].view(np.uint32)


def seed(number: np.ndarray, **_) -> np.ndarray:
    """The key of a seed: a whole number of 32 bits."""
    word = number.astype(np.uint32)
    return wrap(np.stack([np.zeros_like(word), word], axis=-1))


def draw_bits(keys: np.ndarray, bit_width: int, shape: tuple[int, ...], **_) -> np.ndarray:
    """Random whole numbers of up to 32 bits, [*keys.shape, *shape]."""
    for found in _noted:
        found.extend(np.ravel(keys).tolist())
    high, low = _counted(keys, shape)
    return (high ^ low).astype(f"uint{bit_width}")


_noted: list[list[int]] = []


@contextmanager
def draws_noted() -> Iterator[list[int]]:
    """The keys that numbers are drawn from inside, as numbers, one for each draw."""
    _noted.append(found := [])
    try:
        yield found
    finally:
        _noted.pop()


def split(keys: np.ndarray, shape: tuple[int, ...], **_) -> np.ndarray:
    """New keys, [*keys.shape, *shape]."""
    return wrap(np.stack(_counted(keys, shape), axis=-1))


def fold_in(keys: np.ndarray, data: np.ndarray, **_) -> np.ndarray:
    """A key of each key and a whole number."""
    words, given = unwrap(keys), unwrap(seed(data))
    return wrap(np.stack(threefry(words[..., 0], words[..., 1], given[..., 0], given[..., 1]), axis=-1))


def _counted(keys: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What Threefry makes of 0, 1, 2, …, as many as the shape has entries, under each key."""
    words = unwrap(keys).reshape(*keys.shape, *(1 for _ in shape), 2)
    counts = np.arange(int(np.prod(shape)), dtype=np.uint64).reshape(shape)
    return threefry(words[..., 0], words[..., 1], (counts >> np.uint64(32)).astype(np.uint32), counts.astype(np.uint32))


def threefry(key1, key2, x1, x2) -> tuple[np.ndarray, np.ndarray]:
    """Two words for each two words, under a key of two words; all uint32, and broadcast against each other.

    >>> [f"{word:x}" for word in threefry(*np.zeros((4, 1), np.uint32)) for word in word]
    ['6b200159', '99ba4efe']
    """
    schedule = (key1, key2, key1 ^ key2 ^ PARITY)
    with np.errstate(over="ignore"):
        x1, x2 = x1 + schedule[0], x2 + schedule[1]
        for group in range(5):
            for turn in ROTATIONS[group % 2]:
                x1 = x1 + x2
                x2 = x1 ^ ((x2 << np.uint32(turn)) | (x2 >> np.uint32(32 - turn)))
            x1 = x1 + schedule[(group + 1) % 3]
            x2 = x2 + schedule[(group + 2) % 3] + np.uint32(group + 1)
    return x1, x2


DRAWS = {"random_bits": draw_bits, "random_split": split, "random_fold_in": fold_in}
FROM_WORDS = {"random_seed": seed, "random_wrap": wrap}
OPERATIONS = DRAWS | FROM_WORDS | {"random_unwrap": unwrap}


def in_reach(name: str, params: dict) -> bool:
    """Whether an operation on keys means here what it means under JAX's settings."""
    if name in DRAWS:
        return jax.config.jax_threefry_partitionable
    return name not in FROM_WORDS or params["impl"].tag == "fry"
