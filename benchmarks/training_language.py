"""Shakespeare's characters: nanoGPT's recipe for a cpu, and stage 13's, one thread and the same CPU seconds each.

The baseline makes its 2,000 steps; ours as many as fit into the CPU seconds that it took, by fifty of them. Each core
takes a seed, for which one follows the other. Each of the seeds is printed, and their means are compared.
"""

import time
from dataclasses import replace
from statistics import mean
from typing import NamedTuple

import torch

from benchmarks.baselines import nanogpt
from benchmarks.language_seconds import seconds_and_model, steps_within
from benchmarks.measure import entry, side_by_side
from course_lib.tasks.language import TextTask, shakespeare_task


class Size(NamedTuple):
    """Steps of the baseline, steps of ours that one is timed by, seeds, characters to validate on (None: all)."""

    steps: int
    tried: int
    seeds: int
    characters: int | None


FULL, TINY = Size(nanogpt.STEPS, 50, 3, None), Size(3, 2, 1, 700)


def run(size: Size = FULL) -> list[dict]:
    """The loss on the validation text, in nats per character; the first of the entries is CPU seconds."""
    pairs = side_by_side(of_seed, [(size, seed) for seed in range(size.seeds)], size.seeds)
    (taken, losses), (seconds, theirs) = (zip(*runs, strict=True) for runs in zip(*pairs, strict=True))
    return [
        entry("Shakespeare, CPU seconds (nanoGPT's recipe)", mean(taken), mean(seconds), "s", None),
        entry("Shakespeare, loss (nanoGPT's recipe)", mean(losses), mean(theirs), "nats", 1.90 / 1.60),
    ]


def of_seed(size: Size, seed: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """CPU seconds and validation loss of ours, and of the baseline."""
    task, before = shakespeare_task(), torch.get_num_threads()
    task = replace(task, validation_ids=task.validation_ids[: size.characters])
    torch.set_num_threads(1)
    try:
        seconds, theirs = baseline(task, size.steps, seed)
        steps = steps_within(task, seconds, size.tried, seed)
        taken, model = seconds_and_model(task, steps, seed)
        loss = task.loss(model)
    finally:
        torch.set_num_threads(before)
    print(
        f"seed {seed}: nanoGPT {seconds:.0f} CPU s, {theirs:.3f}; ours {taken:.0f} CPU s, {steps} steps, {loss:.3f}",
        flush=True,
    )
    return (taken, loss), (seconds, theirs)


def baseline(task: TextTask, steps: int, seed: int) -> tuple[float, float]:
    """CPU seconds and validation loss of nanoGPT's recipe."""
    began = time.process_time()
    model = nanogpt.train(task.train_ids, len(task.tokens), seed, steps)
    return time.process_time() - began, nanogpt.loss_on(model, task.validation_ids)
