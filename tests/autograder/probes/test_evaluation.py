"""What asks for values is called on values: what comes out is what JAX gives, and nothing is compiled."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from autograder.probes.jax.modules import build
from autograder.probes.jax.track import key_of, tensor
from autograder.probes.jax.transforms import called
from autograder.probes.side_effects import notice, watch_side_effects

X = np.linspace(-2, 3, 35, dtype=np.float32).reshape(5, 7)


def by_sign(x):
    return jax.nn.softmax(x @ x.T) if float(x.sum()) > 0 else -x


def dropped(x):
    return jnp.where(jax.random.bernoulli(key_of(3), 0.5, x.shape), x, 0) * float(x[0, 0])


def sloped(x):
    return jax.grad(lambda x: (nnx.relu(x) * float(x.shape[0])).sum())(x) * float(x.max())


@pytest.mark.parametrize("function", [by_sign, dropped, sloped], ids=lambda function: function.__name__)
def test_it_gives_what_jax_gives(function):
    assert np.allclose(called(function, tensor(X)), function(jnp.asarray(X)), rtol=1e-5, atol=1e-6)


def test_nothing_is_compiled(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was compiled")

    monkeypatch.setattr("jax._src.compiler.backend_compile_and_load", refuse)
    assert called(lambda x: jnp.tanh(x) * float(x[0, 0]), tensor(X[:3, :2])).shape == (3, 2)


def test_a_case_that_asks_the_same_is_not_traced_again_unless_the_trace_did_something_besides():
    traced = []

    class Scaled(nnx.Module):
        def __init__(self):
            self.scale = nnx.Param(jnp.ones(7))

        def __call__(self, x, changed):
            traced.append(changed)
            if changed:
                notice("something")
            return x * self.scale

    noticed = []
    for case in range(6):
        with watch_side_effects() as here:
            module = build(Scaled, "", {}, {"scale": np.full(7, case, np.float32)})
            changed = case > 2
            found = module.run(lambda layer, x, c=changed: layer(x, c), tensor(X), question=changed)
            noticed.append([*here])
        assert np.allclose(found, case * X)
    assert traced == [False, True, True, True]
    assert noticed == [[], [], [], ["something"], ["something"], ["something"]]
