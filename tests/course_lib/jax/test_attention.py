"""Stage 21's references, held against torch's, a published example, and JAX's own transformations."""

import jax
import jax.numpy as jnp
import numpy as np
import torch

from course_lib.jax.attention import dropout, init_attention, multihead_attention, scaled_dot_product
from course_lib.model.multi_head import MultiheadAttention


def test_the_printed_example_of_the_uva_notebook_is_met_to_a_millionth():
    q = jnp.array([[-0.6613315, 0.70056266], [0.08239268, -1.7793142], [-0.04378588, 1.0965251]])
    k = jnp.array([[1.7257481, 0.35568172], [1.3034704, 1.2873708], [1.6871481, -0.5714404]])
    v = jnp.array([[1.5129997, 1.1050899], [0.27949408, -0.46224892], [-1.1003422, -1.1437942]])
    values, attention = scaled_dot_product(q, k, v)
    printed = [[0.376226, -0.14656176], [-0.42778552, -0.5989564], [0.4362476, -0.11678296]]
    weights = [[0.27963293, 0.54049295, 0.17987415], [0.22194655, 0.06706189, 0.71099156]]
    np.testing.assert_allclose(values, printed, atol=1e-6)
    np.testing.assert_allclose(attention[:2], weights, atol=1e-6)


def test_torchs_weights_give_torchs_numbers():
    torch.manual_seed(3)
    theirs, x = MultiheadAttention(7, 12, 3), torch.randn(2, 5, 7)
    layers = {"qkv_proj": theirs.qkv_proj, "o_proj": theirs.o_proj}
    params = {
        name: {"kernel": jnp.array(layer.weight.detach().numpy().T), "bias": jnp.array(layer.bias.detach().numpy())}
        for name, layer in layers.items()
    }
    expected, weights = theirs(x, return_attention=True)
    output, attention = multihead_attention(params, jnp.array(x.numpy()), 3)
    np.testing.assert_allclose(output, expected.detach(), atol=1e-5)
    np.testing.assert_allclose(attention, weights.detach(), atol=1e-5)


def test_one_key_gives_one_layer_and_another_key_another_one():
    one, again, other = (init_attention(jax.random.key(seed), 5, 6, 2)["o_proj"]["kernel"] for seed in (0, 0, 1))
    assert (one == again).all()
    assert (one != other).any()


def test_dropout_keeps_the_mean():
    assert abs(dropout(jax.random.key(0), jnp.ones(10_000), 0.3).mean() - 1) < 0.05
