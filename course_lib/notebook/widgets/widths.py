"""How the softmax saturates as the keys get wider, with scaling and without."""

import ipywidgets
import torch

from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole

QUERIES, KEYS, WIDEST = 200, 8, 1024


def saturation(seed: int = 0) -> Explorer:
    """A slider for d_k: the weights of a query over 8 random keys, raw and divided by √d_k.

    The weights of 200 random queries are sorted, the largest first, and averaged rank by rank: what is seen is the
    width's doing and not one query's luck.

    Args:
        seed: of the random queries and keys.

    Source of the argument: "Attention Is All You Need", section 3.2.1.
    """
    generator = torch.Generator().manual_seed(seed)
    queries = torch.randn(QUERIES, 1, WIDEST, generator=generator)
    products = queries * torch.randn(QUERIES, KEYS, WIDEST, generator=generator)
    sizes = [2**power for power in range(11)]
    scores = {d_k: products[..., :d_k].sum(-1) for d_k in sizes}  # [queries, S] each

    def weights(d_k: int) -> dict[str, torch.Tensor]:
        def ranked(scores: torch.Tensor) -> torch.Tensor:
            return scores.softmax(-1).sort(-1, descending=True).values.mean(0)  # [S]

        return {"not scaled": ranked(scores[d_k]), "divided by √d_k": ranked(scores[d_k] / d_k**0.5)}

    def draw(d_k: int) -> list[Panel]:
        ranks = [str(rank + 1) for rank in range(KEYS)]
        return [
            Panel(
                f"{name}: largest {values.max():.2f}", "rank of the key", "mean weight", whole(KEYS), x_names=ranks
            ).bars(values.tolist())
            for name, values in weights(d_k).items()
        ]

    def describe(d_k: int) -> str:
        raw, scaled = weights(d_k).values()
        return (
            f"Two bar charts at d_k = {d_k}: the weights of a query over {KEYS} keys, largest first, mean of "
            f"{QUERIES} random queries. Not scaled, the largest is {raw.max():.2f}; divided by the root of d_k it is "
            f"{scaled.max():.2f}."
        )

    return Explorer(draw, describe, d_k=ipywidgets.SelectionSlider(options=sizes, value=64, description="d_k"))
