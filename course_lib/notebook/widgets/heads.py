"""What each head of an attention layer looks at."""

from collections.abc import Sequence

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import beside, evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


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

    def draw(head: int, query: int) -> list[Panel]:
        places, title = whole(length), f"what query {named(query)} looks at"
        whole_map = Panel(f"head {head}", "key", "query", places, places[::-1], x_names=tokens, y_names=tokens)
        one_row = Panel(title, "key", "attention weight", places, x_names=tokens)
        return [whole_map.matrix(maps[head].tolist()).row_frame(query), one_row.bars(maps[head, query].tolist())]

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
