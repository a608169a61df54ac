"""The encoder and the predictor as flax modules, which hold parameters only: keys come with the call."""

import jax
import jax.numpy as jnp
from flax import nnx

from course_lib.jax.layers import FeedForward, LayerNorm, MultiheadAttention


class PositionalEncoding(nnx.Module):
    """Add to every token a vector of sines and cosines that depends on its position alone.

        pe[t, 2i] = sin(t / 10000^(2i / d_model)),   pe[t, 2i + 1] = cos(t / 10000^(2i / d_model))

    Args:
        d_model: width of the tokens; may be odd, then the last column is a sine.
        max_len: the longest sequence that can come.

    State: none. An array kept as an attribute would be state, and be trained.

    `layer(x)`: x [B, T, d_model]. Returns x plus the encoding of the positions 0 to T − 1.

    Raises:
        ValueError: T is larger than max_len; the message names both.

    Source: "Attention Is All You Need", section 3.5.

    >>> PositionalEncoding(d_model=4, max_len=3)(jnp.zeros((1, 1, 4))).tolist()
    [[[0.0, 1.0, 0.0, 1.0]]]
    """

    def __init__(self, d_model: int, max_len: int = 5000):
        # BEGIN SOLUTION
        #: Keep the two numbers, and no array: compute the rows when they are needed.
        self.d_model, self.max_len = d_model, max_len
        # END SOLUTION

    def __call__(self, x: jax.Array) -> jax.Array:
        # BEGIN SOLUTION
        #: Shapes are known while tracing: refuse a sequence that is too long with `if` and a ValueError.
        #: The angles are a table: positions down, one frequency for each pair of columns across.
        #: Stack sines and cosines along a new last axis and reshape: they take turns. An odd d_model cuts one off.
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(f"a sequence of {length} tokens is longer than max_len ({self.max_len}): raise max_len")
        frequencies = 10000.0 ** (-jnp.arange(0, self.d_model, 2) / self.d_model)  # [⌈d_model/2⌉]
        angles = jnp.arange(length)[:, None] * frequencies  # [T, ⌈d_model/2⌉]
        pe = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)  # [T, ⌈d_model/2⌉, 2]
        return x + pe.reshape(length, -1)[:, : self.d_model]  # [B, T, d_model]
        # END SOLUTION


class EncoderBlock(nnx.Module):
    """Tokens look at each other, then each one thinks for itself; norm after each residual (post-norm).

        x = norm1(x + dropout(self_attn(x))),   x = norm2(x + dropout(linear_net(x)))

    Args:
        input_dim: width of the tokens that come in and go out.
        num_heads: heads of the attention.
        dim_feedforward: hidden width of the feed-forward.
        dropout: probability, for the two sub-layers' outputs and inside the feed-forward.
        rngs: where the parameters are drawn from.

    Parameters:
        self_attn: MultiheadAttention. linear_net: FeedForward. norm1, norm2: LayerNorm. Nothing else is state.

    `block(x, mask=None, *, deterministic=True, rngs=None)`: x [B, T, input_dim], a mask that `expand_mask` takes.
    Returns [B, T, input_dim]. With `deterministic=False` entries drop, by the keys of `rngs`.

    Source: "Attention Is All You Need", sections 3.1 and 5.4.

    >>> EncoderBlock(input_dim=6, num_heads=2, dim_feedforward=11, rngs=nnx.Rngs(0))(jnp.ones((3, 5, 6))).shape
    (3, 5, 6)
    """

    def __init__(self, input_dim: int, num_heads: int, dim_feedforward: int, dropout: float = 0.0, *, rngs: nnx.Rngs):
        # BEGIN SOLUTION
        #: Two sub-layers, two norms, and one nnx.Dropout(dropout) that both share; give it no rngs to keep.
        #: A residual adds input and output, so everything has the width input_dim.
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads, rngs=rngs)
        self.linear_net = FeedForward(input_dim, dim_feedforward, dropout, rngs=rngs)
        self.norm1 = LayerNorm(input_dim, rngs=rngs)
        self.norm2 = LayerNorm(input_dim, rngs=rngs)
        self.dropout = nnx.Dropout(dropout)
        # END SOLUTION

    def __call__(
        self,
        x: jax.Array,
        mask: jax.Array | None = None,
        *,
        deterministic: bool = True,
        rngs: nnx.Rngs | None = None,
    ) -> jax.Array:
        # BEGIN SOLUTION
        #: The two lines of the formula, one after the other. The mask is for the attention only.
        #: `deterministic` and `rngs` go to everything that drops: self.dropout, twice, and the feed-forward.
        #: nnx.Rngs gives a new key each time it is asked, so the two masks differ.
        noise = {"deterministic": deterministic, "rngs": rngs}
        x = self.norm1(x + self.dropout(self.self_attn(x, mask), **noise))  # [B, T, input_dim]
        return self.norm2(x + self.dropout(self.linear_net(x, **noise), **noise))  # [B, T, input_dim]
        # END SOLUTION


