"""The pictures of stage 8."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, show

BARS = {"edgecolor": "black"}


def _image(axes, pixels: torch.Tensor) -> None:
    axes.imshow(1 - pixels.view(8, 8), cmap="gray", vmin=0, vmax=1)
    axes.set(xticks=[], yticks=[])


def three_of_each(features: torch.Tensor, labels: torch.Tensor) -> None:
    """Show three images of each digit."""
    figure, panels = plt.subplots(3, 10, figsize=(9, 3.1))
    for digit in range(10):
        for row, index in enumerate(torch.where(labels == digit)[0][:3]):
            _image(panels[row, digit], features[index])
        panels[0, digit].set_title(str(digit))
    figure.suptitle("Three of each digit", y=1.04)
    show(figure, "Thirty small pixelated pictures: three different handwritings of each digit from 0 to 9.")


def sets_of_ten(sets: torch.Tensor, target: torch.Tensor, framed: bool) -> None:
    """Show four sets [4, 10, 64]; with `framed`, the odd one of each in a frame."""
    figure, panels = plt.subplots(4, 10, figsize=(9, 4))
    for row in range(4):
        for place in range(10):
            axes = panels[row, place]
            _image(axes, sets[row, place])
            axes.set_title(f"place {place}" if row == 0 else "")
            if framed and place == target[row]:
                for edge in axes.spines.values():
                    edge.set(color="tab:orange", linewidth=4)
        panels[row, 0].set_ylabel(f"set {row}")
    figure.suptitle("One of ten does not belong")
    rows = ", ".join(f"set {row}: place {place}" for row, place in enumerate(target.tolist()))
    words = "Four rows of ten digits, nine of one kind and one of another in each"
    show(figure, f"{words}, framed in orange ({rows})." if framed else f"{words}.")


def places(counts: torch.Tensor) -> None:
    """Show how often the odd one was at each of ten places, in a thousand sets."""
    figure, axes = plt.subplots(figsize=(6, 2.6))
    axes.bar(range(10), counts, color="tab:blue", **BARS)
    for height, words in ((81, "100 ± two standard deviations"), (119, None)):
        axes.axhline(height, linestyle="--", color="black", label=words)
    axes.set(title="Where the odd one is, in 1,000 sets", xlabel="place", ylabel="sets", xticks=range(10))
    axes.set_ylim(0, 160)
    axes.legend(loc="upper right")
    show(figure, f"Bar chart of how often the odd one is at each of ten places: {counts.tolist()}, around 100 each.")


def attention_on_the_odd_one(from_others: Sequence[torch.Tensor], from_itself: Sequence[torch.Tensor]) -> None:
    """Show, for each layer, how much attention the odd one gets in each of four heads."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.3), sharey=True, layout="constrained")
    heads = torch.arange(4)
    for layer, (axes, others, itself) in enumerate(zip(panels, from_others, from_itself, strict=True)):
        axes.bar(heads - 0.2, others, 0.4, color="tab:blue", label="from the others", **BARS)
        axes.bar(heads + 0.2, itself, 0.4, color="white", hatch="//", label="from itself", **BARS)
        axes.axhline(0.1, linestyle="--", color="black", label="evenly spread")
        axes.set(title=f"layer {layer}", xlabel="head", xticks=range(4))
    panels[0].set(ylabel="attention on the odd one")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    seen = "; ".join(
        f"layer {layer}: {', '.join(f'{share:.2f}' for share in shares.tolist())}"
        for layer, shares in enumerate(from_others)
    )
    show(
        figure,
        "Bar chart, for every head of two layers, of the attention that the odd one gets from the others and from "
        f"itself; a dashed line at 0.1. From the others, head by head: {seen}.",
    )


def twenty_models(most_attentive: Sequence[float]) -> None:
    """Show, for twenty models, the attention on the odd one in the head that looks at it most."""
    figure, axes = plt.subplots(figsize=(7, 2.6))
    axes.bar(range(20), most_attentive, color="tab:blue", **BARS)
    axes.axhline(0.1, linestyle="--", color="black", label="evenly spread")
    axes.set(title="The head that looks most at the odd one", xlabel="seed of the model", xticks=range(20))
    axes.set_ylabel("attention on the odd one")
    axes.legend()
    show(
        figure,
        "Bar chart for twenty models: the attention that the odd one gets from the others in the most attentive head, "
        f"from {min(most_attentive):.2f} to {max(most_attentive):.2f}; a dashed line at 0.1.",
    )


def worst_mistakes(sets: torch.Tensor, target: torch.Tensor, chances: torch.Tensor) -> None:
    """Show the sets [B, 10, 64] in which a model was most certain of a wrong one; its probabilities are `chances`."""
    chance, guess = chances.max(-1)  # [B] each
    missed = torch.where(guess != target)[0]
    worst = missed[chance[missed].argsort(descending=True)][:4].tolist()
    rows = max(len(worst), 1)
    figure, panels = plt.subplots(rows, 10, figsize=(10, 1.15 * rows + 0.5), squeeze=False)
    for row, which in enumerate(worst):
        for place, axes in enumerate(panels[row]):
            _image(axes, sets[which, place])
            words = [f"{chances[which, place]:.2f}"]
            words += ["guess"] * (place == guess[which].item()) + ["odd"] * (place == target[which].item())
            axes.set_xlabel(" ".join(words), fontsize=8)
    figure.suptitle(f"{len(missed)} of {len(sets)} sets missed; the most certain mistakes, with probabilities", y=0.95)
    figure.subplots_adjust(hspace=0.5, top=0.86)
    show(
        figure,
        f"{len(worst)} rows of ten digits that the model got wrong, with the probability under every digit; the guess "
        "and the odd one are named. In most of them the guessed digit is badly written, or the odd one looks like the "
        "others.",
    )


def confused(share: torch.Tensor, right: torch.Tensor, missed: torch.Tensor) -> None:
    """Show which pairs are missed, [10, 10] in percent, and how certain the model was when right and when not."""
    figure, (left, other) = plt.subplots(1, 2, figsize=(11, 4), width_ratios=[1, 1.3])
    heat_map(left, share, "Missed, in % of the sets of a pair", "the others", "the odd one")
    for row, column in share.nonzero().tolist():
        ink = "black" if share[row, column] > share.max() / 2 else "white"
        left.text(column, row, f"{share[row, column]:.0f}", ha="center", va="center", color=ink)
    look = {"color": ["tab:blue", "tab:orange"], "label": ["right", "missed"], "log": True, **BARS}
    other.hist([right, missed], bins=20, range=(0, 1), **look)
    other.set(title="How certain the model was", xlabel="probability of the guess", ylabel="sets (log scale)")
    other.legend()
    most = divmod(share.argmax().item(), 10)
    show(
        figure,
        f"Left, a table of odd digit against the others: nearly all squares are dark; the brightest is {most[0]} "
        f"among {most[1]}s, missed in {share.max():.0f} % of the sets. Right, a histogram: right guesses are near "
        "probability 1, the few missed ones are scattered from 0.3 up.",
    )
