"""The pictures of stage 1."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt

from course_lib.notebook.pictures import heat_maps, in_words, show


def soft_dictionary(fruits: Sequence[str], weights, colours, blend) -> None:
    """Show the weight of each fruit, in its colour, and the colour that they mix."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 2.6), width_ratios=[3, 1])
    left.bar(fruits, weights, color=colours.tolist(), edgecolor="black")
    left.set(title="How much each entry answers for the lemon", xlabel="key", ylabel="weight")
    right.imshow([[blend.tolist()]])
    right.set(title="the answer", xticks=[], yticks=[], xlabel="mixed colour")
    show(
        figure,
        f"Bar chart of the weights of {', '.join(fruits)}: {in_words(weights)}; the lime has the largest. Next to it "
        "the mixed colour, an olive green.",
    )


def sharper(weights: Mapping[float, Sequence[float]]) -> None:
    """Show the weights of the same scores, multiplied by each of these factors."""
    figure, panels = plt.subplots(1, len(weights), figsize=(10, 2.3), sharey=True)
    for axes, (factor, row) in zip(panels, weights.items(), strict=True):
        axes.bar(range(len(row)), row, color="tab:blue", edgecolor="black")
        axes.set(title=f"scores × {factor:g}", xlabel="key")
    panels[0].set(ylabel="weight", ylim=(0, 1.02))
    show(
        figure,
        "Four bar charts of the same five scores after softmax. Times 0.1 all weights are near 0.2; times 50 the "
        "second key has all the weight.",
    )


def growing_products(widths: Sequence[int], spread: Sequence[float]) -> None:
    """Show the standard deviation of random dot products by their width, and the root of the width."""
    figure, axes = plt.subplots(figsize=(5.5, 3))
    axes.loglog(widths, spread, "o", base=2, color="black", label="measured: 4,000 random pairs")
    axes.loglog(widths, [math.sqrt(d_k) for d_k in widths], "--", base=2, color="tab:blue", label="√d_k")
    axes.set(title="Dot products grow with the width", xlabel="d_k", ylabel="standard deviation")
    axes.legend()
    show(
        figure,
        f"Log-log plot: the measured standard deviation of random dot products is on the dashed line of √d_k, from "
        f"{spread[0]:.1f} at width {widths[0]} to {spread[-1]:.1f} at width {widths[-1]}.",
    )


def gradients(widths: Sequence[int], decided: Mapping, lengths: Mapping) -> None:
    """Show how many queries have decided, and how long their gradients are, by width.

    Args:
        decided: name → for each width the share of queries with a weight over 0.99.
        lengths: name → for each width a length; mean and median of the first name of `decided`, then of the second.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3))
    for (name, line), style in zip(decided.items(), ("s-", "o-"), strict=True):
        left.semilogx(widths, line, style, base=2, label=name)
    left.set(title="Queries that have decided", xlabel="d_k", ylabel="share with a weight over 0.99", ylim=(-0.03, 1))
    looks = [("s-", "C0"), ("s:", "C0"), ("o-", "C1"), ("o:", "C1")]
    for (name, line), (style, colour) in zip(lengths.items(), looks, strict=True):
        right.loglog(widths, line, style, color=colour, base=2, label=name)
    right.set(title="The gradient at a query", xlabel="d_k", ylabel="length")
    right.set_yticks([2.0**-8, 2.0**-6, 2.0**-4, 2.0**-2, 1.0])
    left.legend(loc="upper left")
    right.legend(fontsize=8)
    show(
        figure,
        "Left: without scaling, the share of queries with one weight over 0.99 rises with d_k to about 0.7; with it, "
        "it stays at 0. Right, log scale: without scaling the mean length of the gradient rises to about 1 while the "
        "median falls below a hundredth; divided by √d_k both stay near a tenth.",
    )


def masks(named: Mapping) -> None:
    """Show the causal mask, the padding mask and both."""
    heat_maps(
        named,
        "Three 6 by 6 squares. Causal: the lower left triangle with its diagonal is visible. Padding: the first four "
        "columns are. Both: the triangle without its last two columns.",
        *("key", "query", "Light = visible, dark = hidden"),
        size=(10, 3.2),
        vmin=0,
        vmax=1,
    )


def row_of_weights(truth: Sequence[float], drawn: Sequence[float] | None) -> None:
    """Show the weights of one query, next to those that were drawn by hand, if any."""
    figure, axes = plt.subplots(figsize=(6.5, 2.8))
    axes.bar_label(axes.bar(range(6), truth, 0.4, color="tab:blue", label="your scaled_dot_product"), fmt="%.2f")
    if drawn is not None:
        places = [key + 0.42 for key in range(6)]
        axes.bar_label(axes.bar(places, drawn, 0.4, color="tab:orange", hatch="//", label="what you drew"), fmt="%.2f")
    axes.set(title="The row of query 3", xlabel="key", ylabel="weight", ylim=(0, 1.1))
    axes.legend()
    beside = "" if drawn is None else f" Next to them, what was drawn: {in_words(drawn)}."
    show(figure, f"Bar chart of the weights of six keys: {in_words(truth)}.{beside}")


def under_masks(attention: Mapping) -> None:
    """Show the attention of six tokens without a mask, with the causal one, and with padding too."""
    heat_maps(
        attention,
        "Three heat maps of attention weights among six tokens. Without a mask any square may have weight, and most "
        "of it is on the diagonal; with the causal mask the upper right is 0; with padding too, the last two columns "
        "are 0.",
        *("key", "query"),
        numbers=True,
        vmin=0,
        vmax=1,
    )
