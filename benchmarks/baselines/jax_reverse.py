"""The reverse task as published in JAX: flax, optax, one jitted step, numpy batches from a DataLoader."""

import functools
import time
from itertools import chain, islice, repeat

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from torch.utils.data import DataLoader, Dataset

CATEGORIES, LENGTH = 10, 16
BATCH_SIZE, RATE, WARMUP, CLIP = 128, 5e-4, 50, 5.0


class Sequences(Dataset):
    def __init__(self, size: int, seed: int):
        self.data = np.random.default_rng(seed).integers(CATEGORIES, size=(size, LENGTH))

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        tokens = self.data[index]
        return tokens, np.flip(tokens, axis=0)


def stack(samples: list) -> tuple[np.ndarray, np.ndarray]:
    tokens, targets = zip(*samples, strict=True)
    return np.stack(tokens), np.stack(targets)


def sines(length: int, dim: int) -> np.ndarray:
    angle = np.arange(length)[:, None] * np.exp(np.arange(0, dim, 2) * (-np.log(10_000.0) / dim))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(1, length, dim).astype(np.float32)


class Block(nn.Module):
    dim: int
    num_heads: int

    @nn.compact
    def __call__(self, x):
        batch, length, _ = x.shape
        qkv = nn.Dense(3 * self.dim, kernel_init=nn.initializers.xavier_uniform())(x)
        qkv = qkv.reshape(batch, length, self.num_heads, -1).transpose(0, 2, 1, 3)
        q, k, v = jnp.split(qkv, 3, axis=-1)
        attention = nn.softmax(q @ k.swapaxes(-2, -1) / q.shape[-1] ** 0.5, axis=-1)
        values = (attention @ v).transpose(0, 2, 1, 3).reshape(batch, length, self.dim)
        x = nn.LayerNorm()(x + nn.Dense(self.dim, kernel_init=nn.initializers.xavier_uniform())(values))
        return nn.LayerNorm()(x + nn.Dense(self.dim)(nn.relu(nn.Dense(2 * self.dim)(x))))


class Predictor(nn.Module):
    dim: int = 32
    num_heads: int = 1

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.dim)(x) + sines(LENGTH, self.dim)
        x = Block(self.dim, self.num_heads)(x)
        x = nn.relu(nn.LayerNorm()(nn.Dense(self.dim)(x)))
        return nn.Dense(CATEGORIES)(x)


class Run:
    """A run that has been compiled, `compile_seconds` long, and that `steps(n)` continues."""

    def __init__(self, seed: int = 0):
        began = time.perf_counter()
        data = DataLoader(Sequences(50_000, 0), batch_size=BATCH_SIZE, shuffle=True, drop_last=True, collate_fn=stack)
        cosine = optax.warmup_cosine_decay_schedule(0.0, RATE, WARMUP, 10 * len(data), end_value=0.0)
        self.optimizer = optax.chain(optax.clip_by_global_norm(CLIP), optax.adam(cosine))
        self.model = Predictor()
        self.params = self.model.init(jax.random.PRNGKey(seed), jnp.zeros((1, LENGTH, CATEGORIES)))
        self.state = self.optimizer.init(self.params)
        self.step = jax.jit(self._step)
        self.batches = chain.from_iterable(repeat(data))  # epoch after epoch, each shuffled anew
        self.step(self.params, self.state, next(self.batches))[2].block_until_ready()
        self.compile_seconds = time.perf_counter() - began

    def _look(self, params, batch):
        tokens, targets = batch
        logits = self.model.apply(params, jax.nn.one_hot(tokens, CATEGORIES))
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()
        return loss, (logits.argmax(-1) == targets).mean()

    def _step(self, params, state, batch):
        (loss, accuracy), gradients = jax.value_and_grad(self._look, has_aux=True)(params, batch)
        updates, state = self.optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, loss, accuracy

    def steps(self, count: int) -> float:
        """Seconds for as many more steps."""
        began = time.perf_counter()
        for batch in islice(self.batches, count):
            self.params, self.state, loss, _ = self.step(self.params, self.state, batch)
        loss.block_until_ready()
        return time.perf_counter() - began


@functools.cache
def _run() -> Run:
    return Run()


def compile_seconds() -> float:
    """Start this process's run: seconds until it is compiled."""
    return _run().compile_seconds


def steps(count: int) -> float:
    """Seconds for as many more steps of this process's run."""
    return _run().steps(count)
