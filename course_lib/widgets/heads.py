"""What each head of an attention layer looks at."""

from collections.abc import Sequence

import ipywidgets
import torch
from matplotlib.figure import Figure

from course_lib.widgets.canvas import few_ticks, matrix, name_ticks, panels, words_on
from course_lib.widgets.evaluating import beside, evaluating
from course_lib.widgets.explorer import Explorer


def head_explorer(
    module, x: torch.Tensor, tokens: Sequence[str] | None = None, mask: torch.Tensor | None = None
) -> Explorer:
    """One head's map, and the weights of one of its queries.

    Args:
        module: called as `module(x, mask=mask, return_attention=True)`, gives (output, attention [B, h, T, T]).
        x: [B, T, input_dim]; the first sequence is shown.
        tokens: T words for the axes.
        mask: as `expand_mask` takes it.
    """
    with evaluating(module):
        _, attention = module(beside(module, x[:1]), mask=mask, return_attention=True)
    maps = attention[0].cpu()  # [h, T, T]
    heads, length = maps.shape[:2]

    def draw(head: int, query: int) -> Figure:
        figure, (left, right) = panels(2.8, 2.8, height=2.8)
        matrix(left, maps[head], f"head {head}", "key", "query")
        left.axhspan(query - 0.5, query + 0.5, fill=False, edgecolor="white", linewidth=2)
        right.bar(range(length), maps[head, query].tolist(), color="tab:blue", edgecolor="black")
        right.set_ylim(0, 1.02)
        words_on(right, f"what query {named(query)} looks at", "key", "attention weight")
        few_ticks(right.xaxis)
        if tokens:
            name_ticks(left.xaxis, tokens), name_ticks(left.yaxis, tokens), name_ticks(right.xaxis, tokens)
        return figure

    def describe(head: int, query: int) -> str:
        weights = maps[head, query]
        return (
            f"The attention map of head {head} of {heads}, and its row for query {named(query)} as bars: the largest "
            f"weight, {weights.max():.2f}, is on key {named(int(weights.argmax()))}."
        )

    def named(position: int) -> str:
        return f"{position} ({tokens[position]})" if tokens else str(position)

    head = ipywidgets.IntSlider(min=0, max=heads - 1, description="head")
    query = ipywidgets.IntSlider(value=length // 2, min=0, max=length - 1, description="query")
    return Explorer(draw, describe, head=head, query=query)
