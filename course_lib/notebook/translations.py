"""Pictures of stage 10: the pipeline, what a decoder looks at while it writes, and failures sorted by kind."""

import inspect
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

import matplotlib.pyplot as plt
import torch
from matplotlib.figure import Figure
from torch import nn

from course_lib.model.attention import scaled_dot_product
from course_lib.model.heads import split_heads
from course_lib.model.masks import expand_mask
from course_lib.notebook.pictures import heat_map
from course_lib.notebook.widgets.evaluating import evaluating
from course_lib.tasks.translation import split_words
from course_lib.text.translating import translate
from course_lib.text.vocabulary import BOS, EOS, UNK

STEPS = (
    ("text", "“the dog\nsleeps”"),
    ("words", "the · dog\n· sleeps"),
    ("ids", "5 · 41\n· 97 · eos"),
    ("vectors", "table +\npositions"),
    ("memory", "encoder"),
    ("logits", "decoder,\ntable again"),
    ("ids", "greedy\nor a beam"),
    ("text", "“der Hund\nschläft”"),
)


def pipeline() -> Figure:
    """From a sentence to its translation, and what training adds, as one picture."""
    figure, axes = plt.subplots(figsize=(11, 2.6))
    for place, (name, example) in enumerate(STEPS):
        colour = "tab:blue" if place < 5 else "tab:orange"
        axes.text(
            place,
            1,
            name,
            ha="center",
            va="center",
            weight="bold",
            bbox=dict(boxstyle="round", fc="white", ec=colour, lw=2),
        )
        axes.text(place, 0.76, example, ha="center", va="top", fontsize=8)
        if place:
            axes.annotate("", (place, 1), (place - 1, 1), arrowprops=dict(arrowstyle="->", shrinkA=28, shrinkB=28))
    axes.annotate("", (5, 0.42), (6, 0.42), arrowprops=dict(arrowstyle="->", connectionstyle="arc3,rad=-0.5", ls="--"))
    axes.text(5.5, 0.02, "each token goes back in", fontsize=8, ha="center")
    axes.text(
        2.2,
        0.1,
        "training: tgt_in goes in, tgt_out is expected, smoothed_loss says how far off",
        fontsize=8,
        ha="center",
    )
    axes.set(xlim=(-0.6, 7.6), ylim=(-0.1, 1.35), title="From a string to a string")
    axes.axis("off")
    return figure


def cross_attention(
    model: nn.Module,
    src: torch.Tensor,
    tgt: torch.Tensor,
    src_mask: torch.Tensor | None = None,
    num_heads: int | None = None,
) -> torch.Tensor:
    """Where each target token looks in the memory: [layers, B, heads, T, S], for a decoder of stage 05.

    A student's layer may keep the number of its heads under another name than ours: then `num_heads` says it.
    """
    maps = []

    def look(layer, arguments, named):
        given = inspect.signature(layer.forward).bind(*arguments, **named).arguments
        q, k = (
            split_heads(project(given[name]), num_heads or layer.num_heads)
            for project, name in ((layer.q_proj, "queries"), (layer.k_proj, "keys"))
        )
        mask = given.get("mask")
        maps.append(scaled_dot_product(q, k, k, None if mask is None else expand_mask(mask))[1])

    hooks = [block.cross_attn.register_forward_pre_hook(look, with_kwargs=True) for block in model.decoder.layers]
    try:
        with evaluating(model):
            model(src, tgt, src_mask=src_mask)
    finally:
        for hook in hooks:
            hook.remove()
    return torch.stack(maps).cpu()


def aligned(task, model: nn.Module, text: str) -> tuple[list[str], list[str], torch.Tensor]:
    """A sentence and its translation in words, eos included, and the attention between them: [layers, heads, T, S].

    A word that the model does not know is followed by “(unknown)”.

    Raises:
        ValueError: the text has no word that the model knows, or too many; the message says which.
    """
    task.translate(model, [text])  # says what is wrong with the text
    where, source = next(model.parameters()).device, task.source.encode(text)
    made = translate(model, [source], task.model["max_len"] - 1)[0]
    src, tgt = (torch.tensor([ids], device=where) for ids in ([*source, EOS], [BOS, *made]))
    read = [word if i != UNK else f"{word} (unknown)" for word, i in zip(split_words(text), source, strict=True)]
    words = [*read, "eos"], [*task.target.vocabulary.decode(made), "eos"]
    return *words, cross_attention(model, src, tgt, num_heads=task.model["num_heads"])[:, 0]


def alignment(axes, task, model: nn.Module, text: str, layer: int = -1) -> list[str]:
    """Draw the attention of one layer, mean over its heads, and return the translation's words."""
    read, written, weights = aligned(task, model, text)
    heat_map(axes, weights[layer].mean(dim=0), "where each word came from", "read", "written", vmin=0)
    axes.set_xticks(range(len(read)), labels=read, rotation=60, ha="right")
    axes.set_yticks(range(len(written)), labels=written)
    return written[:-1]


KINDS = ("right", "other order", "wrong ending", "word left out", "word too many", "wrong word")


def kind_of_failure(said: Sequence[str], expected: Sequence[str]) -> str:
    """The first of `KINDS` that says how a translation differs from the one that is right.

    >>> expected = "eine gute Frau schläft".split()
    >>> [kind_of_failure(said.split(), expected) for said in ("eine guter Frau schläft", "eine Frau schläft")]
    ['wrong ending', 'word left out']
    """
    if list(said) == list(expected):
        return "right"
    if Counter(said) == Counter(expected):
        return "other order"
    changes = [c for c in SequenceMatcher(a=said, b=expected, autojunk=False).get_opcodes() if c[0] != "equal"]
    one_for_one = all(c[0] == "replace" and c[2] - c[1] == c[4] - c[3] for c in changes)
    if one_for_one and all(
        _same_stem(one, other)
        for c in changes
        for one, other in zip(said[c[1] : c[2]], expected[c[3] : c[4]], strict=True)
    ):
        return "wrong ending"
    if len(said) != len(expected):
        return "word left out" if len(said) < len(expected) else "word too many"
    return "wrong word"


def _same_stem(one: str, other: str) -> bool:
    """Two forms of a word: alike but for the last letters, or two articles."""
    shared = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= 1 and shared >= max(len(one), len(other)) - 3 and max(len(one), len(other)) - shared < 4
