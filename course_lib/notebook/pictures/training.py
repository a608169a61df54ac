"""The pictures of stage 6."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import show


def adam_steps(gradients: Mapping[float, torch.Tensor], steps: Mapping[float, Sequence[float]], rate: float) -> None:
    """Show the sizes of three gradients, and Adam's steps for them: size → one number per step."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3), layout="constrained")
    for size, style in zip(gradients, ("-", "--", ":"), strict=True):
        left.semilogy(gradients[size].abs(), style, label=f"gradients of about {size:g}")
        right.plot(steps[size], style, linewidth=2)
    right.axhline(rate, color="gray", linewidth=0.8)
    left.set(title="Sizes of three gradients", xlabel="step", ylabel="size", ylim=(1e-7, None))
    right.set(title="Adam's steps for the three", xlabel="step", ylabel="size (grey: the rate)", ylim=(0, 1.1 * rate))
    left.legend(fontsize=8, loc="lower right")
    show(
        figure,
        "Left, log scale: the gradients of three weights over 60 steps, four orders of magnitude apart. Right: Adam's "
        f"steps for them, three lines that coincide: the first is as long as the rate, {rate:g}; after some ten steps "
        "they are a fraction of it.",
    )


def with_and_without_warmup(losses: Mapping[tuple[int, int], Sequence[float]]) -> None:
    """Show the loss of four runs: (warm-up, seed) → the loss of each step."""
    figure, axes = plt.subplots(figsize=(7, 3.4))
    steps = max(map(len, losses.values()))
    for (warmup, seed), line in losses.items():
        style, end = "--" if warmup == 1 else "-", sum(line[-10:]) / 10
        axes.plot(line, style, label=f"warm-up {warmup}, seed {seed}: {end:.2f} at the end")
    axes.axhline(math.log(10), color="gray", linewidth=0.8)
    axes.set(title="The same model, the same rate", xlabel="step", ylabel="loss (grey: guessing)")
    axes.legend(fontsize=8)
    show(
        figure,
        f"Loss over {steps} steps for four runs. The two dashed ones, without a warm-up, stay at the grey line of pure "
        "guessing; the two solid ones, with a warm-up of 50 steps, fall to nearly zero.",
    )


def bad_batch(right: Mapping[str, Sequence[float]]) -> None:
    """Show the share of right digits from five steps before a bad batch on: name → a share per step."""
    figure, axes = plt.subplots(figsize=(7, 3))
    for (name, line), style in zip(right.items(), ("--", "-"), strict=True):
        axes.plot(range(-5, len(line) - 5), line, style, label=name)
    axes.axvline(0, color="gray", linewidth=0.8)
    axes.set(title="One bad batch (at the grey line)", xlabel="steps since", ylabel="digits right", ylim=(0, 1.03))
    axes.legend(loc="lower right")
    show(
        figure,
        "Share of digits that are right, before and after one bad batch. Clipped, it stays at 1; not clipped, it "
        f"falls for some ten steps, to {min(right['not clipped']):.0%}, and takes long to recover.",
    )


def clipped(gradient: torch.Tensor, by_norm: torch.Tensor, by_value: torch.Tensor, limit: float) -> None:
    """Show a gradient [2], and what the two ways of clipping make of it."""
    figure, axes = plt.subplots(figsize=(5.4, 2.6))
    arrows = {"gradient": (gradient, ":"), "clipped by norm": (by_norm, "-"), "clipped by value": (by_value, "--")}
    for name, (arrow, style) in arrows.items():
        axes.annotate("", arrow.tolist(), (0, 0), arrowprops={"arrowstyle": "->", "linestyle": style, "lw": 2})
        axes.text(arrow[0] + 0.08, arrow[1] + (-0.22 if name == "clipped by norm" else 0.05), name)
    axes.add_patch(plt.Circle((0, 0), limit, fill=False, color="gray"))
    axes.set(title="Shorter, in the same direction", xlabel="gradient of weight 1", ylabel="gradient of weight 2")
    axes.set(xlim=(0, 5.4), ylim=(0, 2.1), aspect="equal")
    show(
        figure,
        "Three arrows from the origin. The gradient points to (4, 1). Clipped by norm it keeps its direction and ends "
        "on the circle of radius 2; clipped by value it points to (2, 1), twice as steep.",
    )


def above_or_below(accuracies: Sequence[float]) -> None:
    """Show the accuracy of each step."""
    end = sum(accuracies[-20:]) / 20
    figure, axes = plt.subplots(figsize=(6.5, 3))
    axes.plot(accuracies)
    axes.set(title=f"Above the mean, or below? {end:.0%} at the end", xlabel="step", ylabel="accuracy (from 0.4 up)")
    axes.set_ylim(0.4, 1.02)
    show(figure, f"Accuracy over 300 steps: from little more than one half at the start to {end:.0%} at the end.")
