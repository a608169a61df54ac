"""The pictures of stage 4."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, heat_maps, in_words, show


def likeness(alike: Mapping[str, Sequence[float]]) -> None:
    """Show the mean cosine between tokens after each of twelve layers: name → 13 numbers."""
    figure, axes = plt.subplots(figsize=(6, 3))
    for (name, line), style in zip(alike.items(), ("s--", "o-"), strict=True):
        axes.plot(range(13), line, style, label=f"{name}: {line[-1]:.2f} at the end")
    axes.set(title="How alike ten random tokens become", xlabel="layers", ylabel="mean cosine between tokens")
    axes.legend()
    show(
        figure,
        "Mean cosine between tokens against depth. With attention alone it jumps to about 1 after the first layers: "
        "all tokens are the same. With a residual they stay clearly different for all twelve layers.",
    )


def norms(tables: Mapping) -> None:
    """Show ten tokens [10, 8], one of them loud, before and after batch norm and layer norm."""
    heat_maps(
        tables,
        "Three heat maps of ten tokens by eight features. In the input token 4 is far louder. After batch norm token "
        "4 still stands out and the other rows have faded; after layer norm all ten rows have the same contrast.",
        *("feature", "token"),
        size=(10, 3.6),
        vmin=-3,
        vmax=3,
    )


def depth_and_steps(depths: Sequence[int], gradients: Mapping, moved: Mapping) -> None:
    """Show, by depth, the gradient of the last feed-forward layer and what one step of Adam moves, for two kinds."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 3.4), layout="constrained")
    for name, style in zip(gradients, ("s--", "o-"), strict=True):
        left.loglog(depths, gradients[name], style, label=name)
        right.semilogx(depths, moved[name], style, label=name)
    start = gradients["pre-norm"][0]
    falling = [start / math.sqrt(depth) for depth in depths]
    left.loglog(depths, falling, ":", color="black", label="falling like 1/√L")
    left.set(title="Gradient of the last feed-forward layer", xlabel="layers L", ylabel="norm of the gradient")
    left.set_yticks([50, 100, 200], labels=["50", "100", "200"])
    right.set(title="What one step of Adam moves", xlabel="layers L", ylabel="change of the output / its size")
    right.set_ylim(0, None)
    for axes in (left, right):
        axes.set_xticks(depths, labels=[str(depth) for depth in depths])
        axes.minorticks_off()
        axes.legend()
    show(
        figure,
        "Two plots against depth, 1 to 16 layers. Left, both axes logarithmic: the gradient of the last feed-forward "
        "layer is level for post-norm; for pre-norm it falls, in the end as steeply as the dotted line. Right: one "
        f"step of Adam changes the output of post-norm by {moved['post-norm'][0]:.0%} at one layer and "
        f"{moved['post-norm'][-1]:.0%} at 16, that of pre-norm by {moved['pre-norm'][0]:.0%} and "
        f"{moved['pre-norm'][-1]:.0%}.",
    )


def untrained_maps(maps: torch.Tensor) -> None:
    """Show the attention [layers, h, T, T] of two layers of two heads, on one scale."""
    figure, panels = plt.subplots(1, 4, figsize=(13, 3.4), layout="constrained")
    for number, axes in enumerate(panels):
        layer, head = divmod(number, 2)
        heat_map(axes, maps[layer, head], f"layer {layer}, head {head}", "key", "query", vmin=0, vmax=maps.max())
    show(
        figure,
        "Four attention maps of an untrained encoder, on one scale: irregular patterns, different in every head, and "
        "nothing at all in the last three columns, which are hidden in both layers.",
    )


def leak(settings: Sequence[str], moved: Sequence[float]) -> None:
    """Show how far visible tokens move when hidden ones change, by which layers get the mask."""
    figure, axes = plt.subplots(figsize=(5.5, 2.8))
    axes.bar_label(axes.bar(settings, moved, color="tab:blue", edgecolor="black"), fmt="%.2g")
    axes.set(title="What visible tokens notice of hidden ones")
    axes.set(xlabel="layers that get the mask", ylabel="largest change")
    axes.margins(y=0.15)
    show(
        figure,
        "Bar chart of the largest change of a visible token's output when the hidden tokens change, the mean of 20 "
        f"untrained encoders, by the layers that get the mask ({', '.join(settings)}): {in_words(moved, '.2g')}.",
    )
