"""Every exercise of the course, by stage. A stage's package is imported when it is first asked for."""

import difflib
import importlib
from functools import cache

from autograder.exercise import Exercise
from autograder.probes import PROBES_OF

STAGES = (
    "01_attention",
    "02_multi_head",
    "03_positions",
    "04_encoder",
    "05_decoder",
    "06_training",
    "07_reverse",
    "08_anomaly",
)


class UnknownExercise(KeyError):
    """No exercise has this id."""

    def __str__(self) -> str:
        return self.args[0]


@cache
def exercises_of(stage: str) -> tuple[Exercise, ...]:
    """The exercises of a stage, in the order in which the page sets them."""
    return importlib.import_module(f"autograder.exercises.{stage.split('_', 1)[1]}").EXERCISES


def stage_of(exercise_id: str) -> str:
    """The stage that sets an exercise; an `UnknownExercise` that offers the nearest id."""
    for stage in STAGES:
        if exercise_id in PROBES_OF.get(stage.split("_", 1)[1], ()):
            return stage
    every = [name for names in PROBES_OF.values() for name in names]
    near = difflib.get_close_matches(str(exercise_id), every, n=1, cutoff=0.4)
    offer = f" Did you mean “{near[0]}”?" if near else f" The ids are {', '.join(every)}."
    raise UnknownExercise(f"There is no exercise “{exercise_id}”.{offer}")


def find(exercise_id: str) -> Exercise:
    """The exercise with this id."""
    return next(e for e in exercises_of(stage_of(exercise_id)) if e.id == exercise_id)
