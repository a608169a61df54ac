"""Language models trained for so many CPU seconds, on one thread."""

import time
from dataclasses import replace

from torch import nn

from course_lib.model.language_model import LanguageModel
from course_lib.tasks.language import TextTask, train_language_model


def steps_within(task: TextTask, seconds: float, tried: int, seed: int = 0, model_class: type = LanguageModel) -> int:
    """How many steps fit into so many CPU seconds, by `tried` of them; at least 1."""
    for _ in range(2):  # the first also pays for what torch imports
        start, _ = seconds_and_model(task, 1, seed, model_class)
    each = (seconds_and_model(task, 1 + tried, seed, model_class)[0] - start) / tried
    return max(int((seconds - start) / max(each, 1e-6)), 1)


def seconds_and_model(
    task: TextTask, steps: int, seed: int = 0, model_class: type = LanguageModel
) -> tuple[float, nn.Module]:
    """CPU seconds of the task's recipe in so many steps, and the model; the caller validates it."""
    recipe = replace(task.recipe, max_steps=steps, warmup=min(task.recipe.warmup, steps // 3))
    unvalidated = replace(task, validation_ids=task.validation_ids[: recipe.block])
    began = time.process_time()
    model, _ = train_language_model(unvalidated, seed, recipe, model_class, progress=False, threads=1)
    return time.process_time() - began, model
