"""The pictures of stage 7."""

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, heat_maps, show


def mirror(tokens: torch.Tensor, targets: torch.Tensor) -> None:
    """Show a row of 16 tokens above its targets, each joined with the token that it is."""
    figure, axes = plt.subplots(figsize=(8, 3))
    for row, values in ((1, tokens), (0, targets)):
        for place, token in enumerate(values.tolist()):
            axes.text(place, row, token, ha="center", va="center", fontsize=13, fontweight="bold")
    for place in range(16):
        colour = {0: "tab:orange", 6: "tab:blue"}.get(place, (0.5, 0.5, 0.5, 0.4))
        axes.plot([place, 15 - place], [0.84, 0.16], color=colour, zorder=place in (0, 6))
    axes.set(title="Every target comes from the opposite position", xlabel="position", xticks=range(16))
    axes.set(ylim=(-0.3, 1.3), ylabel="what is there")
    axes.set_yticks([0, 1], labels=["target", "token"])
    show(
        figure,
        "A row of 16 tokens above the same row backwards. A line joins every token with its target at the opposite "
        "position; they all cross in the middle. Two are coloured: from position 0 to 15, in orange, and from 6 to 9, "
        "in blue.",
    )


def before_and_after(before: torch.Tensor, after: torch.Tensor) -> None:
    """Show the attention [16, 16] of a model before its training and after."""
    heat_maps(
        {"before training": before, "after": after},
        "Two attention maps of 16 by 16 on the same scale. Before training all squares are equally dark, about a "
        "sixteenth each. After: a bright anti-diagonal from the upper right to the lower left corner, dark everywhere "
        "else.",
        *("key: where it looks", "query: what it answers"),
        size=(11, 4.6),
        vmin=0,
        vmax=0.9,
    )


def four_heads(maps: list[torch.Tensor], steps: int, accuracy: float) -> None:
    """Show the attention [h, T, T] of two layers of two heads."""
    figure, panels = plt.subplots(1, 4, figsize=(14, 3.3))
    for number, axes in enumerate(panels):
        layer, head = divmod(number, 2)
        heat_map(axes, maps[layer][head], f"layer {layer}, head {head}", "key", "query", vmin=0)
        axes.set(xticks=range(0, 16, 5), yticks=range(0, 16, 5))
    figure.suptitle(f"After {steps} steps {accuracy:.2%} of the test tokens are right; mind the four scales")
    show(
        figure,
        "Four attention maps of a model with two layers of two heads, each with its own scale. In layer 1 both heads "
        "show a sharp anti-diagonal; in layer 0 there is a blurred one in the first head and patches along it in the "
        "second.",
    )
