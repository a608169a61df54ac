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
