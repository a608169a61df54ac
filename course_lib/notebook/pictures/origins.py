"""The pictures of stage 12."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, show

if TYPE_CHECKING:
    import networkx

SIDES = (
    ("#9ecae1", "o", "with the instructor"),
    ("#fdae6b", "s", "with the president"),
)  # light: dark ink stands on it


def memory_fades(left: Mapping[float, Sequence[float]]) -> None:
    """Show what is left of a state of 1, step by step, by the value of the update gate."""
    figure, axes = plt.subplots(figsize=(6.5, 3))
    for (gate, line), style in zip(left.items(), ("o-", "s--", "^:"), strict=True):
        axes.plot(line, style, markersize=3, label=f"update gate {gate}")
    axes.set(title="What is left of a state of 1", xlabel="steps", ylabel="state", ylim=(0, 1.05))
    axes.legend()
    show(
        figure,
        "Three curves that fall from 1 over thirty steps. With an update gate of 0.5 nothing is left after ten steps, "
        "with 0.9 a third, with 0.99 nine tenths; after thirty steps 0.99 still has three quarters.",
    )


def around_the_circle(degrees: torch.Tensor, weights: Mapping[str, torch.Tensor]) -> None:
    """Show the weights of three keys while a query turns: name → [N, 3]."""
    figure, panels = plt.subplots(1, 2, figsize=(10, 2.8), sharey=True)
    for axes, (name, table) in zip(panels, weights.items(), strict=True):
        for key, (line, style) in enumerate(zip(table.T, ("-", "--", ":"), strict=True)):
            axes.plot(degrees, line, style, label=f"key at {120 * key}°")
        axes.set(title=name, xlabel="angle of the query in degrees", ylim=(0, 1.05), xticks=range(0, 361, 60))
    panels[0].set_ylabel("attention weight")
    panels[0].legend(ncols=3, fontsize=7, loc="upper center")
    show(
        figure,
        "Two line charts of three attention weights while the query turns by 360 degrees. With a bilinear score and a "
        "multiple of the identity each key has its hump where the query points at it. With an additive score of "
        "random weights the three curves rise and fall as well, but not at the keys' own angles.",
    )


def by_length(lengths: Sequence[int], curves: Mapping[str, Sequence[float]]) -> None:
    """Show the share of whole sentences that are right, by their length; `curves`: name → a share for each length."""
    figure, axes = plt.subplots(figsize=(6.5, 3.2))
    for (name, shares), style in zip(curves.items(), ("s--", "o-"), strict=True):
        axes.plot(lengths, shares, style, label=name)
    axes.axvspan(10.5, 12.5, color="gray", alpha=0.3, label="longer than in training")
    axes.set(title="Whole sentences right, by length", xlabel="letters", ylabel="share")
    axes.set(ylim=(-0.02, 1.02), xticks=lengths)
    axes.legend()
    said = "; ".join(f"{name}: {', '.join(f'{share:.2f}' for share in shares)}" for name, shares in curves.items())
    show(figure, f"Curves of the share of whole sentences that are right, for 1 to 12 letters. {said}.")


def dates_read(maps: Sequence[tuple[str, str, str, torch.Tensor]]) -> None:
    """Show where the model looked while it wrote dates, side by side and of one size.

    Args:
        maps: for each date what was read, what was written, what is right, and the attention [written, read].
    """
    figure, panels = plt.subplots(1, len(maps), figsize=(12.5, 4.4))
    for axes, (read, written, right, attention) in zip(panels, maps, strict=True):
        heat_map(axes, attention, f"{read} → {written}", "read", "written", vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(len(read)), labels=list(read))
        axes.set_yticks(range(len(right)), labels=list(right))
    show(
        figure,
        f"Two heat maps, ten written letters by the letters of a date: {' and '.join(m[0] for m in maps)}. "
        "For the digits of the year the weight is on the year at the end, and moves to the right; for the month it is "
        "on the letters of the month's name, for the two digits of the day on the day. The weekday stays dark.",
    )


def factions(club: "networkx.Graph", side: torch.Tensor, predicted: torch.Tensor, attention: torch.Tensor) -> None:
    """Show a graph of two sides: who is predicted to be where, who wrongly, and how much friends attend to each other.

    Args:
        club: the graph. side, predicted: 0 or 1 for each node. attention: [N, N].
    """
    import networkx  # 0.2 s of CPU time

    place = networkx.kamada_kawai_layout(club)  # keeps nodes apart
    figure, axes = plt.subplots(figsize=(8.5, 6))
    for i, j in club.edges:
        strength = max(attention[i, j], attention[j, i]).item()
        axes.plot(*zip(place[i], place[j], strict=True), color="gray", lw=0.3 + 6 * strength, alpha=0.6, zorder=1)
    for value, (colour, marker, name) in enumerate(SIDES):
        points = [place[node] for node in club if predicted[node] == value]
        look = dict(s=230, c=colour, marker=marker, edgecolors="black", label=name, zorder=2)
        axes.scatter(*zip(*points, strict=True), **look)
    wrong = [node for node in club if predicted[node] != side[node]]
    for node in club:
        text = f"{node}!" if node in wrong else node
        axes.text(
            *place[node], text, color="0.1", ha="center", va="center", fontsize=8, zorder=3
        )  # dark in both themes
    axes.set(
        title="Two factions, found from two names", xlabel="friends are drawn close together", xticks=[], yticks=[]
    )
    axes.legend(markerscale=0.6)
    show(
        figure,
        "The 34 members of the club as nodes of a graph, friends close together: blue circles around node 0, orange "
        "squares around node 33. Lines between friends are as thick as the attention along them. An exclamation mark "
        f"marks the members whose side is predicted wrong, {', '.join(map(str, wrong)) or 'none'}: between the groups.",
    )
