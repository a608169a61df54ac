"""Shakespeare's characters: nanoGPT's recipe for a cpu, and stage 13's, one thread and the same CPU seconds each.

The baseline makes its 2,000 steps; ours as many as fit into the CPU seconds that it took, by its first fifty.
"""

import time
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import nn

from benchmarks.baselines import nanogpt
from benchmarks.measure import entry
from course_lib.tasks.language import TextTask, shakespeare_task, train_language_model


class Size(NamedTuple):
    """Steps of the baseline; steps of ours that one is timed by; characters of the validation text (None: all)."""

    steps: int
    tried: int
    characters: int | None


FULL, TINY = Size(nanogpt.STEPS, 50, None), Size(3, 2, 700)


def run(size: Size = FULL) -> list[dict]:
    """The loss on the validation text, in nats per character; the first of the entries is CPU seconds."""
    task, before = shakespeare_task(), torch.get_num_threads()
    task = replace(task, validation_ids=task.validation_ids[: size.characters])
    torch.set_num_threads(1)
    try:
        seconds, theirs = baseline(task, size.steps)
        steps = max(int(seconds * size.tried / ours(task, size.tried)[0]), 1)
        taken, model = ours(task, steps)
        loss = task.loss(model)
    finally:
        torch.set_num_threads(before)
    print(f"nanoGPT: {seconds:.0f} CPU s, {theirs:.3f}; ours: {taken:.0f} CPU s, {steps} steps, {loss:.3f}")
    return [
        entry("Shakespeare, CPU seconds (nanoGPT's recipe)", taken, seconds, "s", None),
        entry("Shakespeare, loss (nanoGPT's recipe)", loss, theirs, "nats", 1.90 / 1.60),
    ]


def baseline(task: TextTask, steps: int) -> tuple[float, float]:
    """CPU seconds and validation loss of nanoGPT's recipe."""
    began = time.process_time()
    model = nanogpt.train(task.train_ids, len(task.tokens), steps=steps)
    return time.process_time() - began, nanogpt.loss_on(model, task.validation_ids)


def ours(task: TextTask, steps: int, seed: int = 0) -> tuple[float, nn.Module]:
    """CPU seconds of stage 13's recipe in so many steps, and the model; it is validated by the caller."""
    recipe = replace(task.recipe, max_steps=steps, warmup=min(task.recipe.warmup, steps // 3))
    unvalidated = replace(task, validation_ids=task.validation_ids[: recipe.block])
    began = time.process_time()
    model, _ = train_language_model(unvalidated, seed, recipe, progress=False, threads=1)
    return time.process_time() - began, model
