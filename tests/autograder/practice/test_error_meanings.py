"""What JAX says while it traces is explained in the words of the course."""

import pytest

from autograder.catalogue import find
from autograder.practice.card_errors import complaints
from autograder.probes.run import describe

jax = pytest.importorskip("jax")
jnp, np = jax.numpy, pytest.importorskip("numpy")
ERRORS = {
    "an if": (lambda x: x if x.any() else -x, "a value that does not exist yet"),
    "NumPy": (lambda x: np.asarray(x), "NumPy cannot compute with a tracer"),
    "a list": (lambda x: [1, 2][x[0].astype(int)], "A shape, a range or an index depends on a value"),
    "a shape": (lambda x: jnp.ones(x.sum().astype(int)), "A shape, a range or an index depends on a value"),
    "a float": (lambda x: float(x.sum()), "keep it an array"),
    "a boolean index": (lambda x: x[x > 0], "`jnp.where(mask, x, other)` keeps the size"),
    "a method of torch": (lambda x: x.unsqueeze(0), "`.unsqueeze` is a method of PyTorch's tensors"),
}


def explained(function):
    """What a card says of the error that this call ends with."""
    try:
        function(jnp.ones(3))
    except Exception as error:  # noqa: BLE001 (JAX has a class for each)
        (complaint,) = complaints(find("jax_scaled_dot_product"), {"a case": {"error": describe(error)}}, {})
        return complaint.means
    return ""


@pytest.mark.parametrize(("function", "words"), ERRORS.values(), ids=ERRORS)
def test_an_error_of_tracing_is_explained(function, words):
    assert words in explained(jax.make_jaxpr(function))
