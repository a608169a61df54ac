"""The pictures of stage 9."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from course_lib.notebook.pictures import heat_map, show
from course_lib.text.word_vectors import BY_HAND

END = "</w>"


def merge_tree(word: str, merges: Sequence[tuple[str, str]]) -> None:
    """Show how merges, applied in their order, build a word from its characters."""
    symbols = [(letter, place, 0.0) for place, letter in enumerate([*word[:-1], word[-1] + END])]
    figure, axes = plt.subplots(figsize=(7, 3))
    used = []
    for pair in merges:
        k = 0
        while k < len(symbols) - 1:
            left, right = symbols[k], symbols[k + 1]
            if (left[0], right[0]) == pair:
                used.append(pair)
                whole = ("".join(pair), (left[1] + right[1]) / 2, max(left[2], right[2]) + 1)
                for _, x, y in (left, right):
                    axes.plot([x, whole[1]], [y, whole[2]], color="gray", lw=1, zorder=0)
                axes.text(whole[1], whole[2] + 0.34, f"merge {len(used)}", fontsize=7, ha="center")
                _symbol(axes, *whole, "tab:orange")
                symbols[k : k + 2] = [whole]
            k += 1
    for place, letter in enumerate([*word[:-1], word[-1] + END]):
        _symbol(axes, letter, place, 0, "tab:blue")
    height = max(y for *_, y in symbols)
    axes.set(xlim=(-0.7, len(word) - 0.3), ylim=(-0.5, height + 0.7), title=f"How “{word}” grows together")
    axes.axis("off")
    pieces = " ".join(symbol for symbol, *_ in symbols)
    show(
        figure,
        f"A tree over the letters of {word}. Merges, from the bottom up: "
        f"{', '.join(f'{left} and {right}' for left, right in used)}. What remains: {pieces}.",
    )


def _symbol(axes, text: str, x: float, y: float, colour: str) -> None:
    box = {"boxstyle": "round", "fc": "white", "ec": colour, "lw": 1.5}
    axes.text(x, y, text.replace(END, "_"), ha="center", va="center", fontsize=10, bbox=box)


def size_against_length(line: Sequence[tuple[int, int, float]], words: int) -> None:
    """Show symbols to a word against the size of the vocabulary: (merges, symbols, length), and that of whole words."""
    figure, axes = plt.subplots(figsize=(6.5, 3.2))
    axes.plot([size for _, size, _ in line], [length for *_, length in line], "o-")
    axes.plot(words, 1, "s", color="tab:orange")
    look = {"textcoords": "offset points", "fontsize": 8}
    for number, size, length in line:
        axes.annotate(f"{number}", (size, length), xytext=(6, 5), **look)
    axes.annotate("whole words", (words, 1), xytext=(-62, 8), **look)
    axes.set(title="Vocabulary against length, by the number of merges", xlabel="different symbols")
    axes.set(ylabel="symbols per word", ylim=(0, 3.5))
    points = "; ".join(f"{number} merges: {size:,} symbols, {length:.1f} per word" for number, size, length in line)
    show(figure, f"A falling curve of symbols per word against the size of the vocabulary. {points}. Words: {words:,}.")


def unknown_words(found: Sequence[tuple[int, int, float]]) -> None:
    """Show the share of unknown words by vocabulary: (min_freq, size, percent)."""
    figure, axes = plt.subplots(figsize=(6.5, 3.2))
    axes.plot([size for _, size, _ in found], [share for *_, share in found], "o-")
    for min_freq, size, share in found:
        axes.annotate(f"min_freq {min_freq}", (size, share), xytext=(6, 4), textcoords="offset points", fontsize=8)
    axes.set(title="Unknown words in sentences not seen before", xlabel="size of the vocabulary")
    axes.set(ylabel="unknown, in %", xlim=(0, 4600), ylim=(0, 22))
    points = "; ".join(f"min_freq {least}: {size:,} words, {share:.0f} %" for least, size, share in found)
    show(figure, f"A falling curve of the share of unknown words against the size of the vocabulary. {points}.")


def padding(masks: Mapping[str, Sequence[torch.Tensor]]) -> None:
    """Show a typical batch of each way of batching, and how much of all batches is padding: name → their masks."""
    figure, panels = plt.subplots(1, len(masks), figsize=(11, 3.4))
    shares = {}
    for axes, (name, batches) in zip(panels, masks.items(), strict=True):
        shares[name] = 1 - sum(mask.sum().item() for mask in batches) / sum(mask.numel() for mask in batches)
        typical = next(mask for mask in batches if 10 < len(mask) < 50 and not mask.all())
        axes.imshow(typical, cmap="cividis_r", aspect="auto", interpolation="nearest", vmin=0, vmax=1)
        axes.set(title=f"One of {len(batches)} batches {name}; {shares[name]:.0%} padding in all", ylabel="sentence")
        axes.set_xlabel("token (light: padding)")
        print(f"{name}: {len(batches)} batches, {shares[name]:.1%} of all numbers are padding")
    show(
        figure,
        "Two batches as rectangles, dark where there is text and light where there is padding. In random order the "
        "rows end at very different positions and more than half of the rectangle is light; in buckets all rows are "
        "nearly equally long.",
    )


def sawtooth(losses: Mapping[str, Sequence[float]], epoch: int) -> None:
    """Show the training loss of two orders of the same batches; an epoch has `epoch` of them."""
    figure, axes = plt.subplots(figsize=(8, 3.2))
    for (name, line), colour in zip(losses.items(), ("tab:orange", "tab:blue"), strict=True):
        axes.plot(line, lw=1, color=colour, label=name)
    for end in range(epoch, len(line), epoch):
        axes.axvline(end, color="gray", lw=0.8, ls=":")
    axes.set(title="The same rows in two orders (dotted: a new epoch)", xlabel="step", ylabel="loss")
    axes.legend(fontsize=8)
    show(
        figure,
        "Two training losses over four epochs. With short rows first the loss drops at the start of each epoch "
        "and climbs towards its end, like a saw; in random order it is noisy but has no teeth.",
    )


def what_bank_becomes(x: Mapping[str, torch.Tensor], found: Mapping[tuple[bool, str], torch.Tensor]) -> None:
    """Show where “bank” moves in two sentences, if it may find itself and if not.

    Args:
        x: sentence → its vectors [6, 4]; “bank” is the last.
        found: (may find itself, sentence) → what “bank” finds, [4].
    """
    figure, panels = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    for axes, itself in zip(panels, (True, False), strict=True):
        for (text, vectors), colour in zip(x.items(), ("tab:orange", "tab:blue"), strict=True):
            arrow = {"arrowstyle": "->", "color": colour, "lw": 2}
            axes.annotate("", found[itself, text][:2].tolist(), vectors[-1, :2].tolist(), arrowprops=arrow)
            axes.plot([], [], color=colour, label=text)  # for the legend
        for word in ("bank", "money", "river", "lends", "swims", "the"):
            axes.plot(*BY_HAND[word][:2], "ko", markersize=4)
            axes.text(*BY_HAND[word][:2], f" {word}", fontsize=8, va="top")
        axes.set(title=f"{'It may' if itself else 'It may not'} find itself", xlabel="money")
        axes.set(xlim=(-0.15, 2.6), ylim=(-0.15, 2.3))
    panels[0].set_ylabel("water")
    panels[0].legend(fontsize=8, loc="upper right")
    show(
        figure,
        "Two plots of words in the plane of money and water, with an arrow from bank to what it becomes in each of "
        "two sentences. If it may find itself the arrows are short; if it may not they are long and end near money, "
        "and near river.",
    )


def who_decides(layers: Mapping[str, Mapping[str, torch.Tensor]]) -> None:
    """Show how much each word counts at each position, [6, 6], in four layers: sentence → layer → table."""
    figure, panels = plt.subplots(2, 4, figsize=(12, 5.6), layout="constrained")
    for row, (text, tables) in zip(panels, layers.items(), strict=True):
        for axes, (name, table) in zip(row, tables.items(), strict=True):
            heat_map(axes, table, name, "", "", vmin=0, vmax=1)
            axes.set_xticks(range(6), labels=text.split(), rotation=60, fontsize=8)
            axes.set_yticks(range(6), labels=text.split(), fontsize=8)
    show(
        figure,
        "Eight heat maps of six by six words, four layers for each of two sentences. The dense one is irregular and "
        "the convolution a band along the diagonal, each the same for both sentences. The graph has entries where "
        "words belong together, attention where vectors are alike: both differ between the sentences.",
    )
