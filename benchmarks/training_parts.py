"""What each part of the engine of `fit` saves of a training step: the same steps with it and without it.

With and without take turns in one process, on one thread, in CPU seconds, and the medians count: a busy neighbour
disturbs both alike. The choice of threads is the one part that CPU seconds cannot show: it is taken in wall time.
`docs/engine.md` says what came out, and what each part does.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import median
from typing import NamedTuple
from unittest.mock import patch

import torch
from torch import nn

from benchmarks.measure import entry
from benchmarks.training_gpu import generated_images
from course_lib.model.layers import LayerNorm
from course_lib.model.multi_head import CrossAttention, MultiheadAttention
from course_lib.tasks.cifar import features_task
from course_lib.tasks.task import REVERSE_PUBLISHED, Task, digits_task, make_model, reverse_task
from course_lib.tasks.translation import caption_task
from course_lib.training import loop
from course_lib.training.engine import bf16_linear, fast_path, onednn
from course_lib.training.recipe import Recipe
from course_lib.training.schedule import CosineWarmupScheduler
from course_lib.training.step import train_step

ROUNDS = 5
WIDE = "anomaly, full shape"  # so many parameters that it keeps all threads
Context = Callable[[], contextlib.AbstractContextManager]


class Size(NamedTuple):
    """How many rounds, sentences and images, and steps at most."""

    rounds: int
    sentences: int
    images: int
    steps: int


FULL, TINY = Size(ROUNDS, 5_000, 2_000, 40), Size(1, 200, 1_000, 1)


def run(size: Size = FULL) -> list[dict]:
    """Milliseconds of a step, with and without each part, for each task."""
    reverse, digits, captions = reverse_task(), digits_task(), caption_task(size.sentences)
    anomaly = features_task(generated_images(size.images, size.images, size.images))
    tasks: dict[str, tuple[Task, Recipe, int]] = {
        "reverse, batch 32": (reverse, reverse.recipe, 40),
        "reverse, batch 128": (reverse, REVERSE_PUBLISHED, 20),
        "digits": (digits, digits.recipe, 10),
        "captions": (captions, captions.recipe, 10),
        WIDE: (anomaly, anomaly.recipe, 3),
    }
    entries = []
    for name, (task, recipe, steps) in tasks.items():
        steps = min(steps, size.steps)
        recipe = replace(recipe, max_steps=steps, validate_every=steps, target_accuracy=None)
        entries += [of_part(name, part, without, task, recipe, size.rounds) for part, without in PARTS.items()]
        if name != WIDE:
            entries.append(of_threads(name, task, recipe, size.rounds))
    return entries


def of_part(name: str, part: str, without: Context, task: Task, recipe: Recipe, rounds: int) -> dict:
    """The entry of one part in one task."""

    def steps_without() -> float:
        with without():
            return milliseconds(task, recipe, time.process_time, threads=1)

    def steps() -> float:
        return milliseconds(task, recipe, time.process_time, threads=1)

    return entry(f"{name}: {part}", *in_turn(steps, steps_without, rounds), "ms", None)


def of_threads(name: str, task: Task, recipe: Recipe, rounds: int) -> dict:
    """The entry of `suitable_threads`: what it chooses against all that torch finds."""
    chosen, everything = (
        lambda: milliseconds(task, recipe, time.perf_counter, threads=None),
        lambda: milliseconds(task, recipe, time.perf_counter, threads=torch.get_num_threads()),
    )
    return entry(f"{name}: threads", *in_turn(chosen, everything, rounds), "ms", None)


def in_turn(ours: Callable[[], float], baseline: Callable[[], float], count: int = ROUNDS) -> tuple[float, float]:
    """The medians of both; which comes first changes from round to round, and the first round only warms up."""
    rounds = []
    for turn in range(count + 1):
        order = (ours, baseline) if turn % 2 else (baseline, ours)
        rounds.append({steps: steps() for steps in order})
    return median(taken[ours] for taken in rounds[1:]), median(taken[baseline] for taken in rounds[1:])


def milliseconds(task: Task, recipe: Recipe, clock: Callable[[], float], threads: int | None) -> float:
    """A step's share of a short run of `fit` that hardly validates."""
    model, data = make_model(task, recipe), task.train(recipe.batch_size)
    validation = [tuple(tensor[:2] for tensor in task.validation[0])]
    began = clock()
    loop.fit(model, task.loss_fn, data, validation, recipe, progress=False, threads=threads)
    return 1000 * (clock() - began) / recipe.max_steps


@contextlib.contextmanager
def plain_step(model: nn.Module, loss_fn: loop.LossFunction, recipe: Recipe, *_) -> Iterator[Callable]:
    """What `training_step` gives, as plain as can be and yet quick: `train_step`, with torch's fused Adam."""
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate, betas=recipe.betas, fused=True)
    scheduler = CosineWarmupScheduler(optimizer, recipe.warmup, recipe.max_steps)
    yield lambda batch: train_step(model, batch, loss_fn, optimizer, scheduler, recipe.max_norm)


def as_written(*kinds: type[nn.Module]) -> contextlib.AbstractContextManager:
    """Inside, layers of these kinds take no fast path."""
    return patch.dict(fast_path.FAST, dict.fromkeys(kinds, lambda layer: None))


@contextlib.contextmanager
def none_at_all() -> Iterator[None]:
    """Inside, `fit` is a plain loop."""
    with patch.object(loop, "training_step", plain_step), as_written(*fast_path.FAST):
        yield


PARTS: dict[str, Context] = {
    "flat parameters and their step": lambda: patch.object(loop, "training_step", plain_step),
    "fused layer norm": lambda: as_written(LayerNorm),
    "fused attention": lambda: as_written(MultiheadAttention, CrossAttention),
    "fast dropout": lambda: as_written(nn.Dropout),
    "all of these": none_at_all,
}
if onednn.is_zen_5_or_later() or bf16_linear.multiplies_bfloat16():
    PARTS["linear layers"] = lambda: as_written(nn.Linear)
