"""What is asked of gradients: that every parameter gets one, and a whole one."""

from collections.abc import Iterable, Sequence

from autograder.catalogue.checks import NAMED, where
from autograder.catalogue.exercise import Criterion
from autograder.catalogue.results import Check, Finding, Results, close
from autograder.shorten_list import shorten_list


def gradients_reach(case: str, parameters: Sequence[str], free: Sequence[str] = ()) -> Check:
    """In the output `gradients`, one entry per parameter in alphabetical order, only those of `free` parameters are 0.

    −1 means that there is no such parameter, which another check looks at.
    """

    def check(results: Results) -> Finding | None:
        actual = results.output(case, "gradients")
        sizes = zip(sorted(parameters), actual, strict=True)
        dry = [name for name, size in sizes if not (size > 1e-5 or size == -1) and name not in free]
        return Finding(f"no gradient reaches {shorten_list(dry, NAMED)}", case) if dry else None

    return check


def gradients_whole(case: str, parameters: Sequence[str]) -> Check:
    """The output `norms` equals the expected gradients' norms, one entry per parameter in alphabetical order.

    If a part of the backward path is detached, every parameter still gets a gradient, but a different one.
    """

    def check(results: Results) -> Finding | None:
        actual, expected = results.output(case, "norms"), results.expected_output(case, "norms")
        sizes = zip(sorted(parameters), actual, expected, strict=True)
        other = [name for name, size, right in sizes if not (size == -1 or close(size, right, 1e-4))]
        return (
            Finding(f"a part of the gradient is missing on its way to {shorten_list(other, NAMED)}", case)
            if other
            else None
        )

    return check


def gradients_flow(
    points: float, parameters: Iterable[str], inputs: tuple[str, ...], *right: Check, free: tuple[str, ...] = ()
) -> Criterion:
    """The case `gradients`: every parameter but the `free` ones gets one; where `right`, all and the inputs whole ones.

    A second `right` is for the case `gradients under a mask`.
    """
    names = (*parameters, *inputs)
    asked = zip(right, ("gradients", "gradients under a mask"), strict=False)
    whole = (where(holds, gradients_whole(case, names)) for holds, case in asked)
    reach = gradients_reach("gradients", names, (*free, *inputs))  # an input is asked for the whole alone
    return Criterion("gradients reach every parameter", points, reach, *whole)
