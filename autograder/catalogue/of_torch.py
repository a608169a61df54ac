"""Criteria that an exercise of another track takes over from torch's."""

from collections.abc import Mapping

from autograder.catalogue.exercise import Criterion, Exercise


def as_in(exercise: Exercise, points: Mapping[str, float]) -> tuple[Criterion, ...]:
    """The criteria of these names, with their checks, for other points."""
    checks = {criterion.name: criterion.checks for criterion in exercise.criteria}
    return tuple(Criterion(name, worth, *checks[name]) for name, worth in points.items())
