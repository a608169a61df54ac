"""Run a traced program with NumPy, operation by operation.

XLA compiles every operation for every shape, some 30 ms each: seconds for an exercise. What a student wrote is the
program that JAX traced, and NumPy runs that at once. An operation without a row here is left to JAX.
"""

import math
from collections.abc import Callable, Sequence

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal

from autograder.probes.jax import indexing, keys


def run(program: ClosedJaxpr, *arguments) -> list:
    """The outputs of a program: arrays of NumPy, and of JAX where they are keys."""
    found = _run(program.jaxpr, program.consts, [_plain(x) for x in arguments])
    return [_in_jax(value, atom.aval) for value, atom in zip(found, program.jaxpr.outvars, strict=True)]


def _run(jaxpr, consts: Sequence, arguments: Sequence) -> list:
    values = dict(zip(jaxpr.constvars, map(_plain, consts), strict=True))
    values |= zip(jaxpr.invars, arguments, strict=True)

    def read(atom):
        return np.asarray(atom.val, atom.aval.dtype) if isinstance(atom, Literal) else values[atom]

    for step in jaxpr.eqns:
        results = _apply(step, [read(atom) for atom in step.invars])
        values |= zip(step.outvars, results, strict=True)
    return [read(atom) for atom in jaxpr.outvars]


def _apply(step, arguments: list) -> list:
    name, params = step.primitive.name, step.params
    if inner := next((params[part] for part in ("jaxpr", "call_jaxpr") if name in CALLS and part in params), None):
        closed = isinstance(inner, ClosedJaxpr)
        return _run(inner.jaxpr if closed else inner, inner.consts if closed else (), arguments)
    if name == "scan":
        return _scan(params, arguments)
    if name == "split":
        return np.split(arguments[0], np.cumsum(params["sizes"])[:-1], params["axis"])
    if name in OPERATIONS and all(isinstance(x, np.ndarray) for x in arguments) and keys.in_reach(name, params):
        with np.errstate(all="ignore"):
            result = OPERATIONS[name](*arguments, **params)
        results = result if step.primitive.multiple_results else [result]
        return [np.asarray(x, keys.dtype_here(var.aval.dtype)) for x, var in zip(results, step.outvars, strict=True)]
    given = (_in_jax(value, atom.aval) for value, atom in zip(arguments, step.invars, strict=True))
    results = step.primitive.bind(*given, **params)
    return [_plain(x) for x in (results if step.primitive.multiple_results else [results])]


def _plain(value):
    """An array of NumPy, but for keys of other generators than JAX's usual one."""
    if isinstance(value, jax.core.Tracer):
        raise jax.errors.UnexpectedTracerError(
            "a tracer leaked: a value computed in an earlier call was kept and used again"
        )
    if not jax.dtypes.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.extended):
        return np.asarray(value)
    return keys.numbers_of(value) if keys.is_key(value) else value


def _in_jax(value, aval):
    """What an operation of JAX takes, and what a probe asked for: keys as keys."""
    return keys.keys_of(value) if isinstance(value, np.ndarray) and keys.is_key(aval) else value


def _scan(params: dict, arguments: list) -> list:
    body, consts, carried = params["jaxpr"], params["num_consts"], params["num_carry"]
    fixed, carry, rows = arguments[:consts], arguments[consts : consts + carried], arguments[consts + carried :]
    outputs = []
    for number in reversed(range(params["length"])) if params["reverse"] else range(params["length"]):
        results = _run(body.jaxpr, body.consts, [*fixed, *carry, *(_plain(row[number]) for row in rows)])
        carry, outputs = results[:carried], [*outputs, results[carried:]]
    outputs = outputs[::-1] if params["reverse"] else outputs
    shapes = [var.aval for var in body.jaxpr.outvars[carried:]]
    stacked = (_stack(column) for column in zip(*outputs, strict=True))
    return [
        *carry,
        *(stacked if outputs else (np.zeros((0, *aval.shape), keys.dtype_here(aval.dtype)) for aval in shapes)),
    ]


def _stack(column: Sequence):
    return np.stack(column) if isinstance(column[0], np.ndarray) else jax.numpy.stack(column)


def _dot_general(a, b, dimension_numbers, preferred_element_type=None, **_):
    (a_sum, b_sum), (a_batch, b_batch) = dimension_numbers
    wide = np.float64 if a.dtype.kind == "f" or a.dtype.itemsize == 2 else a.dtype
    a_free = [axis for axis in range(a.ndim) if axis not in (*a_sum, *a_batch)]
    b_free = [axis for axis in range(b.ndim) if axis not in (*b_sum, *b_batch)]
    sizes = [a.shape[axis] for axis in a_batch], [a.shape[axis] for axis in a_free], [b.shape[axis] for axis in b_free]
    summed = math.prod(a.shape[axis] for axis in a_sum)
    left = a.transpose(*a_batch, *a_free, *a_sum).reshape(*sizes[0], math.prod(sizes[1]), summed)
    right = b.transpose(*b_batch, *b_sum, *b_free).reshape(*sizes[0], summed, math.prod(sizes[2]))
    return (left.astype(wide) @ right.astype(wide)).reshape(*sizes[0], *sizes[1], *sizes[2])


