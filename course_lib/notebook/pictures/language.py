"""The pictures of stage 13."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

from course_lib.notebook.pictures import heat_map, heat_maps, show


def shifted_tokens(tables: Mapping[str, torch.Tensor]) -> None:
    """Show six tokens, the last three shifted copies of the first three, and what two norms make of them: [6, 8]."""
    heat_maps(
        tables,
        "Three heat maps of six tokens; tokens 3 to 5 are tokens 0 to 2 with 10 added to every feature. After "
        "layer norm the two halves are equal. After RMSNorm tokens 3 to 5 are nearly 1 in every feature: the "
        "common part is all that is left.",
        x="feature",
        y="token",
        size=(10, 3),
        vmin=-2,
        vmax=2,
    )


def clock_hands(hands: torch.Tensor, scores: torch.Tensor) -> None:
    """Show the turned pairs of 64 positions [64, 4, 2], and the scores [12, 12] between equal queries and keys."""
    figure, panels = plt.subplots(1, 5, figsize=(13, 2.8), layout="constrained", width_ratios=[1, 1, 1, 1, 1.2])
    for i, axes in enumerate(panels[:4]):
        axes.scatter(hands[:, i, 0], hands[:, i, 1], c=range(len(hands)), s=14, cmap="viridis")
        axes.set(title=f"pair {i}: {10000 ** (-i / 4):.3g} per step", aspect="equal")
        axes.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), xticks=[], yticks=[])
    heat_map(panels[4], scores, "equal q and k: scores", "key", "query")
    show(
        figure,
        "Four clocks, their hands at positions 0 to 63. The hand of pair 0 goes round ten times, that of pair 1 "
        "once, those of pairs 2 and 3 hardly move. Right, a table of scores between twelve equal queries and keys: "
        "constant along each diagonal.",
    )


def gate(up: torch.Tensor, gate: torch.Tensor, gated: torch.Tensor) -> None:
    """Show silu next to ReLU, and what a gate lets pass over a grid of `up` and `gate`, each [N, N]."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    z = torch.linspace(-4, 4, 200)
    left.plot(z, F.silu(z), label="silu")
    left.plot(z, F.relu(z), "--", label="ReLU")
    left.set(title="The gate", xlabel="z")
    left.legend()
    drawn = right.contourf(up, gate, gated, levels=15, cmap="RdBu_r", vmin=-16, vmax=16)
    figure.colorbar(drawn, ax=right)
    right.set(title="silu(gate) · up", xlabel="up", ylabel="gate")
    show(
        figure,
        "Left: silu next to ReLU; silu dips to −0.28 near −1.3 and is smooth. Right: the product of silu(gate) and "
        "up over both: about 0 where the gate is negative, and growing in both directions of up where it is "
        "positive.",
    )


def cache_sizes(sizes: Mapping[int, float]) -> None:
    """Show how large a cache is, in GB, by the number of heads of keys and values."""
    figure, axes = plt.subplots(figsize=(5.5, 2.6), layout="constrained")
    names = [f"{heads} head{'s' * (heads > 1)}" for heads in sizes]
    bars = axes.barh(names, list(sizes.values()), color="tab:blue", edgecolor="black")
    axes.bar_label(bars, [f"{size:.2f} GB" for size in sizes.values()], padding=3)
    axes.set(title="Cache of one text of 8,192 tokens", xlabel="GB", xlim=(0, 1.22 * max(sizes.values())))
    axes.invert_yaxis()
    taken = ", ".join(f"{size:.2f} GB with {name}" for name, size in zip(names, sizes.values(), strict=True))
    show(figure, f"Bar chart of the cache by the number of heads of keys and values: {taken}. Llama 3 has 8 heads.")


def first_losses(losses: Mapping[str, float], symbols: int) -> None:
    """Show the loss of untrained models: how the embedding was drawn → nats."""
    figure, axes = plt.subplots(figsize=(5.5, 2.6), layout="constrained")
    bars = axes.bar(losses.keys(), losses.values(), color="tab:blue", edgecolor="black")
    axes.bar_label(bars, fmt="%.1f", padding=5)
    axes.axhline(math.log(symbols), linestyle="--", color="black", label=f"ln {symbols}")
    axes.set(title="Loss before training", ylabel="nats")
    axes.margins(y=0.15)
    axes.legend()
    heights = ", ".join(f"{loss:.1f} nats with {name}" for name, loss in losses.items())
    show(
        figure,
        f"Bar chart of the loss before training: {heights}; a line at ln {symbols}, {math.log(symbols):.1f}.",
    )


