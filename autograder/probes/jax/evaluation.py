"""Call a function on values, as JAX does without jit, and compile nothing: NumPy carries out each operation."""

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
        """What has a derivative of its own is called; its derivative is for others."""
        return fun.call_wrapped(*tracers)

    def process_custom_vjp_call(self, primitive, fun, fwd, bwd, tracers, /, **_):
        """The same, for a derivative that goes backwards."""
        return fun.call_wrapped(*tracers)


def evaluated(function, *arguments):
    """`function(*arguments)`."""
    with set_current_trace(Evaluation()):
        return function(*arguments)
