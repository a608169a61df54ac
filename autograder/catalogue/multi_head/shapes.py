"""A rule about shapes that both ways of moving heads share."""

from collections.abc import Callable

import numpy as np


def rearranged_to(shape: tuple[int, ...]) -> Callable[[np.ndarray, np.ndarray], bool]:
    """The result has this shape, and holds the numbers of x, in whatever order."""
    return lambda result, x: result.shape == shape and np.array_equal(np.sort(result, None), np.sort(x, None))
