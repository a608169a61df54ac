"""Stage 08 on the digits: how accurate, how soon, against what the course promises its students."""

from dataclasses import replace
from statistics import mean
from typing import NamedTuple

from benchmarks.measure import entry, limited
from course_lib.tasks.task import accuracy_on_test, digits_task, train

PROMISED_SECONDS, PROMISED_ACCURACY = 15.0, 0.98


class Size(NamedTuple):
    """How many seeds, and steps of each run; None: as the recipe says."""

    seeds: int
    max_steps: int | None


FULL, TINY = Size(3, None), Size(1, 2)


def run(size: Size = FULL) -> list[dict]:
    """Seconds of the slowest run and test accuracy of the worst."""
    task = digits_task()
    recipe = replace(task.recipe, max_steps=size.max_steps or task.recipe.max_steps)
    runs = [train(task, seed, recipe, progress=False) for seed in range(size.seeds)]
    accuracies = [accuracy_on_test(task, model) for model, _ in runs]
    seconds = max(history.seconds for _, history in runs)
    print(f"anomaly on digits: mean test accuracy {mean(accuracies):.4f} over {len(runs)} seeds")
    return [
        limited("anomaly on digits, training (baseline: promised)", seconds, PROMISED_SECONDS, "s"),
        entry(
            "anomaly on digits, test accuracy (baseline: promised)",
            min(accuracies),
            PROMISED_ACCURACY,
            "accuracy",
            1.0,
            more_is_better=True,
        ),
    ]
