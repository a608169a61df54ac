"""How the softmax saturates as the keys get wider, with scaling and without."""

import ipywidgets
import torch

from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole

KEYS = 8


def saturation(seed: int = 0) -> Explorer:
    """A slider for d_k: the weights of one query over 8 random keys, raw and divided by √d_k.

    Args:
        seed: of the random query and keys.

    Source of the argument: "Attention Is All You Need", section 3.2.1.
    """
    generator = torch.Generator().manual_seed(seed)
    query, keys = torch.randn(1024, generator=generator), torch.randn(KEYS, 1024, generator=generator)

    def weights(d_k: int) -> dict[str, torch.Tensor]:
        scores = keys[:, :d_k] @ query[:d_k]  # [S]
        return {
            "not scaled": torch.softmax(scores, -1),
            "divided by √d_k": torch.softmax(scores / d_k**0.5, -1),
        }

    def draw(d_k: int) -> list[Panel]:
        return [
            Panel(f"{name}: largest {values.max():.2f}", "key", "attention weight", whole(KEYS)).bars(values.tolist())
            for name, values in weights(d_k).items()
        ]

    def describe(d_k: int) -> str:
        raw, scaled = weights(d_k).values()
        return (
            f"Two bar charts of the weights of one query over {KEYS} keys at d_k = {d_k}. "
            f"Not scaled, the largest weight is {raw.max():.2f}; divided by the root of d_k it is {scaled.max():.2f}."
        )

    sizes = [2**power for power in range(11)]
    return Explorer(draw, describe, d_k=ipywidgets.SelectionSlider(options=sizes, value=64, description="d_k"))
