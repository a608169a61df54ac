"""The pictures of stage 14."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, heat_maps, in_words, show

VISIBLE = str.maketrans({" ": "␣", "\n": "⏎"})


def best_possible(first: float, period: int) -> None:
    """Show the lowest possible loss of each predicted token: `first` while nothing can be known, then 0."""
    count = 2 * period - 1
    axes = plt.subplots(figsize=(6, 2.6), layout="constrained")[1]
    axes.bar(range(1, count + 1), [first] * period + [0.0] * (period - 1), color="tab:blue", edgecolor="black")
    axes.set_xticks(range(1, count + 1))
    axes.set(title=f"The best possible loss, token by token (period {period})", xlabel="predicted token", ylabel="nats")
    show(
        axes.figure,
        f"Bars for the predicted tokens 1 to {count}. Up to token {period}, which starts the second half, the loss "
        f"can't be below {first:.1f}; from token {period + 1} on it can be 0.",
    )


def best_head_by_period(runs: Mapping[int, tuple[torch.Tensor, torch.Tensor, float]]) -> None:
    """Show the map of the best head: period → (attention [L, B, h, T, T], scores [L, h], loss on the second half)."""
    figure, panels = plt.subplots(1, len(runs), figsize=(10, 4), layout="constrained")
    said = []
    for axes, (period, (attention, scores, loss)) in zip(panels, runs.items(), strict=True):
        layer, head = _best(scores)
        title = f"period {period}: best score {scores.max():.2f}, loss {loss:.2f}"
        heat_map(axes, attention[layer, 0, head], title, "key", "query", vmin=0, vmax=1)
        said.append(f"With {title} on the second half.")
    show(
        figure,
        f"Two attention maps of the best head. {' '.join(said)} For period 20 a bright diagonal, 19 keys back; for "
        "period 7 no clear line.",
    )


def learning_curve(losses: Sequence[float], symbols: int) -> None:
    """Show the loss of each step, smoothed over 20, or over all where there are fewer."""
    width = min(20, len(losses))
    smooth = torch.tensor(losses).unfold(0, width, 5).mean(-1)
    axes = plt.subplots(figsize=(6.5, 2.8), layout="constrained")[1]
    axes.plot(torch.arange(len(smooth)) * 5 + width, smooth)
    axes.axhline(math.log(symbols), linestyle="--", color="black", label=f"ln {symbols}: knows nothing")
    axes.set(title="Nothing, nothing, and then all at once", xlabel="step", ylabel="loss, nats")
    axes.legend()
    fell = next((f", passes 3.3 at about step {5 * i + width}," for i, value in enumerate(smooth) if value < 3.3), "")
    show(
        axes.figure,
        f"The training loss stays near ln {symbols} for hundreds of steps{fell} and ends near {smooth[-1]:.1f}.",
    )


def best_heads(tables: Mapping[str, torch.Tensor], attention: torch.Tensor, halves: tuple[float, float]) -> None:
    """Show the scores of all heads, name → [L, h], and below them the maps of the best; `halves`: the two losses."""
    figure, panels = plt.subplots(2, 2, figsize=(10, 8), layout="constrained", height_ratios=[1, 2])
    said = []
    for (above, below), (name, table) in zip(panels.T, tables.items(), strict=True):
        heat_map(above, table, f"{name} score", "head", "layer", numbers=True, vmin=0, vmax=1)
        layer, head = _best(table)
        heat_map(below, attention[layer, 0, head], f"layer {layer}, head {head}", "key", "query", vmin=0, vmax=1)
        said.append(f"The best {name} head is head {head} of layer {layer}, with {table.max():.2f}.")
    first, second = halves
    show(
        figure,
        f"Scores of all heads and the maps of the two best, on texts of period 13. {' '.join(said)} The loss is "
        f"{first:.2f} on the first half and {second:.2f} on the second.",
    )


def rises(tables: Mapping[str, torch.Tensor]) -> None:
    """Show how much the loss rises without each head: how it is silenced → [L, h]."""
    said = []
    for how, table in tables.items():
        layer, head = _best(table)
        said.append(f"With {how} the largest rise is {table.max():.2f} nats, of layer {layer}, head {head}.")
    heat_maps(
        {f"rise of the loss, how={how!r}": table for how, table in tables.items()},
        "Two heat maps, layers by heads. " + " ".join(said),
        x="head",
        y="layer",
        size=(9, 2.8),
        numbers=True,
    )


def restored(table: torch.Tensor) -> None:
    """Show how much of the gap each patched head restores [L, h]."""
    layer, head = _best(table)
    heat_maps(
        {"share of the gap that one head restores": table},
        f"Heat map, layers by heads: head {head} of layer {layer} restores most, {table.max():.2f}; the first "
        f"layer's best {table[0].max():.2f}, the second's {table[1].max():.2f}.",
        x="head",
        y="layer",
        size=(5, 2.8),
        numbers=True,
    )


def read_early(read: torch.Tensor, said: Sequence[str], text: str, start: int) -> None:
    """Show what each state would say, from `text[start]` on.

    Args:
        read: the log-probability of the next character, from the embedding and from each block [N, T - 1].
        said: for each of these states, the most likely character at each position of the text.
        text: what the model read.
        start: the first character that is shown.
    """
    chances, count = read[:, start - 1 :].exp(), len(text) - start  # [N, count]
    figure, axes = plt.subplots(figsize=(11, 3), layout="constrained")
    axes.imshow(chances.tolist(), cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for row, characters in enumerate(said):
        for column in range(count):
            ink = "black" if chances[row, column] > 0.5 else "white"
            character = characters[start - 1 + column].translate(VISIBLE)
            axes.text(column, row, character, ha="center", va="center", color=ink)
    axes.set(title="What the model would say after each block", xlabel="the character that follows")
    axes.set_yticks(range(len(said)), ["embedding", *(f"block {number}" for number in range(len(said) - 1))])
    axes.set_xticks(range(count), text[start:].translate(VISIBLE))
    show(
        figure,
        "A table, states by positions: the most likely character, on a colour that says how likely the right one "
        f"is. The mean loss of this text is {in_words(-read.mean(dim=1))} nats after the embedding and the three "
        "blocks.",
    )


def three_scores(tables: Mapping[str, torch.Tensor]) -> None:
    """Show scores of the Shakespeare model's heads: name → [L, h]."""
    reached = ", ".join(f"{name} up to {table.max():.2f}" for name, table in tables.items())
    heat_maps(
        tables,
        f"Three heat maps of the Shakespeare model, layers by heads: {reached}.",
        x="head",
        y="layer",
        size=(12, 3),
        numbers=True,
        vmin=0,
        vmax=1,
    )


def _best(table: torch.Tensor) -> tuple[int, int]:
    """The layer and the head with the largest entry of a table [L, h]."""
    layer, head = divmod(int(table.argmax()), table.shape[1])
    return layer, head
