"""XLA's gather and scatter by NumPy: what `x[rows]` and `x.at[rows].set(…)` are traced to.

Both name a window of the operand for each of some starting points, and differ in which way the numbers go.

Source: OpenXLA, "Operation semantics", sections Gather and Scatter.
"""

from collections.abc import Callable

import numpy as np
from jax.lax import GatherScatterMode

SCATTERS: dict[str, Callable] = {
    "scatter-add": np.add.at,
    "scatter-sub": np.subtract.at,
    "scatter-mul": np.multiply.at,
    "scatter-min": np.minimum.at,
    "scatter-max": np.maximum.at,
    "scatter": lambda x, places, values: x.__setitem__(places, values),
}


def gather(x, starts, dimension_numbers, slice_sizes, mode, fill_value=None, **_):
    """A window of `x` for each of `starts` [..., n]; those that do not fit are moved, or filled."""
    d = dimension_numbers
    batching = dict(zip(d.operand_batching_dims, d.start_indices_batching_dims, strict=True))
    places, fits = _places(x.shape, starts, d.start_index_map, d.collapsed_slice_dims, batching, slice_sizes, mode)
    found = np.where(fits, x[places], _filling(x.dtype) if fill_value is None else fill_value).astype(x.dtype)
    return np.moveaxis(found, range(starts.ndim - 1, found.ndim), d.offset_dims) if d.offset_dims else found


def scatter(change: Callable) -> Callable:
    """A function that changes, in a copy of `x`, the window at each of `starts` [..., n] by one of `updates`."""

    def scattered(x, starts, updates, dimension_numbers, mode, **_):
        d = dimension_numbers
        batching = dict(zip(d.operand_batching_dims, d.scatter_indices_batching_dims, strict=True))
        windows = iter(updates.shape[axis] for axis in d.update_window_dims)
        single = {*d.inserted_window_dims, *batching}
        sizes = [1 if axis in single else next(windows) for axis in range(x.ndim)]
        named = d.scatter_dims_to_operand_dims
        places, fits = _places(x.shape, starts, named, d.inserted_window_dims, batching, sizes, mode)
        if window := d.update_window_dims:
            updates = np.moveaxis(updates, window, range(starts.ndim - 1, updates.ndim))
        inside = np.broadcast_to(fits, updates.shape)
        x = x.copy()
        change(x, tuple(np.broadcast_to(place, updates.shape)[inside] for place in places), updates[inside])
        return x

    return scattered


def _places(shape, starts, named, collapsed, batching, sizes, mode):
    """The indices of all windows, one array per axis, and which windows lie inside.

    The arrays broadcast to the axes of `starts` but its last, and then those of a window.
    """
    kept = [axis for axis in range(len(shape)) if axis not in collapsed and axis not in batching]
    many, places, fits = starts.ndim - 1, [], np.array(True)
    for axis, size in enumerate(shape):
        start = np.zeros((1,) * many, np.int64)
        if axis in named:
            start = starts[..., named.index(axis)].astype(np.int64)
            last = size - sizes[axis]
            fits = fits & (start >= 0) & (start <= last)
            start = np.clip(start, 0, max(last, 0))
        if axis in batching:
            start = _along(np.arange(size), batching[axis], many)
        place = start.reshape(*start.shape, *(1 for _ in kept))
        if axis in kept:
            place = place + _along(np.arange(sizes[axis]), many + kept.index(axis), many + len(kept))
        places.append(place)
    dropped = mode == GatherScatterMode.FILL_OR_DROP
    return tuple(places), fits.reshape(*fits.shape, *(1 for _ in kept)) if dropped else np.array(True)


def _along(row, axis: int, axes: int):
    """A row as the axis `axis` of `axes`."""
    return row.reshape(*(-1 if other == axis else 1 for other in range(axes)))


def _filling(dtype):
    """What XLA's gather returns for places outside, unless told: no number, or the most unlikely one."""
    if dtype.kind == "b":
        return True
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max
    return np.nan


OPERATIONS = {"gather": gather} | {name: scatter(change) for name, change in SCATTERS.items()}
