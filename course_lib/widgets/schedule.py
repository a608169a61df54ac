"""The learning rate over a run, for any warm-up."""

from functools import lru_cache

import ipywidgets
import torch
from matplotlib.figure import Figure

from course_lib.widgets.canvas import panels, words_on
from course_lib.widgets.explorer import Explorer


def schedule_explorer(scheduler_class: type | None = None, base_rate: float = 1e-3) -> Explorer:
    """Sliders for the warm-up and the length of the run: the rate of every iteration.

    Args:
        scheduler_class: made as `scheduler_class(optimizer, warmup, max_iters)`: yours, for instance; None
            takes course_lib's `CosineWarmupScheduler`.
        base_rate: the optimiser's own rate.

    Source: "Attention Is All You Need", section 5.3 (warm-up).
    """
    if scheduler_class is None:
        from course_lib import CosineWarmupScheduler as scheduler_class

    @lru_cache(maxsize=64)
    def rates(warmup: int, max_iters: int) -> list[float]:
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=base_rate)
        scheduler = scheduler_class(optimizer, warmup, max_iters)
        seen = [optimizer.param_groups[0]["lr"]]
        for _ in range(max_iters):
            optimizer.step()
            scheduler.step()
            seen.append(optimizer.param_groups[0]["lr"])
        return seen

    def draw(warmup: int, max_iters: int) -> Figure:
        figure, (axes,) = panels(5.5, height=2.4)
        axes.plot(rates(warmup, max_iters), color="tab:blue")
        axes.axhline(base_rate, color="black", linestyle=":", label="base rate")
        axes.axvline(warmup, color="black", linestyle="--", label="end of the warm-up")
        axes.set_xlim(0, 500)
        axes.set_ylim(0, 1.1 * base_rate)
        axes.legend(loc="upper right", fontsize=8)
        words_on(axes, f"warm-up {warmup} of {max_iters} iterations", "iteration", "learning rate")
        return figure

    def describe(warmup: int, max_iters: int) -> str:
        seen = rates(warmup, max_iters)
        return (
            f"The learning rate over {max_iters} iterations with a warm-up of {warmup}: it starts at {seen[0]:.2g}, is "
            f"highest, {max(seen):.2g}, at iteration {seen.index(max(seen))}, and ends at {seen[-1]:.2g}."
        )

    warmup = ipywidgets.IntSlider(value=50, min=0, max=200, step=10, description="warm-up")
    max_iters = ipywidgets.IntSlider(value=400, min=100, max=500, step=50, description="iterations")
    return Explorer(draw, describe, warmup=warmup, max_iters=max_iters)
