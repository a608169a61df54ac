"""Programs that JAX traced, run by NumPy: the numbers are those of JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.probes.jax.interpreter import run
from autograder.probes.jax.transforms import called, gradients, traced

X = jnp.arange(1.0, 25.0).reshape(2, 3, 4) / 7
PROGRAMS = {
    "a product over two batch axes": lambda x: jnp.einsum("bij,bkj->bik", x, x),
    "a softmax": lambda x: jax.nn.softmax(x, axis=1),
    "slices, joins and turns": lambda x: jnp.concatenate([x[:, ::2], x[:, 1:]], 1)[..., ::-1].swapaxes(0, 2),
    "choices": lambda x: jnp.where(x > 1, x, -x).max(axis=0) + jnp.argmax(x, -1).sum(),
    "a scan": lambda x: jax.lax.scan(lambda total, row: (total + row, total * row), x[0], x),
    "a scan backwards": lambda x: jax.lax.scan(lambda total, row: (total - row, total), x[0], x, reverse=True),
    "a gradient": jax.grad(lambda x: (jnp.tanh(x) * jnp.cumsum(x, 1)).sum()),
    "a map": jax.vmap(lambda row: row @ row.T),
    "integers": lambda x: (x * 10).astype(jnp.int32) // 3,
    "draws from a key": lambda x: jax.random.normal(jax.random.key(3), x.shape) + x,
    "an operation that has no row": lambda x: jnp.sort(x, axis=1),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_gives_what_jax_gives(program):
    expected = jax.tree.leaves(program(X))
    found = run(jax.make_jaxpr(program)(X), X)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_what_asks_for_values_is_called_on_values():
    assert called(lambda x: x * 2 if x.sum() > 0 else x, X).shape == X.shape


def test_under_jit_what_asks_for_values_is_jax_s_own_error():
    with pytest.raises(jax.errors.TracerBoolConversionError):
        traced(lambda x: x * 2 if x.sum() > 0 else x, X)


def test_under_jit_what_an_earlier_call_kept_is_a_tracer_that_leaked():
    kept = []

    def keeps(x):
        kept.append(x)
        return kept[0] + x

    with pytest.raises(jax.errors.UnexpectedTracerError):
        traced(keeps, X)


def test_gradients_are_weighed_by_a_ramp():
    (found,) = gradients(lambda x: 3 * x, jnp.ones(5))
    np.testing.assert_allclose(found, 3 * np.linspace(-1, 1, 5), rtol=1e-6)
