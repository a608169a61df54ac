"""Programs that JAX traced, run by NumPy: the numbers are those of JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.probes.haste import in_haste
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
    "draws of other kinds": lambda x: (
        jax.random.bernoulli(jax.random.key(5), 0.3, (11, 7)),
        jax.random.truncated_normal(jax.random.key(7), -2.0, 2.0, (13,)),
        jax.random.bits(jax.random.key(11), (5,), "uint8"),
        jax.random.permutation(jax.random.key(13), 17),
    ),
    "keys split, folded, sliced and mapped": lambda x: jax.vmap(
        lambda key, n: jax.random.uniform(jax.random.fold_in(jax.random.split(key, 3)[1], n), (2,))
    )(jax.random.split(jax.random.key(3), (5,))[::-1], jnp.arange(5)),
    "a key carried by a scan": lambda x: jax.lax.scan(
        lambda key, row: (jax.random.split(key)[0], row + jax.random.uniform(key)), jax.random.key(2), x
    )[1],
    "a scan over keys": lambda x: jax.lax.scan(
        lambda total, key: (total + jax.random.uniform(key), None), 0.0, jax.random.split(jax.random.key(1), 4)
    )[0],
    "numbers of keys": lambda x: jax.random.key_data(jax.random.wrap_key_data(jnp.array([3, 5], jnp.uint32))),
    "sorted": lambda x: jnp.sort(x, axis=1),
    "an order": lambda x: jnp.argsort(-x, axis=0),
    "stacked": lambda x: jnp.stack([x, 2 * x], axis=-1),
    "a window": lambda x: jax.lax.dynamic_slice(x, (1, 2, 9), (1, 2, 3)),
    "rows by number, some outside": lambda x: (
        x[:, jnp.array([2, 0, -1, 7])],
        x[jnp.array([1, 0, 1]), :, jnp.array([3, 0, 9])],
        x.at[jnp.array([5, 1])].get(mode="fill"),
        x.at[jnp.array([5, 1]), 1].get(mode="clip"),
        (x * 10).astype(jnp.int32).at[:, jnp.array([-9, 2])].get(mode="fill"),
        jnp.take(x, jnp.array([[0, 5], [1, 1]]), axis=2),
        jnp.take_along_axis(x, jnp.array([[[1], [3], [0]], [[2], [2], [3]]]), axis=2),
    ),
    "rows by number, in a map": jax.vmap(lambda row: row[(row[:, 0] > 1).astype(jnp.int32)], in_axes=1, out_axes=2),
    "entries changed": lambda x: (
        x.at[:, jnp.array([2, 0, 2])].add(3.0),
        x.at[jnp.array([1, 4, 0]), :, jnp.array([3, 1, 9])].set(x[0, :, :3].T),
        x.at[..., 1].multiply(x[..., 2]),
        x.at[1, jnp.array([0, 0, 2])].min(x[0]),
        x.at[jnp.array([0, 0])].max(x[::-1]),
        x.at[0, 1].set(0.0),
        x.at[jnp.array([7, 1])].set(5.0, mode="clip"),
    ),
    "entries changed, in a map": jax.vmap(lambda row: row.at[(row[:, 0] > 1).astype(jnp.int32)].add(row), 1, 2),
    "the gradient of rows by number": jax.grad(lambda x: (x[:, jnp.array([2, 0, 2])] ** 2).sum()),
    "the error function and its inverse": lambda x: (jax.lax.erf(x), jax.lax.erf_inv(x / 3.5), jnp.nextafter(x, -x)),
    "an operation that has no row": lambda x: jnp.linalg.qr(x)[1] + jnp.linalg.det(x[:, :3, :3])[:, None, None],
}
KEYS = {
    "split": lambda key: jax.random.split(key),
    "of another generator": lambda key: jax.random.split(jax.random.key(3, impl="rbg")),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_gives_what_jax_gives(program):
    expected = jax.tree.leaves(program(X))
    found = run(jax.make_jaxpr(program)(X), X)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("program", KEYS.values(), ids=KEYS)
def test_keys_come_out_as_keys(program):
    key = jax.random.key(19)
    expected = program(key)
    (found,) = run(jax.make_jaxpr(program)(key), key)
    assert found.dtype == expected.dtype
    assert (jax.random.key_data(found) == jax.random.key_data(expected)).all()


def test_draws_are_jax_s_under_its_other_setting_too():
    with jax.threefry_partitionable(False):
        program = PROGRAMS["draws of other kinds"]
        expected = jax.tree.leaves(program(X))
        found = run(jax.make_jaxpr(program)(X), X)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-5)
    assert (found[2] == expected[2]).all()


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


def test_what_asks_for_values_is_called_on_values_but_not_in_haste():
    def asks(x):
        return x if x.sum() > 0 else -x

    assert called(asks, X).shape == X.shape
    with in_haste(), pytest.raises(jax.errors.TracerBoolConversionError):
        called(asks, X)
