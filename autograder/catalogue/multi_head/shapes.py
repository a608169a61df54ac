"""What is looked for in both ways of moving heads."""

import numpy as np

from autograder.catalogue.checks import fits, is_true
from autograder.catalogue.exercise import Property


def sizes_of_one_stay(output: str, shapes: dict[str, tuple[int, ...]]) -> Property:
    """In each of these cases the output has this shape, and holds the numbers of x in whatever order."""

    def rearranged_to(shape):
        return lambda result, x: result.shape == shape and np.array_equal(np.sort(result, None), np.sort(x, None))

    checks = (
        fits(case, [output], ["x"], rearranged_to(shape), f"{case}: another shape, or other numbers")
        for case, shape in shapes.items()
    )
    return Property("sizes of one stay axes", 0.5, *checks)


def gradients_flow(output: str, ndim: int) -> Property:
    """Every feature of x gets a gradient from the output, which has `ndim` axes."""
    check = is_true(
        "gradient",
        ["gradient", output],
        lambda gradient, result: abs(gradient).min() > 0.1 and result.ndim == ndim,
        "some features get no gradient",
    )
    return Property("gradients flow through", 0.5, check)
