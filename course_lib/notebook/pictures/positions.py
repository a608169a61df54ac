"""The pictures of stage 3."""

import math
from collections.abc import Mapping

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, show


def encoding(table: torch.Tensor) -> None:
    """Show the encoding of 60 positions, [60, 48]."""
    figure, axes = plt.subplots(figsize=(8, 4))
    heat_map(axes, table, "The encoding of 60 positions", "column", "position", vmin=-1, vmax=1, aspect="auto")
    show(
        figure,
        "A table of 60 positions by 48 columns, coloured from -1 to 1. The first columns alternate quickly from row "
        "to row; further right the stripes get longer, and the last columns are constant: 0 for sines, 1 for cosines.",
    )


def waves(table: torch.Tensor) -> None:
    """Show four pairs of columns of an encoding [60, 48]."""
    figure, panels = plt.subplots(2, 2, figsize=(10, 4), sharex=True, sharey=True, layout="constrained")
    for axes, column in zip(panels.flat, (0, 6, 12, 18), strict=True):
        axes.plot(table[:, column], "o-", markersize=3, label="sine")
        axes.plot(table[:, column + 1], "s--", markersize=3, label="cosine")
        turn = 2 * math.pi * 10000 ** (column / 48)
        axes.set(title=f"columns {column} and {column + 1}: one turn in {turn:.0f} positions")
    for axes in panels[1]:
        axes.set_xlabel("position")
    for axes in panels[:, 0]:
        axes.set_ylabel("value")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper")
    show(
        figure,
        "Four pairs of waves over 60 positions, a sine and a cosine each: one turn in 6, 20, 63 and 199 positions.",
    )


def likeness(products: Mapping[int, torch.Tensor]) -> None:
    """Show the dot products of a position with those up to twenty steps away: position → [40]."""
    figure, axes = plt.subplots(figsize=(7, 3))
    for (centre, line), style in zip(products.items(), ("-", "--", ":"), strict=True):
        axes.plot(range(-20, 20), line, style, label=f"around position {centre}")
    axes.set(title="Three curves, one on top of the other", xlabel="distance", ylabel="dot product", ylim=(0, 34))
    axes.legend()
    show(
        figure,
        "Dot product of two encodings against their distance, around the positions 20, 50 and 80. The three curves "
        "coincide: a peak of 32 at distance 0, falling symmetrically to both sides with small waves.",
    )


def rotation(matrix: torch.Tensor, step: int) -> None:
    """Show the matrix [8, 8] that moves every position by `step`."""
    figure, axes = plt.subplots(figsize=(4.4, 4))
    names = f"From PE(t) to PE(t + {step})", "column of PE(t + k)", "column of PE(t)"
    heat_map(axes, matrix, *names, cmap="RdBu", vmin=-1, vmax=1)
    show(
        figure,
        "An 8 by 8 matrix that is zero except for four 2 by 2 blocks along the diagonal: a rotation for each pair of "
        "columns, by a large angle at the upper left and hardly any at the lower right.",
    )


def past_the_end(goal: torch.Tensor, outputs: Mapping[str, torch.Tensor]) -> None:
    """Show a goal [100] and what was learned of it from the first sixty positions: name → [100]."""
    figure, axes = plt.subplots(figsize=(7, 3))
    axes.plot(goal, color="black", label="the goal")
    for (name, output), style in zip(outputs.items(), ("--", ":"), strict=True):
        axes.plot(output, style, label=name)
    axes.axvline(59.5, color="gray")
    axes.set(title="Trained left of the line, tested right of it", xlabel="position", ylabel="output")
    axes.legend()
    show(
        figure,
        "Output against position for a goal wave. Left of position 60 both encodings follow it. Right of it the "
        "learned table gives noise; sines and cosines continue smoothly, but they leave the goal too.",
    )


def scalars_as_tokens(values: torch.Tensor, found: Mapping[str, torch.Tensor]) -> None:
    """Show what models make of numbers between those that they were trained on: name → [N], beside the numbers [N]."""
    figure, axes = plt.subplots(figsize=(6.5, 3))
    axes.plot(values, values, color="gray", lw=1, label="right")
    for (name, line), style in zip(found.items(), ("o", "x"), strict=True):
        axes.plot(values, line, style, markersize=4, label=name)
    axes.set(title="Reading a number back from its vector", xlabel="the number", ylabel="what was read")
    axes.legend()
    show(
        figure,
        "The number read back against the number itself. Through a linear map the points are on the diagonal; through "
        "a table only the numbers seen in training are, and the others are scattered.",
    )
