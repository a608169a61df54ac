"""What the probes of the JAX track run in: fresh arrays, and a note of which ready-made functions were called."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import flax.linen
import flax.nnx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from autograder.probes.jax.keys import keys_of, split
from autograder.probes.jax.keys import seed as seed_of
from autograder.probes.jax.purity import globals_watched

SITE = str(Path(jax.__file__).parents[1])
SPACES = (jax.nn, flax.nnx, flax.linen, optax)
SMALLER = {np.dtype("float64"): np.float32, np.dtype("int64"): np.int32}  # what JAX computes in
_names: set[str] = set()  # of the case that runs


def tensor(array: np.ndarray) -> jax.Array:
    """A fresh array of these numbers, in JAX's own precision; `jnp.asarray` would compile something for each shape."""
    return jax.device_put(np.array(array, SMALLER.get(array.dtype, array.dtype), order="C"))


def key_of(seed: int) -> jax.Array:
    """What `jax.random.key(seed)` is, and nothing is compiled."""
    return keys_of(seed_of(np.array(seed)))


def keys_from(seed: int, number: int) -> jax.Array:
    """What `jax.random.split(jax.random.key(seed), number)` is."""
    return keys_of(split(seed_of(np.array(seed)), (number,)))


def array_of(value):
    """The numbers of an array, owning their memory; anything else unchanged, a tracer that leaked included."""
    if isinstance(value, jax.core.Tracer) or not isinstance(value, jax.Array):
        return value
    if value.dtype == jnp.bfloat16:
        return np.asarray(value).astype(np.float32)
    return np.array(value, copy=True)


@contextmanager
def running(student) -> Iterator[set[str]]:
    """Where a case of a student's object runs; the names that `noting` adds meanwhile.

    In single precision, with jit and with JAX's usual promotion of types, whatever `JAX_ENABLE_X64`, `JAX_DISABLE_JIT`
    or a page's `jax.config` say.
    """
    _names.clear()
    with (
        jax.enable_x64(False),
        jax.disable_jit(False),
        jax.numpy_dtype_promotion("standard"),
        _whole_tracebacks(),
        globals_watched(student),
    ):
        yield _names


@contextmanager
def _whole_tracebacks() -> Iterator[None]:
    """Errors keep JAX's own frames, which nobody is shown: to take them out costs more than most traces."""
    before = jax.config.jax_traceback_filtering
    jax.config.update("jax_traceback_filtering", "off")
    try:
        yield
    finally:
        jax.config.update("jax_traceback_filtering", before)


@contextmanager
def noting() -> Iterator[None]:
    """Note which public functions and classes of jax, flax and optax run inside: this doubles the time of a trace."""
    public, before = _public(), sys.getprofile()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(SITE):
            name = frame.f_code.co_qualname.partition(".")[0]
            if name in public:
                _names.add(name)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


@cache
def _public() -> frozenset[str]:
    return frozenset(name for space in SPACES for name in dir(space) if not name.startswith("_"))