def first_steps(losses: Sequence[float], symbols: int) -> None:
    """Show the loss of the first steps of a training."""
    figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
    axes.plot(range(1, len(losses) + 1), losses)
    axes.axhline(math.log(symbols), linestyle="--", color="black", label=f"ln {symbols}: knows nothing")
    axes.set(title=f"The first {len(losses)} steps", xlabel="step", ylabel="loss, nats per character")
    axes.legend()
    show(
        figure,
        f"The training loss starts near ln {symbols}, at {losses[0]:.1f}, and falls to {losses[-1]:.1f} in "
        f"{len(losses)} steps.",
    )


def ladder(losses: Mapping[str, float]) -> None:
    """Show the loss after each change, in nats per character: the first is the start, the others are made on top."""
    names, values = list(losses), list(losses.values())
    gains = [above - below for above, below in pairwise(values)]
    figure, axes = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
    bars = axes.barh(names, values, color=["tab:gray"] + ["tab:blue" if gain > 0 else "tab:orange" for gain in gains])
    changed = [f"{value:.2f} ({-gain:+.2f})" for value, gain in zip(values[1:], gains, strict=True)]
    written = [f"{values[0]:.2f}", *changed]
    axes.bar_label(bars, written, padding=3)
    axes.set(title="One change at a time, the same CPU seconds", xlabel="validation loss, nats per character")
    axes.set_xlim(0, 1.22 * max(values))
    axes.invert_yaxis()
    steps = "; ".join(f"{name} {said}" for name, said in zip(names, written, strict=True))
    show(figure, f"Bar chart of the validation loss after each change, in nats per character: {steps}.")


def time_to_write(lengths: Sequence[int], seconds: Mapping[str, Sequence[float]]) -> None:
    """Show how long writing takes: name → CPU seconds for each length."""
    figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
    for (name, taken), style in zip(seconds.items(), ("o-", "s--"), strict=True):
        axes.plot(lengths, taken, style, label=name)
    axes.set(title="Time to write", xlabel="characters", ylabel="CPU seconds")
    axes.legend()
    (quick, quick_times), (slow, slow_times) = seconds.items()
    show(
        figure,
        f"CPU seconds against the length of the text: {quick} a line, {slow} a parabola; at {lengths[-1]} characters "
        f"{slow_times[-1] / quick_times[-1]:.1f} times as long.",
    )


def past_the_block(losses: torch.Tensor, block: int) -> None:
    """Show the loss by position [T] in texts longer than the `block` characters of the training texts."""
    smooth = losses.unfold(0, 32, 16).mean(-1)
    figure, axes = plt.subplots(figsize=(6.5, 3), layout="constrained")
    axes.plot(torch.arange(len(smooth)) * 16 + 16, smooth)
    axes.axvline(block, linestyle="--", color="black", label="longest in training")
    axes.set(title="A context longer than in training", xlabel="position", ylabel="loss, nats")
    axes.legend()
    within, after, late = losses[32:block].mean(), losses[block : block + 64].mean(), losses[-64:].mean()
    show(
        figure,
        f"Loss against the position in a text of {len(losses)} characters: {within:.2f} within the {block} of the "
        f"training texts, {after:.2f} in the 64 after them, and {late:.2f} in the last 64.",
    )


def two_recipes(curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Show how two recipes learn: name → (CPU seconds, validation loss) for each look."""
    figure, axes = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
    for (name, looks), style in zip(curves.items(), ("s--", "o-"), strict=True):
        axes.plot(*zip(*looks, strict=True), style, label=name)
    axes.set(title="The loss while they learn", xlabel="CPU seconds", ylabel="validation loss, nats per character")
    axes.legend()
    (slow, theirs), (quick, ours) = curves.items()
    seconds, last = theirs[-1]
    passed = next((f"is below that after {second:.0f}" for second, loss in ours if loss <= last), "doesn't get there")
    show(
        figure,
        f"Validation loss over CPU seconds. {slow} ends at {last:.2f} nats after {seconds:.0f} seconds; {quick} "
        f"{passed} and ends at {ours[-1][1]:.2f}.",
    )


def against_transformers(expected: torch.Tensor, logits: Mapping[str, torch.Tensor]) -> None:
    """Show our logits over those of transformers: how the weights were loaded → logits [B, T, V]."""
    figure, panels = plt.subplots(1, len(logits), figsize=(8, 3.6), layout="constrained", sharex=True, sharey=True)
    said = []
    for axes, (name, ours) in zip(panels, logits.items(), strict=True):
        apart = (ours - expected).abs().max().item()
        axes.plot(expected.flatten(), ours.flatten(), ".", markersize=2)
        axes.set(title=f"{name}: off by up to {apart:.2g}", xlabel="transformers", ylabel="yours", aspect="equal")
        said.append(f"With {name} the largest difference is {apart:.2g}.")
    show(
        figure,
        f"Logits against those of transformers, whose largest is {expected.abs().max():.1f}. {' '.join(said)}",
    )
