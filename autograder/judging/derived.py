"""Arrays that anybody gets from one input: a copy, a part, its numbers in another order, one step of arithmetic."""

from itertools import combinations

import numpy as np

REDUCTIONS = (np.sum, np.mean, np.max, np.min, np.argmax, np.argmin)


def is_near(one: float, other: float) -> bool:
    """Two numbers, but for rounding."""
    return abs(one - other) <= 1e-5 + 1e-4 * abs(other)


def differ(one: np.ndarray, other: np.ndarray, precision: float = 1e-5) -> bool:
    """Two arrays have other shapes or other numbers, beyond rounding."""
    return one.shape != other.shape or bool(
        (np.abs(np.subtract(one, other, dtype=float)) > precision + 1e-4 * np.abs(other)).any()
    )


def is_constant(array: np.ndarray) -> bool:
    """All numbers are equal, or none is finite."""
    array = array.astype(np.float64)
    array = array[np.isfinite(array)]
    return not array.size or bool(np.ptp(array) <= 1e-9 * max(1.0, np.abs(array).max()))


def rows(array: np.ndarray | None) -> set[bytes]:
    """The rows along the last axis; empty if there is no axis."""
    if array is None or not array.ndim:
        return set()
    return {row.tobytes() for row in array.reshape(-1, array.shape[-1]).astype(np.float32)}


def is_copy(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other, but for its scale; or it is as far as that goes, and one number from there on."""
    if came.ndim != given.ndim or not came.ndim or not given.size:
        return False
    corner = tuple(slice(min(pair)) for pair in zip(came.shape, given.shape, strict=True))
    rest = np.ones(came.shape, dtype=bool)
    rest[corner] = False
    return (
        2 * came[corner].size >= given.size
        and is_constant(came[rest])
        and _is_affine(came[corner], given[corner], precision)
    )


def is_mean(came: np.ndarray, given: np.ndarray) -> bool:
    """One is the other's mean over two axes or more; over one it may be the right mean, but for what was left out."""
    if not 0 < came.ndim < given.ndim - 1:
        return False
    return any(
        not differ(came, given.mean(axes, dtype=np.float64))
        for axes in combinations(range(given.ndim), given.ndim - came.ndim)
        if came.shape == tuple(size for axis, size in enumerate(given.shape) if axis not in axes)
    )


def is_even(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other's magnitudes or squares, but for its scale."""
    return given.dtype != bool and any(is_copy(came, step(given), precision) for step in (np.abs, np.square))


def is_place(came: np.ndarray, given: np.ndarray) -> bool:
    """One is what stands at one place along two axes of the other, or more."""
    if not 0 < came.ndim < given.ndim - 1 or not given.size:
        return False
    for axes in combinations(range(given.ndim), given.ndim - came.ndim):
        along = np.moveaxis(given, axes, range(len(axes)))
        if along.shape[len(axes) :] == came.shape and not all(
            differ(came, along[place]) for place in np.ndindex(along.shape[: len(axes)])
        ):
            return True
    return False


def is_reduced(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other at one place along an axis, or its sum, mean or largest number over that axis."""
    if came.ndim not in (given.ndim - 1, given.ndim) or not given.size:
        return False
    for axis, size in enumerate(given.shape):
        across = np.moveaxis(given, axis, 0).astype(np.float64)
        left = came.squeeze(axis) if came.ndim == given.ndim and came.shape[axis] == 1 < size else came
        if across[0].shape == left.shape:
            places = (across[place] for place in range(size))
            if not all(
                differ(left, part, precision) for part in (*places, *(reduce(across, 0) for reduce in REDUCTIONS))
            ):
                return True
    return False


def is_part(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other without its first places along an axis, or without its last ones."""
    if came.ndim != given.ndim or not came.size:
        return False
    shorter = [axis for axis in range(given.ndim) if came.shape[axis] != given.shape[axis]]
    if len(shorter) != 1 or came.shape[shorter[0]] > given.shape[shorter[0]]:
        return False
    many, along = came.shape[shorter[0]], np.moveaxis(given, shorter[0], 0)
    left = np.moveaxis(came, shorter[0], 0)
    return not (differ(left, along[:many], precision) and differ(left, along[-many:], precision))


def is_rearranged(came: np.ndarray, given: np.ndarray) -> bool:
    """One has the numbers of the other, each as often."""
    return came.size == given.size and not differ(np.sort(came, axis=None), np.sort(given, axis=None))


def _is_affine(came: np.ndarray, given: np.ndarray, precision: float) -> bool:
    """One is the other, multiplied by a number and shifted by one, to within the precision."""
    finite = np.isfinite(given)
    if not np.array_equal(np.isfinite(came), finite):
        return False
    came, given = came[finite].astype(np.float64), given[finite].astype(np.float64)
    if is_constant(given):
        return np.array_equal(came, given)
    apart = given - given.mean()
    slope = came @ apart / (apart @ apart)
    return bool(np.allclose(came, came.mean() + slope * apart, rtol=1e-4, atol=max(precision, 1e-5 * np.ptp(came))))
