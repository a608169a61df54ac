"""The pictures of stage 11."""

from collections.abc import Mapping

import matplotlib.pyplot as plt

from course_lib.notebook.pictures import show


def against_the_captions(truth: Mapping, found: Mapping, spread: Mapping | None, title: str) -> None:
    """Show shares of “she” against those of the captions, activity by activity.

    Args:
        truth: activity → its share in the captions.
        found: activity → the share to be compared.
        spread: activity → the lowest and the highest share of a single prompt; None draws none.
        title: what the shares are.
    """
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    axes.plot([0, 1], [0, 1], color="gray", lw=1, label="as in the captions")
    for number, activity in enumerate(sorted(truth, key=truth.get)):
        x, y = truth[activity], found[activity]
        low, high = spread[activity] if spread else (y, y)
        if spread:
            axes.plot([x, x], [low, high], color="tab:blue", lw=3, alpha=0.4, label="" if number else "single prompts")
        axes.plot(x, y, "o", color="tab:blue", markeredgecolor="black")
        below = number % 2 == 0
        axes.annotate(
            activity,
            (x, low if below else high),
            (0, -12 if below else 5),
            textcoords="offset points",
            fontsize=8,
            ha="center",
        )
    axes.set(title=title, xlabel="share of “she” in the captions", ylabel="share of “she”")
    axes.set(xlim=(-0.03, 1), ylim=(-0.12, 1.12), yticks=[0, 0.25, 0.5, 0.75, 1])
    axes.legend(loc="lower right", fontsize=8)
    values = ", ".join(f"{activity} {truth[activity]:.2f} → {found[activity]:.2f}" for activity in truth)
    show(figure, f"Ten activities, their share of “she” in the captions and here: {values}.")
