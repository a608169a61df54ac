"""JAX's transformations, applied to what a student wrote."""

import jax
import jax.numpy as jnp
from jax.errors import JAXIndexError, JAXTypeError

from autograder.probes.haste import is_hasty
from autograder.probes.jax.evaluation import evaluated
from autograder.probes.jax.interpreter import run
from autograder.probes.jax.track import noting


def traced(function, *arguments):
    """What `jax.jit` does, without its compiler: trace, on shapes alone, and run what was traced.

    Whatever asks for values while tracing raises JAX's own error. It is traced twice: a value that the first call
    kept is a tracer that leaked in the second.
    """
    with noting():
        jax.make_jaxpr(lambda *given: function(*given))(*arguments)  # JAX would remember the function
    return _run(function, *arguments)


def program_of(function, *arguments):
    """What JAX traces, and the structure of what it returns."""
    program, shapes = jax.make_jaxpr(function, return_shape=True)(*arguments)
    return program, jax.tree.structure(shapes)


def called(function, *arguments, trace=program_of):
    """What the function returns; one that asks for values is called on values, without being traced.

    On values each operation is a program of its own, which takes several times as long: nobody waits for that in haste.
    """
    try:
        return _run(function, *arguments, trace=trace)
    except (JAXTypeError, JAXIndexError):
        if is_hasty():
            raise
        return evaluated(function, *jax.device_put(arguments))  # the weights of a module are arrays of NumPy


def gradients(function, *arguments):
    """The gradients of the arguments when the entries of the output weigh −1 to 1."""

    def weighed(*arguments):
        output = function(*arguments)
        return (output * jnp.linspace(-1, 1, output.size, dtype=output.dtype).reshape(output.shape)).sum()

    return called(jax.grad(weighed, argnums=tuple(range(len(arguments)))), *arguments)


def _run(function, *arguments, trace=program_of):
    program, structure = trace(function, *arguments)
    return jax.tree.unflatten(structure, run(program, *jax.tree.leaves(arguments)))
