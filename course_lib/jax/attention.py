"""Attention as pure functions: arrays, parameters and keys come in as arguments, new arrays go out."""

import math

import jax
import jax.numpy as jnp


def scaled_dot_product(
    q: jax.Array, k: jax.Array, v: jax.Array, mask: jax.Array | None = None
) -> tuple[jax.Array, jax.Array]:
    """Attend: each query takes a weighted mean of the values, weighted by how well its key fits.

    Args:
        q: queries, [..., L, d_k].
        k: keys, [..., S, d_k].
        v: values, [..., S, d_v].
        mask: broadcastable to [..., L, S], boolean or 0/1; 0 or False hides a key. None hides nothing.

    Returns:
        values [..., L, d_v] and attention [..., L, S], in the dtype of q, k and v. Each query that sees a key has
        weights that sum to one. For a query that sees no key, both are free but must be finite, in float16 too.

    Source: "Attention Is All You Need", section 3.2.1, equation 1.

    >>> values, attention = scaled_dot_product(jnp.zeros((1, 3)), jnp.ones((2, 3)), jnp.eye(2))
    >>> values.tolist()
    [[0.5, 0.5]]
    """
    # BEGIN SOLUTION
    #: One score for each pair of query and key, [..., L, S], divided by the root of d_k.
    #: Where the mask is 0 the score must be so low that its weight is 0. `jnp.where` chooses entry by entry;
    #: the dtype's lowest finite number (jnp.finfo) makes no NaN of a row in which everything is hidden.
    #: The weights of one query sum to one over the keys: jax.nn.softmax.
    scores = q @ jnp.swapaxes(k, -2, -1) / math.sqrt(q.shape[-1])  # [..., L, S]
    if mask is not None:
        scores = jnp.where(mask == 0, jnp.finfo(scores.dtype).min, scores)
    attention = jax.nn.softmax(scores, axis=-1)  # [..., L, S]
    return attention @ v, attention  # [..., L, d_v]
    # END SOLUTION


def expand_mask(mask: jax.Array) -> jax.Array:
    """Give a mask the axes of the scores of multi-head attention, [B, h, L, S].

    Args:
        mask: [L, S] (the same for every sequence and head), [B, L, S] (the same for every head)
            or [B, h, L, S]; B, h and L may be 1.

    Returns:
        The same entries with four axes: [1, 1, L, S], [B, 1, L, S] or [B, h, L, S].

    Raises:
        ValueError: the mask has fewer than two or more than four axes; the message gives its shape.

    >>> expand_mask(jnp.ones((2, 5, 7))).shape
    (2, 1, 5, 7)
    """
    # BEGIN SOLUTION
    #: `mask.ndim` is known while tracing, so `if` may ask for it.
    #: Indexing with None adds an axis of size 1; an array of JAX has no `.unsqueeze`.
    #: Raise a ValueError that names the shape for anything else.
    if mask.ndim not in (2, 3, 4):
        raise ValueError(
            f"a mask must be [L, S], [B, L, S] or [B, h, L, S], but its shape is {list(mask.shape)}: "
            "add the missing axes, of size 1"
        )
    if mask.ndim == 2:
        return mask[None, None]  # [1, 1, L, S]
    return mask[:, None] if mask.ndim == 3 else mask  # [B, 1, L, S] or [B, h, L, S]
    # END SOLUTION


def init_attention(key: jax.Array, input_dim: int, embed_dim: int, num_heads: int) -> dict:
    """Draw the parameters of one attention layer.

    Args:
        key: a PRNG key; it alone decides what is drawn.
        input_dim: width of the tokens that come in.
        embed_dim: width of all heads together.
        num_heads: h, which must divide embed_dim. Static under `jax.jit`, like the other two.

    Returns:
        `{"qkv_proj": {"kernel" [input_dim, 3·embed_dim], "bias" [3·embed_dim]},
        "o_proj": {"kernel" [embed_dim, embed_dim], "bias" [embed_dim]}}`, float32. Kernels are
        uniform between ±√(6 / (in + out)), biases zero.

    Raises:
        ValueError: embed_dim is not divisible by num_heads; the message names both.

    Source: Glorot & Bengio (2010), "Understanding the difficulty of training deep feedforward neural networks",
    equation 16.

    >>> jax.tree.map(jnp.shape, init_attention(jax.random.key(0), 5, 6, 2)["o_proj"])
    {'bias': (6,), 'kernel': (6, 6)}
    """
    # BEGIN SOLUTION
    #: Refuse an embed_dim that the heads do not divide.
    #: Two kernels need two keys: jax.random.split. One key used twice gives the same numbers twice.
    #: The limit of the uniform draw is √(6 / (in + out)), with the widths of this kernel.
    if embed_dim % num_heads != 0:
        raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
    qkv_key, o_key = jax.random.split(key)

    def linear(key, width_in, width_out):
        limit = math.sqrt(6 / (width_in + width_out))
        kernel = jax.random.uniform(key, (width_in, width_out), minval=-limit, maxval=limit)
        return {"kernel": kernel, "bias": jnp.zeros(width_out)}

    return {"qkv_proj": linear(qkv_key, input_dim, 3 * embed_dim), "o_proj": linear(o_key, embed_dim, embed_dim)}
    # END SOLUTION


