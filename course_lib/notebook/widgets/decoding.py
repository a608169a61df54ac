"""Greedy decoding, one token at a time."""

from collections.abc import Sequence

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


def greedy_steps(
    model,
    src: torch.Tensor,
    bos: int,
    eos: int,
    max_len: int,
    src_mask: torch.Tensor | None = None,
    vocabulary: Sequence[str] | None = None,
    source_words: Sequence[str] | None = None,
) -> Explorer:
    """A slider through time: what the model has written, and how likely it finds each next token.

    Args:
        model: called as `model(src, tokens, src_mask=src_mask)`, gives logits [B, T, V].
        src: [B, T_src]; the first sequence is decoded.
        bos, eos: the tokens that start and end a sequence.
        max_len: stop after at most this many tokens.
        src_mask: [B, T_src], passed to the model.
        vocabulary: V words. source_words: T_src words.
    """
    src_mask = None if src_mask is None else src_mask[:1]
    tokens, chances = torch.full((1, 1), bos, device=src.device), []
    with evaluating(model):
        while len(chances) < max_len and (not chances or tokens[0, -1] != eos):
            logits = model(src[:1], tokens, src_mask=src_mask)[0, -1]  # [V]
            chances.append(logits.softmax(-1).cpu())
            tokens = torch.cat([tokens, logits.argmax().view(1, 1)], dim=1)  # [1, 1 + step]
    source, written = " ".join(map(str, source_words or src[0].tolist())), tokens[0].tolist()

    def named(*ids: int) -> str:
        return " ".join(vocabulary[i] if vocabulary else str(i) for i in ids)

    def draw(step: int) -> list[Panel]:
        size = len(chances[0])
        title, below = f"written {named(*written[:step])}, next {named(written[step])}", f"source {source}"
        axes = Panel(title, f"next token ({below})", "probability", whole(size), (0, 1.1), 480, x_names=vocabulary)
        axes.bars(chances[step - 1].tolist(), chosen=written[step])
        return [axes.words(written[step], chances[step - 1].max().item(), "chosen", lift=4)]

    def describe(step: int) -> str:
        ends = " which ends the sequence." if written[step] == eos else "."
        return (
            f"Step {step} of {len(chances)}. The source is {source}; written so far: {named(*written[:step])}. "
            f"The most likely next token is {named(written[step])}, "
            f"with probability {chances[step - 1].max():.2f}{ends}"
        )

    return Explorer(draw, describe, step=ipywidgets.IntSlider(value=1, min=1, max=len(chances), description="step"))
