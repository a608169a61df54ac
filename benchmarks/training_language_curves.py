"""Shakespeare's characters while they are learned: the loss over CPU seconds, nanoGPT's recipe and stage 13's.

One seed, one thread. Both look at the whole validation text ten times; what the looks take is left out. Ours makes as
many steps as fit into the baseline's CPU seconds. Page 13 shows the two curves as a picture.
"""

import time
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import nn

from benchmarks.baselines import nanogpt
from benchmarks.language_seconds import steps_within
from benchmarks.measure import entry
from course_lib.tasks.language import TextTask, shakespeare_task, train_language_model

Curve = list[tuple[float, float]]  # CPU seconds, nats per character


class Size(NamedTuple):
    """Steps of the baseline, looks, steps of ours that one is timed by, characters to validate on (None: all)."""

    steps: int
    looks: int
    tried: int
    characters: int | None


FULL, TINY = Size(nanogpt.STEPS, 10, 50, None), Size(4, 2, 2, 700)


def run(size: Size = FULL) -> list[dict]:
    """CPU seconds until ours is as good as the baseline is in the end."""
    task, before = shakespeare_task(), torch.get_num_threads()
    task = replace(task, validation_ids=task.validation_ids[: size.characters])
    torch.set_num_threads(1)
    try:
        theirs = baseline(task, size)
        ours = own(task, steps_within(task, theirs[-1][0], size.tried), size.looks)
    finally:
        torch.set_num_threads(before)
    for name, curve in (("nanoGPT's recipe", theirs), ("stage 13's", ours)):
        print(f"{name}: {', '.join(f'{seconds:.0f} s {loss:.3f}' for seconds, loss in curve)}", flush=True)
    (taken, last), as_good = theirs[-1], [seconds for seconds, loss in ours if loss <= theirs[-1][1]]
    return [entry(f"Shakespeare, until {last:.2f} nats", min(as_good, default=ours[-1][0]), taken, "s", None)]


def baseline(task: TextTask, size: Size) -> Curve:
    """The curve of nanoGPT's recipe."""
    curve, looking, began = [], 0.0, time.process_time()

    def look(step: int, model: nn.Module) -> None:
        nonlocal looking
        if step % (size.steps // size.looks) == 0:
            before = time.process_time()
            loss = nanogpt.loss_on(model, task.validation_ids)
            curve.append((before - began - looking, loss))
            looking += time.process_time() - before

    nanogpt.train(task.train_ids, len(task.tokens), 0, size.steps, look)
    return curve


def own(task: TextTask, steps: int, looks: int) -> Curve:
    """The curve of stage 13's recipe, whose steps all take the same time."""
    warmup = min(task.recipe.warmup, steps // 3)
    recipe = replace(task.recipe, max_steps=steps, warmup=warmup, validate_every=max(steps // looks, 1))
    began = time.process_time()
    model, history = train_language_model(task, 0, recipe, progress=False, threads=1)
    taken, before = time.process_time() - began, time.process_time()
    task.loss(model)
    each = (taken - len(history.validations) * (time.process_time() - before)) / steps
    return [(each * look.step, look.loss) for look in history.validations]
