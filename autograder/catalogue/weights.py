"""Known weights for the modules of exercises, drawn from a generator, under the names of the contract."""

import torch

Sizes = dict[str, tuple[int, ...]]


def linear(name: str, width_in: int, width_out: int) -> Sizes:
    """The parameters of a Linear."""
    return {f"{name}.weight": (width_out, width_in), f"{name}.bias": (width_out,)}


def norm(name: str, dim: int) -> Sizes:
    """The parameters of a LayerNorm."""
    return {f"{name}.weight": (dim,), f"{name}.bias": (dim,)}


def drawn(g: torch.Generator, sizes: Sizes) -> dict[str, torch.Tensor]:
    """A tensor of each size: around 0, and around 1 where a norm scales."""
    return {
        name: 0.5 * torch.randn(size, generator=g) + (1.0 if "norm" in name and name.endswith("weight") else 0.0)
        for name, size in sizes.items()
    }


def scaling(sizes: Sizes, num_heads: int, factors: dict[str, float]) -> dict[str, torch.Tensor]:
    """Weights of a block whose sub-layers return the mean of what they see, or what they read, times these factors.

    Of a feed-forward this is true of what isn't negative. `factors` names the last Linear of each sub-layer.
    """
    weights = {name: torch.eye(*size) if len(size) == 2 else torch.zeros(size) for name, size in sizes.items()}
    heads = weights["self_attn.o_proj.weight"].unflatten(0, (num_heads, -1))
    weights["self_attn.qkv_proj.weight"] = heads[:, None].expand(-1, 3, -1, -1).flatten(0, 2)
    return weights | {f"{name}.weight": factor * weights[f"{name}.weight"] for name, factor in factors.items()}


def encoder_block(dim: int, hidden_dim: int) -> Sizes:
    """The parameters of an `EncoderBlock`."""
    attention = linear("self_attn.qkv_proj", dim, 3 * dim) | linear("self_attn.o_proj", dim, dim)
    feed_forward = linear("linear_net.0", dim, hidden_dim) | linear("linear_net.3", hidden_dim, dim)
    return attention | feed_forward | norm("norm1", dim) | norm("norm2", dim)


def decoder_block(dim: int, hidden_dim: int) -> Sizes:
    """The parameters of a `DecoderBlock`."""
    attention = {}
    for name in ("q", "k", "v", "out"):
        attention |= linear(f"cross_attn.{name}_proj", dim, dim)
    return encoder_block(dim, hidden_dim) | attention | norm("norm3", dim)


def stack(prefix: str, num_layers: int, block: Sizes) -> Sizes:
    """The parameters of as many blocks in a ModuleList."""
    return {f"{prefix}.{place}.{name}": size for place in range(num_layers) for name, size in block.items()}
