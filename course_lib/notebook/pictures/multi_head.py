"""The pictures of stage 2."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, in_words, show

COLOURS = ("#cfe3f5", "#f7d9b0")  # of the two heads


def one_mean_or_two_values(values: torch.Tensor, weights: Mapping[str, torch.Tensor]) -> None:
    """Show rows of weights over eight keys, and the mean of the values that each returns."""
    figure, panels = plt.subplots(1, len(weights), figsize=(10, 2.4), sharey=True)
    for axes, (name, row) in zip(panels, weights.items(), strict=True):
        axes.bar(range(8), row, color="tab:blue", edgecolor="black")
        axes.set(title=f"{name}: answer {row @ values:g}", xlabel="key", ylim=(0, 1.05))
    panels[0].set_ylabel("attention weight")
    show(
        figure,
        "Three bar charts of weights over eight keys. One head halves its weight between keys 1 and 6 and answers 7, "
        "the mean of 9 and 5. Of two heads the first puts all weight on key 1 and answers 9, the second all on key 6 "
        "and answers 5.",
    )


def boxes_that_move() -> None:
    """Show three tokens of six features, and the same numbers as two heads of three features."""
    figure, panels = plt.subplots(1, 3, figsize=(12, 2.6), width_ratios=[6, 3, 3])
    whole = [[(f"t{t} f{f}", f // 3) for f in range(6)] for t in range(3)]
    _boxes(panels[0], whole, "x: 3 tokens, 6 features", "plain: head 0, hatched: head 1")
    for head, axes in enumerate(panels[1:]):
        rows = [[(f"t{t} f{3 * head + f}", head) for f in range(3)] for t in range(3)]
        _boxes(axes, rows, f"after the split: head {head}", "3 features of each token")
    show(
        figure,
        "On the left three rows of six squares, one row per token; the first three squares of a row are plain and "
        "belong to head 0, the last three are hatched and belong to head 1. On the right the two heads: each has "
        "three rows, one per token, of its three squares.",
    )


def _boxes(axes, rows: list[list[tuple[str, int]]], title: str, xlabel: str) -> None:
    """Draw rows of (label, head) as coloured squares."""
    for y, row in enumerate(rows):
        for x, (label, head) in enumerate(row):
            look = {"facecolor": COLOURS[head], "edgecolor": "0.2", "hatch": "//" * head, "lw": 0.6}
            axes.add_patch(plt.Rectangle((x, -y), 1, -0.9, **look))
            box = {"fc": "white", "ec": "none", "pad": 0.6}
            axes.text(x + 0.5, -y - 0.45, label, ha="center", va="center", fontsize=8, bbox=box)
    axes.set(xlim=(-0.1, len(rows[0]) + 0.1), ylim=(-len(rows), 0.1), title=title, xticks=[], yticks=[], xlabel=xlabel)
    axes.set_aspect("equal")


def heads_of_digits(maps: torch.Tensor, digits: Sequence[int], odd: int) -> None:
    """Show the attention maps [h, S, S] of a set of digits; `odd` is the place of the one that does not belong."""
    figure, panels = plt.subplots(1, len(maps), figsize=(13, 3.6), layout="constrained")
    for head, axes in enumerate(panels):
        heat_map(axes, maps[head], f"head {head}", "key", "query", vmin=0, vmax=maps.max())
        axes.set_xticks(range(len(digits)), labels=digits)
        axes.set_yticks(range(len(digits)), labels=digits)
    others = [place for place in range(len(digits)) if place != odd]
    to_odd = maps[:, others, odd].mean(-1)  # [h]
    show(
        figure,
        "Four attention maps of ten digits, on one scale. The nine zeros give the six, head by head, "
        f"{in_words(to_odd, '.0%')} of their attention; evenly spread it would be 10 %.",
    )


def permuted(plain: torch.Tensor, after: torch.Tensor, order: torch.Tensor) -> None:
    """Show outputs [T, d], those of the tokens in another order, and the difference of the two once sorted."""
    figure, panels = plt.subplots(1, 3, figsize=(11, 3))
    heat_map(panels[0], plain, "tokens 0 1 2 3 4 5", "feature", "token")
    heat_map(panels[1], after, f"tokens {' '.join(map(str, order.tolist()))}", "feature", "token")
    panels[1].set_yticks(range(6), labels=order.tolist())
    error = (after - plain[order]).abs()
    heat_map(panels[2], error, f"difference: at most {error.max():.0e}", "feature", "token", vmin=0, vmax=1)
    show(
        figure,
        "Three heat maps, six tokens by eight features. The second has the rows of the first in the permuted order; "
        "the third, their difference once sorted, is dark everywhere: zero up to rounding.",
    )


def costs(lengths: Sequence[int], multiplications: Mapping, milliseconds: Mapping) -> None:
    """Show what three kinds of layer cost by length: name → multiplications, and name → milliseconds."""
    figure, (counted, clock) = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained")
    for name, style in zip(multiplications, ("o-", "s--", "^:"), strict=True):
        work = multiplications[name]
        growth = f"{name}: × {work[1] / work[0]:.1f}, … × {work[-1] / work[-2]:.1f}"
        counted.loglog(lengths, work, style, label=growth)
        clock.loglog(lengths, milliseconds[name], style, label=name)
    counted.set(title="Multiplications of one layer of width 64", xlabel="length n", ylabel="multiplications")
    clock.set(title="The clock on this machine, one thread", xlabel="length n", ylabel="milliseconds")
    for axes in (counted, clock):
        axes.set_xticks(lengths, labels=map(str, lengths))
        axes.minorticks_off()
    counted.legend(title="by doubling n", fontsize=8)
    clock.legend(fontsize=8)
    show(
        figure,
        "Two log-log plots against sequence length for three layers. Left, multiplications: recurrence and "
        "convolution double with the length; attention starts between them, meets the recurrence at a length of 64, "
        "and at the right end grows almost fourfold with each doubling. Right, milliseconds as this machine measured "
        "them.",
    )
