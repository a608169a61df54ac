"""The pictures of stage 5."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, heat_maps, show


def three_uses() -> None:
    """Show which key each query may look at, in the three kinds of attention of a translator."""
    source, written = ["das", "ist", "gut", "(pad)"], ["BOS", "that", "is"]
    uses = {
        "encoder: self-attention": (source, source, lambda query, key: key < 3),
        "decoder: causal self-attention": (written, written, lambda query, key: key <= query),
        "decoder: cross-attention": (written, source, lambda query, key: key < 3),
    }
    figure, panels = plt.subplots(1, 3, figsize=(12, 2.8))
    for axes, (name, (queries, keys, visible)) in zip(panels, uses.items(), strict=True):
        for query, word in enumerate(queries):
            axes.text(query, 1.06, word, ha="center", va="bottom", fontweight="bold" if query == 1 else "normal")
            colour, width = ("tab:orange", 3) if query == 1 else ("silver", 1)
            for key in range(len(keys)):
                if visible(query, key):
                    axes.plot([key, query], [0, 1], color=colour, linewidth=width, zorder=query == 1)
        for key, word in enumerate(keys):
            axes.text(key, -0.06, word, ha="center", va="top", color="gray" if word == "(pad)" else "black")
        axes.set(title=name, xlim=(-0.5, 3.5), ylim=(-0.35, 1.35), xticks=[], yticks=[], xlabel="positions")
    panels[0].set_yticks([0, 1], labels=["keys", "queries"])
    show(
        figure,
        "Three diagrams of lines from keys below to queries above, the lines of the second query thick and orange. "
        "Encoder: every query is joined with das, ist and gut. Decoder, causal: the first query is joined only with "
        "BOS, the second with two keys, the third with three. Cross-attention: BOS, that and is are each joined with "
        "das, ist and gut. No query is joined with the padding.",
    )


def influences(tables: Mapping) -> None:
    """Show how strongly outputs follow inputs, [6, 6], under three masks; each row divided by its largest."""
    heat_maps(
        {name: table / table.amax(1, keepdim=True) for name, table in tables.items()},
        "Three tables of six by six derivatives. Without a mask every square is lit. With the mask one step too high "
        "the triangle has one more diagonal above it: every output follows the next input. With the causal mask all "
        "squares above the diagonal are 0.00.",
        *("input token j", "output t"),
        size=(12, 3.9),
        numbers=True,
        vmin=0,
        vmax=1,
    )


def influences_on_a_block(by_token: torch.Tensor, by_memory: torch.Tensor) -> None:
    """Show how strongly a block's outputs follow its tokens [T, T] and its memory [T, S]."""
    figure, panels = plt.subplots(1, 2, figsize=(11, 3.9), width_ratios=[6, 8])
    for axes, table, kind in zip(panels, (by_token, by_memory), ("input", "memory"), strict=True):
        name = f"your block, by {'memory' if kind == 'memory' else 'token'}"
        heat_map(axes, table / table.amax(), name, f"{kind} token j", "output t", numbers=True, vmin=0, vmax=1)
    show(
        figure,
        "Two tables for a decoder block. By token: a lower triangle, brightest on its diagonal, and 0.00 everywhere "
        "above it. By memory: six columns filled from top to bottom, and two columns of 0.00, the padding.",
    )


def training_loss(losses: Sequence[float], accuracy: float) -> None:
    """Show the loss of a model that learns to sort letters."""
    figure, axes = plt.subplots(figsize=(6.5, 3))
    axes.plot(losses, label="training")
    axes.axhline(math.log(13), color="gray", linestyle="--", label="ln 13: knows nothing")
    axes.set(title=f"{accuracy:.1%} of the next letters of new words are right", xlabel="step", ylabel="loss")
    axes.legend()
    show(
        figure,
        "Training loss over 150 steps: it starts near the dashed line of a model that knows nothing, at about 2.7, "
        "falls below 1 within some twenty-five steps, and is near 0 from seventy steps on.",
    )


def where_it_looks(maps: torch.Tensor, letters: str, written: Sequence[str], found: int) -> None:
    """Show the cross-attention [h, n, T_src] of a model that sorts letters; in `found` rows it is at the right one."""
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for head, axes in enumerate(panels):
        heat_map(axes, maps[head], f"head {head}", "source", "about to write", numbers=True, vmin=0, vmax=1)
        axes.set_xticks(range(len(letters)), labels=list(letters))
        axes.set_yticks(range(len(written)), labels=written)
    show(
        figure,
        "Two attention maps, a row for each letter that is written, a column for each letter of the source. In "
        f"{found} of {len(letters)} rows the brightest square of a head is at the letter that is about to be written.",
    )


def helped_and_alone(shares: Mapping[str, Sequence[tuple[int, float, float]]]) -> None:
    """Show, for shifted targets and others, how many letters are right: (step, teacher-forced, free running)."""
    figure, panels = plt.subplots(1, 2, figsize=(11, 3), sharey=True)
    for axes, (name, measured) in zip(panels, shares.items(), strict=True):
        steps, forced, free = zip(*measured, strict=True)
        axes.plot(steps, forced, "o-", label=f"teacher-forced: {forced[-1]:.0%} at the end")
        axes.plot(steps, free, "s--", label=f"free running: {free[-1]:.0%} at the end")
        axes.set(title=f"targets {name}", xlabel="step", ylim=(-0.03, 1.03))
        axes.legend(loc="center right")
    panels[0].set_ylabel("right letters")
    show(
        figure,
        "Share of right letters over 120 steps, for two models. Targets shifted: both curves rise to 100 %, free "
        "running some ten steps later than teacher-forced. Targets not shifted: teacher-forced reaches 100 % within "
        "ten steps, free running stays near 0 %.",
    )


def influences_of_targets(tables: Mapping) -> None:
    """Show how far logits move when a target is replaced, [T, T], for shifted targets and others."""
    heat_maps(
        {f"targets {name}": table for name, table in tables.items()},
        "Two tables of eight by eight: how far logits move when a target is replaced. Shifted: the diagonal and "
        "everything above it are 0.00; the squares just below it are the brightest. Not shifted: the diagonal is "
        "brightest by far.",
        *("target j, replaced", "logits t"),
        size=(9.5, 4.2),
        numbers=True,
        vmin=0,
    )