class TransformerEncoder(nnx.Module):
    """Encoder blocks, one after the other, each with parameters of its own.

    Args:
        num_layers: how many blocks.
        rngs: where the parameters are drawn from.
        block_args: what `EncoderBlock` takes besides, by name.

    Parameters:
        layers: nnx.List of EncoderBlock.

    `encoder(x, mask=None, *, deterministic=True, rngs=None)`: x [B, T, input_dim]; every layer gets the mask.
    Returns [B, T, input_dim].

    `get_attention_maps(x, mask=None)`: returns a list with the attention [B, h, T, T] of every layer, as the
    deterministic forward pass computes it.

    Source: "Attention Is All You Need", section 3.1, figure 1 (left).

    >>> encoder = TransformerEncoder(num_layers=2, input_dim=6, num_heads=3, dim_feedforward=11, rngs=nnx.Rngs(0))
    >>> [attention.shape for attention in encoder.get_attention_maps(jnp.ones((2, 5, 6)))]
    [(2, 3, 5, 5), (2, 3, 5, 5)]
    """

    def __init__(self, num_layers: int, *, rngs: nnx.Rngs, **block_args):
        # BEGIN SOLUTION
        #: flax refuses a plain list of modules: nnx.List holds them.
        #: Hand the same rngs to every block; each draw takes a new key from it.
        self.layers = nnx.List([EncoderBlock(**block_args, rngs=rngs) for _ in range(num_layers)])
        # END SOLUTION

    def __call__(
        self,
        x: jax.Array,
        mask: jax.Array | None = None,
        *,
        deterministic: bool = True,
        rngs: nnx.Rngs | None = None,
    ) -> jax.Array:
        # BEGIN SOLUTION
        #: What one layer gives is what the next one takes.
        #: The mask, `deterministic` and `rngs` go to every layer.
        for layer in self.layers:
            x = layer(x, mask, deterministic=deterministic, rngs=rngs)  # [B, T, input_dim]
        return x
        # END SOLUTION

    def get_attention_maps(self, x: jax.Array, mask: jax.Array | None = None) -> list[jax.Array]:
        # BEGIN SOLUTION
        #: Ask each layer's self_attn for its attention at the x that this layer gets.
        #: Then let the whole layer turn x into what the next one gets, with the mask again.
        attention_maps = []
        for layer in self.layers:
            _, attention = layer.self_attn(x, mask, return_attention=True)  # [B, h, T, T]
            attention_maps.append(attention)
            x = layer(x, mask)  # [B, T, input_dim]
        return attention_maps
        # END SOLUTION


