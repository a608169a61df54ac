"""The reverse task with the published recipe: the same steps, batches and model, ours against Lightning and JAX.

One epoch of each in turn (390 steps; with its validation, except in JAX, whose baseline has none), a few times over,
and the best round of each counts: whatever else the machine is doing disturbs all of them alike. The numbers are
scaled to the ten epochs of the recipe.

Ours runs on one thread and on all, and the better one counts: which one that is changes with what the neighbours do.
Lightning runs as it comes, on all that torch finds, and again on one, so that it shows what of the ratio is the
choice of threads.
"""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from typing import NamedTuple

import torch

from benchmarks.measure import entry
from course_lib.tasks.task import REVERSE_PUBLISHED, reverse_task, train


class Size(NamedTuple):
    """How many rounds, and of how many steps."""

    rounds: int
    steps: int

    @property
    def whole(self) -> float:
        """How many times as long the recipe is."""
        return REVERSE_PUBLISHED.max_steps / self.steps


FULL, TINY = Size(3, 390), Size(1, 2)


def run(size: Size = FULL) -> list[dict]:
    """Seconds for the 3,900 steps of the published recipe."""
    task = reverse_task()
    counts = {1, torch.get_num_threads()}
    recipe = replace(REVERSE_PUBLISHED, max_steps=size.steps, validate_every=size.steps)

    def our_steps() -> float:
        return min(train(task, recipe=recipe, progress=False, threads=count)[1].seconds for count in counts)

    our_steps()
    return against_lightning(our_steps, size) + against_jax(our_steps, size)


def against_lightning(our_steps: Callable[[], float], size: Size) -> list[dict]:
    """Nothing where lightning is not installed."""
    try:
        from benchmarks.baselines import lightning_reverse
    except ImportError as error:
        print(f"reverse against Lightning: skipped ({error}); pip install lightning")
        return []

    def lightning_steps(threads: int) -> float:
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        seconds = lightning_reverse.train(max_steps=size.steps).seconds
        torch.set_num_threads(before)
        return seconds

    threads = torch.get_num_threads()
    rounds = [(our_steps(), lightning_steps(threads), lightning_steps(1)) for _ in range(size.rounds)]
    ours, as_it_comes, on_one = (size.whole * min(seconds) for seconds in zip(*rounds, strict=True))
    return [
        entry(f"reverse, published recipe, Lightning ({threads} threads)", ours, as_it_comes, "s", 2.3),
        entry("reverse, published recipe, Lightning (1 thread)", ours, on_one, "s", None),
    ]


def against_jax(our_steps: Callable[[], float], size: Size) -> list[dict]:
    """Nothing where jax, flax or optax is not installed. JAX has its own process: its threads slow torch's down."""
    if missing := [name for name in ("jax", "flax", "optax") if find_spec(name) is None]:
        print(f"reverse against JAX: skipped; pip install {' '.join(missing)}")
        return []
    from benchmarks.baselines import jax_reverse

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        compiling = apart.submit(jax_reverse.compile_seconds).result()
        rounds = [(our_steps(), apart.submit(jax_reverse.steps, size.steps).result()) for _ in range(size.rounds)]
    ours, theirs = (size.whole * min(seconds) for seconds in zip(*rounds, strict=True))
    return [
        entry("reverse, published recipe, JAX", ours, theirs + compiling, "s", 1.0),
        entry("reverse, published recipe, JAX (compilation not counted)", ours, theirs, "s", None),
    ]
