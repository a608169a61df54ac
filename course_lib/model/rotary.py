"""Rotary positions: a query and a key are turned by their positions, so their score sees only the difference."""

import torch


def rotate(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Turn each pair of neighbouring features by an angle that grows with the position.

        (a, b) → (a cos φ − b sin φ, a sin φ + b cos φ),   φ = m · base^(−2i/d)

    for the pair i = (feature 2i, feature 2i + 1) of the token at position m.

    Args:
        x: [..., T, d], d even.
        positions: [T], the position of each token: in any order, with gaps, starting anywhere.
        base: how slowly the slowest pair turns; a tensor [d/2] gives each pair a base of its own.

    Returns:
        [..., T, d], in the dtype of x; the angles are computed in float32 at least.

    Raises:
        ValueError: d is odd; the message names it.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2,
    equations 14 and 15.

    >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), positions=torch.tensor([0, 1]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    # BEGIN SOLUTION
    #: The angles are a table [T, d/2]: positions times base^(−2i/d), in float32 whatever x is
    #: (in bfloat16 256 and 257 are one number).
    #: x[..., 0::2] are the first features of the pairs, x[..., 1::2] the second ones.
    #: Put the two results side by side again: `torch.stack(…, dim=-1).flatten(-2)`.
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"the width must be even, because features are turned in pairs, but it is {d}")
    wide = torch.promote_types(x.dtype, torch.float32)
    frequencies = base ** (-torch.arange(0, d, 2, device=x.device).to(wide) / d)  # [d/2]
    angles = positions.to(wide).unsqueeze(-1) * frequencies  # [T, d/2]
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]  # [..., T, d/2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2).to(x.dtype)  # [..., T, d]
    # END SOLUTION
