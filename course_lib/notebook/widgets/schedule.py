"""The learning rate over a run, for any warm-up."""

from functools import lru_cache

import ipywidgets
import torch

from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel


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

    def draw(warmup: int, max_iters: int) -> list[Panel]:
        title = f"warm-up {warmup} of {max_iters} iterations"
        panel = Panel(title, "iteration", "learning rate", (0, max_iters), (0, 1.2 * base_rate), width=480)
        seen = rates(warmup, max_iters)
        panel.line(range(len(seen)), seen).guide_at_y(base_rate, "base rate").guide_at_x(warmup, "end of the warm-up")
        return [panel]

    def describe(warmup: int, max_iters: int) -> str:
        seen = rates(warmup, max_iters)
        return (
            f"The learning rate over {max_iters} iterations with a warm-up of {warmup}: it starts at {seen[0]:.2g}, is "
            f"highest, {max(seen):.2g}, at iteration {seen.index(max(seen))}, and ends at {seen[-1]:.2g}."
        )

    warmup = ipywidgets.IntSlider(value=50, min=10, max=200, step=10, description="warm-up")
    max_iters = ipywidgets.SelectionSlider(options=[200, 400, 1000, 2000], value=400, description="iterations")
    return Explorer(draw, describe, warmup=warmup, max_iters=max_iters)
