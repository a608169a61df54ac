"""The parameters of decoder blocks and of the models made of them."""

from autograder.exercises.weights import Sizes, linear, norm


def encoder_block(dim: int, hidden: int) -> Sizes:
    """The parameters of an `EncoderBlock`."""
    return {
        **linear("self_attn.qkv_proj", dim, 3 * dim),
        **linear("self_attn.o_proj", dim, dim),
        **linear("linear_net.0", dim, hidden),
        **linear("linear_net.3", hidden, dim),
        **norm("norm1", dim),
        **norm("norm2", dim),
    }


def decoder_block(dim: int, hidden: int) -> Sizes:
    """The parameters of a `DecoderBlock`."""
    attention = {}
    for name in ("q", "k", "v", "out"):
        attention |= linear(f"cross_attn.{name}_proj", dim, dim)
    return encoder_block(dim, hidden) | attention | norm("norm3", dim)


def stack(prefix: str, num_layers: int, block: Sizes) -> Sizes:
    """The parameters of as many blocks in a ModuleList."""
    return {f"{prefix}.{i}.{name}": size for i in range(num_layers) for name, size in block.items()}