def multihead_attention(
    params: dict, x: jax.Array, num_heads: int, mask: jax.Array | None = None
) -> tuple[jax.Array, jax.Array]:
    """Self-attention with several heads, as a function of its parameters.

    Args:
        params: the tree that `init_attention` returns. The outputs of qkv_proj are laid out head by head; within
            a head the query, the key and the value follow each other: [h, 3, d].
        x: tokens [B, T, input_dim].
        num_heads: h; each head is d = embed_dim / h wide. Static under `jax.jit`.
        mask: a mask that `expand_mask` takes, with L = S = T.

    Returns:
        output [B, T, embed_dim] and attention [B, h, T, T].

    Raises:
        ValueError: embed_dim is not divisible by num_heads; the message names both.

    Source: "Attention Is All You Need", section 3.2.2.

    >>> params = init_attention(jax.random.key(0), input_dim=5, embed_dim=6, num_heads=2)
    >>> output, attention = multihead_attention(params, jnp.ones((3, 7, 5)), num_heads=2)
    >>> output.shape, attention.shape
    ((3, 7, 6), (3, 2, 7, 7))
    """
    # BEGIN SOLUTION
    #: embed_dim is what o_proj takes in: params["o_proj"]["kernel"].shape[0]; x may have another width.
    #: Reshape the projection to [B, T, h, 3·d], put the heads before the tokens, then `jnp.split` into q, k, v.
    #: Merge the heads with a transpose and a reshape, and project with o_proj.
    qkv_proj, o_proj = params["qkv_proj"], params["o_proj"]
    embed_dim = o_proj["kernel"].shape[0]
    if embed_dim % num_heads != 0:
        raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
    B, T, _ = x.shape
    qkv = x @ qkv_proj["kernel"] + qkv_proj["bias"]  # [B, T, 3·embed_dim]
    qkv = qkv.reshape(B, T, num_heads, -1).transpose(0, 2, 1, 3)  # [B, h, T, 3·d]
    q, k, v = jnp.split(qkv, 3, axis=-1)  # [B, h, T, d] each
    mask = None if mask is None else expand_mask(mask)  # [B or 1, h or 1, T, T]
    values, attention = scaled_dot_product(q, k, v, mask)  # [B, h, T, d], [B, h, T, T]
    values = values.transpose(0, 2, 1, 3).reshape(B, T, embed_dim)  # [B, T, embed_dim]
    return values @ o_proj["kernel"] + o_proj["bias"], attention
    # END SOLUTION


def dropout(key: jax.Array | None, x: jax.Array, rate: float, deterministic: bool = False) -> jax.Array:
    """Set a random share of the entries to 0 and scale up the others, so that the mean stays.

    Args:
        key: a PRNG key; it alone decides which entries are dropped. Not used, and may be None, when deterministic.
        x: any shape.
        rate: the share that is dropped, from 0 to 1. Static under `jax.jit`.
        deterministic: return x unchanged, as when a trained model is used. Static under `jax.jit`.

    Returns:
        x / (1 − rate) where an entry is kept, 0 elsewhere; the shape and dtype of x.

    Source: Srivastava et al. (2014), "Dropout: a simple way to prevent neural networks from overfitting".

    >>> dropout(None, jnp.ones(3), 0.5, deterministic=True).tolist()
    [1.0, 1.0, 1.0]
    """
    # BEGIN SOLUTION
    #: `rate` and `deterministic` are Python values, so `if` may ask for them.
    #: jax.random.bernoulli(key, p, shape) draws one yes or no for each entry.
    #: A rate of 1 would divide by zero: all zeros, whose gradient is zero too, need no division.
    if deterministic or rate == 0:
        return x
    if rate == 1:
        return jnp.zeros_like(x)
    kept = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(kept, x / (1 - rate), 0)
    # END SOLUTION
