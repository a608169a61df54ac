"""The pictures of stages 21 to 23: they take NumPy's arrays, or JAX's, and import no JAX."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np

from course_lib.notebook.pictures import heat_map, heat_maps, show


def draws(pairs: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> None:
    """Show pairs of random numbers as points: how the keys were used → (first draw [N], second draw [N])."""
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
    for axes, (title, (x, y)) in zip(panels, pairs.items(), strict=True):
        axes.scatter(x, y, s=8)
        axes.set(title=title, xlabel="first draw", ylabel="second draw", aspect="equal")
        axes.set(xlim=(-3.5, 3.5), ylim=(-3.5, 3.5))
    show(
        figure,
        "Two scatter plots of 300 pairs of random numbers. With one key used twice all points lie on the diagonal: "
        "both draws are equal. With two keys from split they form a round cloud.",
    )


def ensemble(maps: np.ndarray) -> None:
    """Show the attention maps of three layers on one scale: [3, B, h, T, T]."""
    heat_maps(
        {f"layer {number}": layer[0, 0] for number, layer in enumerate(maps)},
        "Three attention maps of ten tokens on one scale, from three layers with different random parameters, "
        "computed by one call: three different irregular patterns.",
        x="key",
        y="query",
        size=(10, 3.4),
        vmin=0,
        vmax=float(maps.max()),
    )


def two_dropouts(masks: Mapping[str, Sequence[np.ndarray]]) -> None:
    """Show what two dropouts of a block keep: where the keys come from → (after attention, after the feed-forward)."""
    figure, panels = plt.subplots(2, 2, figsize=(8, 4.6), layout="constrained")
    for row, (title, both) in zip(panels, masks.items(), strict=True):
        for axes, mask, which in zip(row, both, ("after the attention", "after the feed-forward"), strict=True):
            heat_map(axes, mask, f"{title}: {which}", "feature", "token", vmin=0, vmax=2)
    show(
        figure,
        "Four grids of kept and dropped entries. With one key for both dropouts the two grids of the upper row are "
        "the same. With rngs passed on, the two of the lower row differ.",
    )


def reversing(attention: np.ndarray) -> None:
    """Show the attention map of one reversed sequence, [T, T], computed with published parameters."""
    heat_maps(
        {"published parameters, your code": attention},
        "The attention map of one sequence of 16 tokens. Nearly all weight is on the diagonal from the lower left "
        "to the upper right: query t looks at key 15 − t.",
        x="key",
        y="query",
        size=(5.2, 4.4),
        vmin=0,
        vmax=1,
    )


def schedule(rates: np.ndarray) -> None:
    """Show a rate that climbs for 40 steps and falls until step 200."""
    figure, axes = plt.subplots(figsize=(7, 2.8), layout="constrained")
    axes.plot(rates)
    axes.set(xlabel="step", ylabel="share of the base rate", title="A warm-up, then a cosine", ylim=(0, 1))
    show(
        figure,
        "A curve over 200 steps: it climbs from 0 to about 0.9 at step 40, bends sharply, and falls along a cosine "
        "to 0 at step 200.",
    )


def trained_to_reverse(losses: Sequence[float], attention: np.ndarray) -> None:
    """Show the loss by step, and the attention map [T, T] of one sequence of the test split."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    left.plot(losses)
    left.set(xlabel="step", ylabel="loss", title="Loss of each step", ylim=(0, None))
    heat_map(right, attention, "one sequence of the test split", "key", "query", vmin=0, vmax=1)
    show(
        figure,
        "Left, the loss over the steps: it stays near 2.3 for twenty to thirty steps, then falls to 0. Right, the "
        "attention map: nearly all weight is on the diagonal from the lower left to the upper right.",
    )
