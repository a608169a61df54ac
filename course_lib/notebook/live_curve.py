"""A picture of a training run that grows while it trains."""

import os
from collections.abc import Callable

from IPython.display import display

from course_lib.notebook.widgets.plot import Panel, picture
from course_lib.training.history import History

POINTS = 200  # of a curve: more do not show


def live_curve() -> Callable[[History], None]:
    """A callback for `fit`, called after each validation: draws the loss of every step and the validation accuracy.

    The last picture stays in the notebook. Where nobody looks (`COURSE_PICTURES=off`) the words
    are shown alone.
    """
    shown = []

    def update(history: History) -> None:
        words = describe(history)
        bundle = {"text/plain": words}
        if os.environ.get("COURSE_PICTURES") != "off":
            bundle["text/html"] = picture(panels(history), words)
        if shown:
            shown[0].update(bundle, raw=True)
        elif handle := display(bundle, raw=True, display_id=True):
            shown.append(handle)

    return update


def describe(history: History) -> str:
    """The run so far, in a sentence."""
    latest = history.validations[-1]
    return (
        f"Training, {latest.step} steps: the loss went from {history.losses[0]:.2f} to {history.losses[-1]:.3f}; "
        f"the validation accuracy is {latest.accuracy:.2%}."
    )


def panels(history: History) -> list[Panel]:
    """Loss and accuracy against the step."""
    steps = len(history.losses)
    every = -(-steps // POINTS)  # rounded up
    at = [*range(0, steps, every)]
    top = max(history.losses[step] for step in at)
    loss = Panel("Training loss", "step", "cross-entropy", (0, max(steps, 2)), (0, top * 1.05))
    loss.line([step + 1 for step in at], [history.losses[step] for step in at])
    accuracy = Panel("Validation accuracy", "step", "accuracy", (0, max(steps, 2)), (0, 1.05))
    return [loss, accuracy.line([v.step for v in history.validations], [v.accuracy for v in history.validations])]
