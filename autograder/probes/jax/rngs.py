"""`nnx.Rngs` for a trace: the same keys, in a third of the time."""

import jax
from flax import nnx


class Stream(nnx.RngStream):
    """A stream that counts without asking its count, a tracer, for its sharding.

    flax asks at each draw, and JAX answers with an error whose long message nobody reads.
    """

    def __call__(self) -> jax.Array:
        self.count._check_can_update()
        key = jax.random.fold_in(self.key[...], self.count[...])
        self.count.set_value(self.count[...] + 1)
        return key


def rngs_of(**seeds: int | jax.Array) -> nnx.Rngs:
    """`nnx.Rngs(**seeds)`: a stream of keys for each name, from its seed or key."""
    rngs = nnx.Rngs(**seeds)
    for name, stream in list(rngs.items()):
        setattr(rngs, name, Stream(stream.key[...], tag=name))
    return rngs
