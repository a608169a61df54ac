"""What an exercise is, and every exercise of the course. A topic is imported when it is first asked for."""

import importlib
from functools import cache

from autograder.catalogue.exercise import Exercise
from autograder.stages import stage_named, stage_of


@cache
def exercises_of(stage: str) -> tuple[Exercise, ...]:
    """The exercises of a stage, in the order in which the page sets them."""
    topic = importlib.import_module(f"autograder.catalogue.{stage_named(stage).topic}")
    by_id = {exercise.id: exercise for exercise in topic.EXERCISES}
    return tuple(by_id[name] for name in stage_named(stage).exercises)


def find(exercise_id: str) -> Exercise:
    """The exercise with this id."""
    return next(e for e in exercises_of(stage_of(exercise_id).name) if e.id == exercise_id)
