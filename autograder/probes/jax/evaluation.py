"""Call a function on values, as JAX does without jit, but compile nothing: NumPy carries out each operation."""

import jax
from jax.extend.core import set_current_trace

from autograder.probes.jax.interpreter import run


class Evaluation(jax.core.Trace):
    """Where operations go while it is the current trace: their results are arrays that have values."""

    def process_primitive(self, primitive, args, params, /):
        """Trace this operation alone, and run what was traced."""

        def apply(*args):
            found = primitive.bind(*args, **params)
            return found if primitive.multiple_results else [found]

        found = [jax.device_put(value) for value in run(jax.make_jaxpr(apply)(*args), *args)]
        return found if primitive.multiple_results else found[0]

    def stage_value(self, val):
        """A value that is made while this is the current trace: an array."""
        return jax.device_put(val)

    def process_custom_jvp_call(self, primitive, fun, jvp, tracers, /, **_):
        """Call a function that has a custom derivative; nothing is differentiated here."""
        return fun.call_wrapped(*tracers)

    def process_custom_vjp_call(self, primitive, fun, fwd, bwd, tracers, /, **_):
        """Likewise for a custom backward pass."""
        return fun.call_wrapped(*tracers)


def evaluated(function, *arguments):
    """What `function(*arguments)` returns, computed by NumPy on values."""
    with set_current_trace(Evaluation()):
        return function(*arguments)
