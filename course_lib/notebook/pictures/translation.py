"""The pictures of stage 10."""

import math

import matplotlib.pyplot as plt
import torch
from torch import nn

from course_lib.notebook.pictures import show

WORDS = ("bos", "eos", "ein", "der", "Hund", "Mann", "Kind", "Pferd")
CHANCES = {  # what a model that one can read gives for the next word
    (): {"ein": 0.55, "der": 0.45},
    ("ein",): {"Hund": 0.3, "Mann": 0.28, "Kind": 0.22, "Pferd": 0.2},
    ("der",): {"Hund": 0.95, "Mann": 0.05},
}
PLACES = {  # of each beginning, on the picture
    (): (0, 2.5),
    ("ein",): (1, 3.6),
    ("der",): (1, 0.6),
    ("ein", "Hund"): (2, 5),
    ("ein", "Mann"): (2, 4.1),
    ("ein", "Kind"): (2, 3.2),
    ("ein", "Pferd"): (2, 2.3),
    ("der", "Hund"): (2, 1.1),
    ("der", "Mann"): (2, 0.1),
}


class Table(nn.Module):
    """A model whose next word is looked up in `CHANCES`; after two words it ends."""

    def forward(self, src: torch.Tensor, tokens: torch.Tensor, src_mask: torch.Tensor | None = None) -> torch.Tensor:
        logits = torch.full((*tokens.shape, len(WORDS)), -1e4)
        for row, ids in enumerate(tokens.tolist()):
            for word, chance in CHANCES.get(tuple(WORDS[i] for i in ids[1:]), {"eos": 1.0}).items():
                logits[row, -1, WORDS.index(word)] = math.log(chance)
        return logits  # [R, T, V]


def garden_path(beam_search) -> None:
    """Show the tree of `CHANCES` with its sums, and what a student's search finds with a beam of one and of two."""
    best = {size: beam_search(Table(), torch.zeros(1, 1), 0, 1, size, 4, alpha=0.0)[0] for size in (1, 2)}
    paths = {size: tuple(WORDS[i] for i in tokens) for size, (tokens, _) in best.items()}
    figure, axes = plt.subplots(figsize=(8.5, 3.8))
    sums = {(): 0.0}
    for beginning, chances in CHANCES.items():
        for word, chance in chances.items():
            whole = (*beginning, word)
            sums[whole] = sums[beginning] + math.log(chance)
            (x, y), (to_x, to_y) = PLACES[beginning], PLACES[whole]
            on_a_path = {size for size, path in paths.items() if path[: len(whole)] == whole}
            colour, style = (
                ("tab:orange", "--") if 1 in on_a_path else ("tab:blue", "-") if on_a_path else ("gray", ":")
            )
            axes.plot([x + 0.16, to_x - 0.16], [y, to_y], style, color=colour, lw=3 if on_a_path else 1)
            label, beside = f"{chance:.2f}   sum {sums[whole]:.2f}", to_x == 2
            at = (to_x + 0.18, to_y) if beside else (to_x, to_y + 0.4)
            axes.text(*at, label, fontsize=8, va="center", ha="left" if beside else "center")
    for beginning, (x, y) in PLACES.items():
        box = dict(boxstyle="round", fc="white", ec="black")
        axes.text(x, y, beginning[-1] if beginning else "bos", ha="center", va="center", fontsize=9, bbox=box)
    for size, style, colour in ((1, "--", "tab:orange"), (2, "-", "tab:blue")):
        axes.plot(
            [], [], style, color=colour, lw=3, label=f"a beam of {size}: {' '.join(paths[size])}, {best[size][1]:.2f}"
        )
    axes.legend(loc="upper left", fontsize=8)
    axes.set(xlim=(-0.3, 2.9), ylim=(-0.4, 5.6), title="The best first word need not start the best sentence")
    axes.axis("off")
    show(
        figure,
        f"A tree of beginnings with probabilities. A beam of one goes by “ein” and ends in {' '.join(paths[1])} with a "
        f"sum of {best[1][1]:.2f}; a beam of two ends in {' '.join(paths[2])} with {best[2][1]:.2f}.",
    )
