"""What several exercises of the stage are asked in the same way."""

from autograder.catalogue.checks import is_true, matches, where
from autograder.catalogue.exercise import Criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.results import Check


def bare(name: str, width_in: int, width_out: int) -> dict[str, tuple[int, int]]:
    """The parameter of a Linear without bias."""
    return {f"{name}.weight": (width_out, width_in)}


def gradients(points: float, parameters: tuple[str, ...], values: Check) -> Criterion:
    """Every parameter gets a gradient, and some do; where the values are right, whole ones, and x as well."""
    return Criterion(
        "gradients reach every parameter",
        points,
        is_true("gradients", ["gradients"], lambda g: (g > 1e-5).any(), "no parameter gets any gradient"),
        gradients_reach("gradients", parameters),
        where(values, gradients_whole("gradients", parameters), matches("gradients", "of_x")),
    )
