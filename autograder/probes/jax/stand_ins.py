"""What parts of a model are replaced by, in flax: parts whose results are known."""

import jax
import jax.numpy as jnp


class Called:
    """A stand-in: a plain object, which flax leaves alone."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *given, **named):
        return self.function(*given, **named)

    @property
    def self_attn(self):
        """Of a layer, for an encoder that collects the maps in its call."""
        return Called(ones_and_attention)


class Heard(Called):
    """A part that does what it did, and notes what it is given."""

    def __init__(self, part):
        super().__init__(part)
        self.given = []

    def __call__(self, x, *given, **named):
        self.given.append(x)
        return super().__call__(x, *given, **named)

    def __getattr__(self, name):
        return getattr(self.function, name)


def tokenwise(weight):
    """Instead of a part that looks at one token at a time; weight [d, d]."""
    return Called(lambda x, **_: jnp.sin(1 + x @ weight))


def mixing(weight):
    """Instead of an attention or a whole block: each token takes from the mean of those that it sees."""

    def attend(x, mask=None, return_attention=False, **_):
        visible = jnp.ones((x.shape[1], x.shape[1])) if mask is None else (mask != 0).astype(x.dtype)
        visible = visible[:, 0] if visible.ndim > 3 else visible  # [T, T], or [1 or B, T, T]
        attention = visible / visible.sum(-1, keepdims=True)
        output = jnp.sin(1 + (0.3 * x + attention @ x) @ weight)
        return (output, attention) if return_attention else output

    return Called(attend)


def ones_and_attention(x, mask=None, return_attention=False, **_):
    """Instead of an attention: ones, and with `return_attention` a map of equal weights for a single head."""
    tokens = x.shape[1]
    attention = jnp.full((x.shape[0], 1, tokens, tokens), 1 / tokens)
    return (jnp.ones_like(x), attention) if return_attention else jnp.ones_like(x)


def add_drawn(place, x, *_, rngs=None, **__):
    """Instead of layer number `place`: adds a number that it draws to that feature, if it has keys."""
    return x if rngs is None else x.at[..., place].add(jax.random.normal(rngs.dropout()))


def add_where_told(x, *_, deterministic=True, rngs=None, **__):
    """Instead of a part that drops something: adds 0, 1, 2, … if it is told to train, and given keys."""
    return x if deterministic or rngs is None else x + jnp.arange(x.shape[-1])