class TransformerPredictor(nnx.Module):
    """Guess something about every token of a sequence, or of a set.

    Args:
        input_dim: width of the tokens that come in.
        model_dim: width inside; the feed-forward is 2·model_dim wide.
        num_classes: width of the guesses that go out.
        num_heads, num_layers: of the encoder.
        dropout: probability, in the encoder and before the last layer.
        input_dropout: probability, on the tokens that come in.
        rngs: where the parameters are drawn from.

    Parameters:
        input_layer: Linear. transformer: TransformerEncoder. output_hidden: Linear. output_norm: LayerNorm.
        output_layer: Linear.

    `model(x, mask=None, add_positional_encoding=True, *, deterministic=True, rngs=None)`: x [B, T, input_dim], a
    mask that `expand_mask` takes. Returns [B, T, num_classes]. A set has no order: no positional encoding.

    `get_attention_maps(x, mask=None, add_positional_encoding=True)`: returns a list with the attention [B, h, T, T]
    of every layer, as the deterministic forward pass computes it.

    Source: "Attention Is All You Need", section 3 (the encoder alone).

    >>> model = TransformerPredictor(5, model_dim=6, num_classes=3, num_heads=2, num_layers=1, rngs=nnx.Rngs(0))
    >>> model(jnp.ones((2, 7, 5))).shape
    (2, 7, 3)
    """

    def __init__(
        self,
        input_dim: int,
        model_dim: int,
        num_classes: int,
        num_heads: int,
        num_layers: int,
        dropout: float = 0.0,
        input_dropout: float = 0.0,
        *,
        rngs: nnx.Rngs,
    ):
        # BEGIN SOLUTION
        #: In: a Dropout and a Linear. Then positions and the encoder. Out: Linear, LayerNorm, ReLU, Dropout, Linear.
        #: Everything between input_layer and output_layer is model_dim wide.
        self.input_dropout = nnx.Dropout(input_dropout)
        self.input_layer = nnx.Linear(input_dim, model_dim, rngs=rngs)
        self.positional_encoding = PositionalEncoding(model_dim)
        self.transformer = TransformerEncoder(
            num_layers,
            input_dim=model_dim,
            num_heads=num_heads,
            dim_feedforward=2 * model_dim,
            dropout=dropout,
            rngs=rngs,
        )
        self.output_hidden = nnx.Linear(model_dim, model_dim, rngs=rngs)
        self.output_norm = LayerNorm(model_dim, rngs=rngs)
        self.output_dropout = nnx.Dropout(dropout)
        self.output_layer = nnx.Linear(model_dim, num_classes, rngs=rngs)
        # END SOLUTION

    def __call__(
        self,
        x: jax.Array,
        mask: jax.Array | None = None,
        add_positional_encoding: bool = True,
        *,
        deterministic: bool = True,
        rngs: nnx.Rngs | None = None,
    ) -> jax.Array:
        # BEGIN SOLUTION
        #: Through the parts in order; the positions only if requested. The encoder needs the mask.
        #: `deterministic` and `rngs` go to both dropouts and to the encoder.
        noise = {"deterministic": deterministic, "rngs": rngs}
        x = self.input_layer(self.input_dropout(x, **noise))  # [B, T, model_dim]
        if add_positional_encoding:
            x = self.positional_encoding(x)  # [B, T, model_dim]
        x = self.transformer(x, mask, **noise)  # [B, T, model_dim]
        hidden = nnx.relu(self.output_norm(self.output_hidden(x)))  # [B, T, model_dim]
        return self.output_layer(self.output_dropout(hidden, **noise))  # [B, T, num_classes]
        # END SOLUTION

    def get_attention_maps(
        self, x: jax.Array, mask: jax.Array | None = None, add_positional_encoding: bool = True
    ) -> list[jax.Array]:
        # BEGIN SOLUTION
        #: The same way in as the call, without dropout, then the encoder's own get_attention_maps, with the mask.
        x = self.input_layer(x)  # [B, T, model_dim]
        if add_positional_encoding:
            x = self.positional_encoding(x)  # [B, T, model_dim]
        return self.transformer.get_attention_maps(x, mask)
        # END SOLUTION