def _broadcast_in_dim(x, shape, broadcast_dimensions, **_):
    sizes = [1] * len(shape)
    for axis, place in enumerate(broadcast_dimensions):
        sizes[place] = x.shape[axis]
    return np.broadcast_to(x.reshape(sizes), shape)


def _select_n(which, *cases, **_):
    return np.where(which, cases[1], cases[0]) if which.dtype == bool else np.choose(which, cases)


def _iota(dtype, shape, dimension, **_):
    sizes = [1] * len(shape)
    sizes[dimension] = shape[dimension]
    return np.broadcast_to(np.arange(shape[dimension], dtype=dtype).reshape(sizes), shape)


def _slice(x, start_indices, limit_indices, strides, **_):
    return x[tuple(map(slice, start_indices, limit_indices, strides or [None] * x.ndim))]


def _divided(a, b, **_):
    if a.dtype.kind in "iu":  # towards zero, as in C
        return np.trunc(a / b)
    return a / b


def _sort(*x, dimension, num_keys, **_):
    """By the first, then the second, … of the leading arrays; the rest follow."""
    order = np.lexsort(x[:num_keys][::-1], axis=dimension)
    return [np.take_along_axis(one, order, dimension) for one in x]


def _dynamic_slice(x, *starts, slice_sizes, **_):
    first = [min(max(int(at), 0), size - many) for at, size, many in zip(starts, x.shape, slice_sizes, strict=True)]
    return x[tuple(slice(at, at + many) for at, many in zip(first, slice_sizes, strict=True))]


def _erf_inv(x):
    """Giles (2010), "Approximating the erfinv function": in single precision, and good to it."""
    w = -np.log((1 - x) * (1 + x))
    found = np.where(w < 5, np.polyval(ERF_INV[0], w - 2.5), np.polyval(ERF_INV[1], np.sqrt(np.maximum(w, 5)) - 3)) * x
    return np.where(abs(x) == 1, np.copysign(np.inf, x), found)


def _reduced(function: Callable) -> Callable:
    return lambda x, axes, **_: function(x, axis=tuple(axes))


def _elementwise(function: Callable) -> Callable:
    return lambda *x, **_: function(*x)


ERF_INV = (  # for w < 5, and for larger ones; the highest power first
    (
        *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087),
        *(-0.00125372503, -0.00417768164, 0.246640727, 1.50140941),
    ),
    (
        *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773),
        *(-0.0076224613, 0.00943887047, 1.00167406, 2.83297682),
    ),
)

# ready-made calls, whose program is run in their place
CALLS = (
    "pjit",
    "jit",
    "closed_call",
    "core_call",
    "custom_jvp_call",
    "custom_vjp_call",
    "custom_vjp_call_jaxpr",
    "checkpoint",
    "remat2",
)
OF_ENTRIES = {
    "add": np.add,
    "add_any": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "neg": np.negative,
    "max": np.maximum,
    "min": np.minimum,
    "pow": np.power,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "square": np.square,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "erf_inv": _erf_inv,
    "nextafter": np.nextafter,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "is_finite": np.isfinite,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "not": np.invert,
    "xor": np.bitwise_xor,
    "rem": np.fmod,
    "shift_right_logical": np.right_shift,
    "shift_left": np.left_shift,
    "copy": np.copy,
    "copy_p": np.copy,
    "stop_gradient": np.copy,
    "clamp": lambda low, x, high: np.clip(x, low, high),
}
OPERATIONS = (
    {name: _elementwise(function) for name, function in OF_ENTRIES.items()}
    | keys.OPERATIONS
    | indexing.OPERATIONS
    | {
        "div": _divided,
        "integer_pow": lambda x, y, **_: x**y if y >= 0 else 1 / x**-y,
        "convert_element_type": lambda x, new_dtype, **_: x.astype(new_dtype),
        "dot_general": _dot_general,
        "broadcast_in_dim": _broadcast_in_dim,
        "select_n": _select_n,
        "bitcast_convert_type": lambda x, new_dtype, **_: np.ascontiguousarray(x).view(new_dtype).reshape(x.shape),
        "iota": _iota,
        "reshape": lambda x, new_sizes, **_: x.reshape(new_sizes),
        "transpose": lambda x, permutation, **_: x.transpose(permutation),
        "squeeze": lambda x, dimensions, **_: x.squeeze(tuple(dimensions)),
        "expand_dims": lambda x, dimensions, **_: np.expand_dims(x, tuple(dimensions)),
        "rev": lambda x, dimensions, **_: np.flip(x, tuple(dimensions)),
        "concatenate": lambda *x, dimension, **_: np.concatenate(x, dimension),
        "stack": lambda *x, axis, **_: np.stack(x, axis),
        "sort": _sort,
        "dynamic_slice": _dynamic_slice,
        "slice": _slice,
        "reduce_sum": _reduced(np.sum),
        "reduce_max": _reduced(np.max),
        "reduce_min": _reduced(np.min),
        "reduce_and": _reduced(np.all),
        "reduce_or": _reduced(np.any),
        "argmax": lambda x, axes, **_: np.argmax(x, axes[0]),
        "cumsum": lambda x, axis, reverse=False, **_: (
            np.flip(np.cumsum(np.flip(x, axis), axis), axis) if reverse else np.cumsum(x, axis)
        ),
    }
)
