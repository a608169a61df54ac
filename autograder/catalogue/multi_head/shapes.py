"""What is looked for in both ways of moving heads."""

import numpy as np

from autograder.catalogue.checks import fits, is_true
from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import KnownMistake, mistake
from autograder.catalogue.exercise import Criterion

FLOW = "gradients flow through"


def sizes_of_one_stay(output: str, shapes: dict[str, tuple[int, ...]]) -> Criterion:
    """In each of these cases the output has this shape, and holds the numbers of x in whatever order."""

    def rearranged_to(shape):
        return lambda result, x: result.shape == shape and np.array_equal(np.sort(result, None), np.sort(x, None))

    checks = (
        fits(case, [output], ["x"], rearranged_to(shape), f"{case}: a different shape, or different numbers")
        for case, shape in shapes.items()
    )
    return Criterion("sizes of one stay axes", 0.25, *checks)


def gradients_flow(output: str, ndim: int) -> Criterion:
    """Every feature of x gets a gradient from the output, which has `ndim` axes."""
    return Criterion(
        FLOW,
        0.25,
        is_true("gradient", [output], lambda result: result.ndim == ndim, f"the result does not have {ndim} axes"),
        is_true("gradient", ["gradient"], lambda grad: abs(grad).min() > 0.1, "some features get no gradient"),
    )


def of_both_ways(output: str, last_step: str, in_place: dict[str, str]) -> tuple[KnownMistake, ...]:
    """What goes wrong in both; `in_place` is the edit that changes x."""
    return (
        mistake("axes of size one squeezed away", {last_step: f"{last_step}.squeeze()"}).because(
            "You call squeeze, which removes every axis of size 1, even with one head, one token or one "
            "sample; remove only the axis you mean.",
            "What does squeeze() do to a batch of one?",
        ),
        mistake("cut from the graph", {"return x": "return x.detach()"}).because(
            "Your result is detached from the input, so no gradient flows back through it.",
            "Which call in your code cuts the graph: .data, .detach(), .tolist(), torch.tensor?",
        ),
        overwrites("x", in_place, "methods that end in _ change the caller's own tensor.", "x changed in place"),
        in_double_precision(output, {"return x": "return x.double()"}),
        mistake(
            "in single precision", {"return x": "return x.float()"}, shown_by=f"{output} is float32, expected int64"
        ).because(
            "You return float32 for every input. Give the result the dtype of x.",
            "What is the dtype of `torch.zeros(…)` if you don't say which?",
        ),
    )
