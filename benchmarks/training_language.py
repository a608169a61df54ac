"""Shakespeare's characters: nanoGPT's recipe for a cpu, and stage 13's, one thread and the same CPU seconds each.

    python -m benchmarks.training_language

The baseline makes its 2,000 steps; ours as many as fit into the CPU seconds that it took, told from its first fifty.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import torch

from benchmarks.baselines import nanogpt
from benchmarks.measure import entry
from course_lib.tasks.language import TextTask, shakespeare_task, train_language_model

TRIED = 50  # steps


def run() -> list[dict]:
    """The loss on the validation text, in nats per character; the first of the entries is CPU seconds."""
    task, before = shakespeare_task(), torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        seconds, theirs = baseline(task)
        per_step = timed(lambda: ours(task, TRIED))[0] / TRIED
        steps = int(seconds / per_step)
        taken, loss = timed(lambda: ours(task, steps))
    finally:
        torch.set_num_threads(before)
    print(f"nanoGPT: {seconds:.0f} CPU s, {theirs:.3f}; ours: {taken:.0f} CPU s, {steps} steps, {loss:.3f}")
    return [
        entry("Shakespeare, CPU seconds (nanoGPT's recipe)", taken, seconds, "s", None),
        entry("Shakespeare, loss (nanoGPT's recipe)", loss, theirs, "nats", 1.90 / 1.60),
    ]


def baseline(task: TextTask) -> tuple[float, float]:
    """CPU seconds and validation loss of nanoGPT's recipe."""
    began = time.process_time()
    model = nanogpt.train(task.train_ids, len(task.tokens))
    return time.process_time() - began, nanogpt.loss_on(model, task.validation_ids)


def ours(task: TextTask, steps: int, seed: int = 0) -> float:
    """The validation loss after so many steps of stage 13's recipe."""
    recipe = replace(task.recipe, max_steps=steps, warmup=min(task.recipe.warmup, steps // 3))
    _, history = train_language_model(task, seed, recipe, progress=False, threads=1)
    return history.validations[-1].loss


def timed(call: Callable[[], float]) -> tuple[float, float]:
    """CPU seconds that a call takes, and what it returns."""
    began = time.process_time()
    returned = call()
    return time.process_time() - began, returned
