"""The parts of an encoder block that stage 22 gives: attention and feed-forward as flax modules, and the norm."""

from functools import partial

import jax
from flax import nnx

from course_lib.jax.attention import multihead_attention

# torch's layer norm: nnx's own default is an epsilon of 1e-6, and a variance that cancels where the mean is large
LayerNorm = partial(nnx.LayerNorm, epsilon=1e-5, use_fast_variance=False)


class MultiheadAttention(nnx.Module):
    """The function `multihead_attention`, with parameters of its own.

    Args:
        input_dim: width of the tokens that come in.
        embed_dim: width of all heads together, and of what goes out.
        num_heads: h, which must divide embed_dim.
        rngs: where the kernels are drawn from.

    `layer(x, mask=None, return_attention=False)`: x [B, T, input_dim], a mask that `expand_mask` takes. Returns
    [B, T, embed_dim], or the pair of it and the attention [B, h, T, T].
    """

    def __init__(self, input_dim: int, embed_dim: int, num_heads: int, *, rngs: nnx.Rngs):
        xavier = nnx.initializers.xavier_uniform()
        self.num_heads = num_heads
        self.qkv_proj = nnx.Linear(input_dim, 3 * embed_dim, kernel_init=xavier, rngs=rngs)
        self.o_proj = nnx.Linear(embed_dim, embed_dim, kernel_init=xavier, rngs=rngs)

    def __call__(self, x: jax.Array, mask: jax.Array | None = None, return_attention: bool = False):
        layers = {"qkv_proj": self.qkv_proj, "o_proj": self.o_proj}
        params = {name: {"kernel": layer.kernel[...], "bias": layer.bias[...]} for name, layer in layers.items()}
        output, attention = multihead_attention(params, x, self.num_heads, mask)
        return (output, attention) if return_attention else output


class FeedForward(nnx.Module):
    """Widen every token, keep what is positive, and narrow it again.

    Args:
        dim: width of the tokens that come in and go out.
        hidden_dim: width in between.
        dropout: probability with which a hidden number is dropped while training.
        rngs: where the kernels are drawn from.

    `layer(x, *, deterministic=True, rngs=None)`: x [..., dim]. Returns the same shape.
    """

    def __init__(self, dim: int, hidden_dim: int, dropout: float = 0.0, *, rngs: nnx.Rngs):
        self.linear_in = nnx.Linear(dim, hidden_dim, rngs=rngs)
        self.dropout = nnx.Dropout(dropout)
        self.linear_out = nnx.Linear(hidden_dim, dim, rngs=rngs)

    def __call__(self, x: jax.Array, *, deterministic: bool = True, rngs: nnx.Rngs | None = None) -> jax.Array:
        hidden = self.dropout(self.linear_in(x), deterministic=deterministic, rngs=rngs)  # [..., hidden_dim]
        return self.linear_out(nnx.relu(hidden))  # [..., dim]
