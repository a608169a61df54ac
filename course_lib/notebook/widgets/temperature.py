"""What a temperature does to a softmax."""

from collections.abc import Callable, Sequence

import ipywidgets
import torch

from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole

LOGITS = (2.0, 1.0, 0.5, -0.5, -1.0)


def softmax_temperature(softmax: Callable | None = None, logits: Sequence[float] = LOGITS) -> Explorer:
    """A slider for the temperature: the logits are divided by it before the softmax.

    Args:
        softmax: called as `softmax(logits, dim=-1)`, yours for instance; None takes torch's.
        logits: a handful of numbers.

    Source: Hinton, Vinyals and Dean 2015, "Distilling the Knowledge in a Neural Network", section 2, equation 1.
    """
    softmax = softmax or torch.softmax
    scores = torch.tensor(logits, dtype=torch.float32)  # [S]

    def weights(temperature: float) -> torch.Tensor:
        return softmax(scores / temperature, dim=-1).detach()  # [S]

    def spread(weights: torch.Tensor) -> float:
        """The effective number of choices: the exponential of the entropy."""
        return torch.special.entr(weights).sum().exp().item()

    def draw(temperature: float) -> list[Panel]:
        values = weights(temperature)
        title = f"softmax(logits / {temperature:.2g}): as {spread(values):.1f} equal choices"
        span = min(0.0, *logits) - 0.3, max(0.0, *logits) + 0.3
        given = Panel("the logits", "entry", "logit", whole(len(logits)), span)
        taken = Panel(title, "entry", "weight", whole(len(logits)), (0, 1.1))
        return [given.bars(logits), taken.bars(values.tolist(), labels=True)]

    def describe(temperature: float) -> str:
        values = weights(temperature)
        numbers = ", ".join(f"{value:.2f}" for value in values)
        return (
            f"Bar charts of {len(scores)} logits and of their softmax at temperature {temperature:.2g}: the weights "
            f"are {numbers}, as spread out as {spread(values):.1f} equal choices."
        )

    slider = ipywidgets.FloatLogSlider(value=1.0, min=-1.3, max=1.3, step=0.05, description="temperature")
    return Explorer(draw, describe, temperature=slider)
