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


def pretrained_and_used() -> None:
    """Show that one encoder fills in blanks first, and then, with another last layer, does other things."""
    figure, axes = plt.subplots(figsize=(10, 3.6))

    def box(x: float, y: float, words: str, colour: str, width: float = 2.2) -> None:
        axes.add_patch(plt.Rectangle((x - width / 2, y - 0.35), width, 0.7, fc="white", ec=colour, lw=2))
        axes.text(x, y, words, ha="center", va="center", fontsize=9)

    def arrow(start: tuple[float, float], end: tuple[float, float], **look) -> None:
        axes.annotate("", end, start, arrowprops={"arrowstyle": "->", **look})

    box(1.5, 0.5, "any text,\nsome words hidden", "gray", 2.6)
    box(1.5, 1.9, "encoder", "tab:blue", 2.6)
    box(1.5, 3.3, "V logits per blank", "tab:orange", 2.6)
    box(5.8, 0.5, "a review", "gray")
    box(8.8, 0.5, "a question and a text", "gray", 2.6)
    box(5.8, 1.9, "encoder", "tab:blue")
    box(8.8, 1.9, "encoder", "tab:blue", 2.6)
    box(5.8, 3.3, "[CLS] → 2 logits", "tab:green")
    box(8.8, 3.3, "where the answer starts, ends", "tab:green", 2.9)
    for x in (1.5, 5.8, 8.8):
        arrow((x, 0.85), (x, 1.55))
        arrow((x, 2.25), (x, 2.95))
    arrow((2.8, 1.9), (4.7, 1.9), linestyle="--", color="tab:blue")
    axes.text(3.75, 2.05, "its weights are copied", ha="center", fontsize=8)
    axes.text(1.5, 4.0, "pretraining: no labels needed", ha="center", weight="bold")
    axes.text(7.3, 4.0, "use: a new last layer, a few labels", ha="center", weight="bold")
    axes.set(xlim=(0, 10.4), ylim=(0, 4.3))
    axes.axis("off")
    show(
        figure,
        "Left, pretraining: text with hidden words goes through an encoder, and an output layer names each hidden "
        "word. A dashed arrow copies the encoder's weights to the right. There, two uses: a review gets two logits "
        "from the output at [CLS]; a question with a text gets the positions at which the answer starts and ends.",
    )
