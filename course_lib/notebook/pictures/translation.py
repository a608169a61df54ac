"""The pictures of stage 10."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch
from torch import nn

from course_lib.notebook.pictures import heat_map, show
from course_lib.notebook.translations import KINDS, alignment, kind_of_failure

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
            label, beside = f"{chance:.2f}   sum {_sum(sums[whole])}", to_x == 2
            at = (to_x + 0.18, to_y) if beside else (to_x, to_y + 0.4)
            axes.text(*at, label, fontsize=8, va="center", ha="left" if beside else "center")
    for beginning, (x, y) in PLACES.items():
        box = dict(boxstyle="round", fc="white", ec="black")
        axes.text(x, y, beginning[-1] if beginning else "bos", ha="center", va="center", fontsize=9, bbox=box)
    for size, style, colour in ((1, "--", "tab:orange"), (2, "-", "tab:blue")):
        axes.plot(
            [], [], style, color=colour, lw=3, label=f"a beam of {size}: {' '.join(paths[size])}, {_sum(best[size][1])}"
        )
    axes.legend(loc="upper left", fontsize=8)
    axes.set(xlim=(-0.3, 2.9), ylim=(-0.4, 5.6), title="The best first word need not start the best sentence")
    axes.axis("off")
    show(
        figure,
        f"A tree of beginnings with probabilities. A beam of one goes by “ein” and ends in {' '.join(paths[1])} with a "
        f"sum of {_sum(best[1][1])}; a beam of two ends in {' '.join(paths[2])} with {_sum(best[2][1])}.",
    )


def _sum(of_logs: float) -> str:
    """With a minus sign, which is wider than a hyphen."""
    return f"{of_logs:.2f}".replace("-", "−")


def certainty(lines: Mapping[float, Sequence[float]]) -> None:
    """Show how sure the smoothed loss makes a model of ten tokens: ε → the probability of the right one, by step."""
    figure, axes = plt.subplots(figsize=(6.5, 3))
    for (smoothing, line), style in zip(lines.items(), ("-", "--", ":"), strict=True):
        axes.plot(line, style, label=f"ε = {smoothing}: {line[-1]:.3f} at the end")
    axes.set(title="How sure the loss wants the model to be", xlabel="steps", ylim=(0, 1.05))
    axes.set_ylabel("probability of the right token")
    axes.legend()
    ends = ", ".join(f"{line[-1]:.2f} with ε = {smoothing}" for smoothing, line in lines.items())
    show(figure, f"Curves of the probability of the right token, which rise from 0.1 and level off: {ends}.")


def alignments(task, model: nn.Module, sentences: Sequence[str]) -> None:
    """Show what the last layer looks at while it translates each of two sentences."""
    figure, panels = plt.subplots(1, 2, figsize=(12.5, 5))
    for axes, sentence in zip(panels, sentences, strict=True):
        alignment(axes, task, model, sentence)
    show(
        figure,
        "Two heat maps, the words of a German translation downwards and the English words across. Most bright squares "
        "are on a diagonal. Where the German verb is at another position than the English one, its bright square is "
        "off the diagonal, on the English verb.",
    )


def peak(chances: Sequence[float], wanted: float) -> None:
    """Show how sure a model is of its most likely tokens, and what its loss asked for."""
    figure, axes = plt.subplots(figsize=(6.5, 2.8))
    axes.hist(chances, bins=50, range=(0, 1), edgecolor="black", linewidth=0.3)
    axes.axvline(wanted, color="tab:orange", ls="--", label=f"1 − ε + ε / V = {wanted:.3f}")
    axes.set(title="Probability of the most likely token", xlabel="probability", ylabel="tokens", xlim=(0, 1.02))
    axes.legend(loc="upper left")
    show(
        figure,
        "A histogram of the probability that the trained model gives its most likely token: one high, narrow peak at "
        "the dashed line at 0.9, and very little to the left or right of it.",
    )


def failures(said: Mapping[str, Sequence[str]], right: Sequence[str]) -> None:
    """Print a failure of each kind, and show how many of each there are: name → its translations of the sentences."""
    kinds, counts = KINDS[1:], {}
    for name, texts in said.items():
        found = [
            (kind_of_failure(text.split(), expected.split()), text, expected)
            for text, expected in zip(texts, right, strict=True)
        ]
        counts[name] = [sum(kind == each for each, *_ in found) for kind in kinds]
        for kind in kinds:
            for _, text, expected in [row for row in found if row[0] == kind][:1]:
                print(f"{name}, {kind}:\n    {text}\n    {expected}")
    figure, axes = plt.subplots(figsize=(8, 3))
    for (name, bars), shift, hatch in zip(counts.items(), (-0.2, 0.2), ("", "//"), strict=True):
        axes.bar([k + shift for k in range(len(kinds))], bars, 0.38, hatch=hatch, label=name)
    axes.set(title=f"Failures of {len(right)} sentences", xlabel="kind", ylabel="sentences")
    axes.set_xticks(range(len(kinds)), labels=kinds)
    axes.legend()
    listed = "; ".join(
        f"{name}: {', '.join(f'{kind} {count}' for kind, count in zip(kinds, bars, strict=True))}"
        for name, bars in counts.items()
    )
    show(figure, f"Bars for {len(kinds)} kinds of failure. {listed}.")


def shifted_targets(words: Sequence[str]) -> None:
    """Show the causal mask over tgt_in, and next to each row the token of tgt_out that must be predicted there."""
    read, predicted = ["bos", *words], [*words, "eos"]
    size = len(read)
    figure, axes = plt.subplots(figsize=(6.4, 3.6))
    heat_map(axes, torch.ones(size, size).tril().bool(), "", "tgt_in: what the decoder reads", "position")
    axes.set_xticks(range(size), labels=read)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    right = axes.secondary_yaxis("right")  # what stands beside a map turns light in the dark, what is on it does not
    right.set_yticks(range(size), labels=[f"→ {word}" for word in predicted], fontweight="bold")
    right.set_ylabel("tgt_out: what it must predict")
    figure.supxlabel("light: visible, dark: hidden", fontsize=9)
    show(
        figure,
        f"A causal mask of {size} by {size} squares. The columns are tgt_in: {', '.join(read)}. Each row sees the "
        f"columns up to its own, and next to it is the token of tgt_out that it must predict: {', '.join(predicted)}. "
        "No row sees its answer.",
    )
