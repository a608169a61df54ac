"""The attention maps of a trained model: any sample, any layer, any head."""

from collections.abc import Sequence

import ipywidgets
import torch
from matplotlib.figure import Figure

from course_lib.widgets.canvas import matrix, name_ticks, panels
from course_lib.widgets.evaluating import beside, evaluating
from course_lib.widgets.explorer import Explorer


def attention_explorer(model, inputs: torch.Tensor, labels: Sequence[Sequence] | None = None, **options) -> Explorer:
    """Pick a sample, a layer and a head.

    Args:
        model: `model.get_attention_maps(inputs, **options)` gives the attention [B, h, T, T] of every layer.
        inputs: [B, T, input_dim], a handful of sequences.
        labels: [B][T], a word or a number for every token.
        options: passed on, `mask=…` or `add_positional_encoding=False` for instance.
    """
    with evaluating(model):
        maps = torch.stack(model.get_attention_maps(beside(model, inputs), **options)).cpu()  # [N, B, h, T, T]
    layers, samples, heads = maps.shape[:3]

    def draw(sample: int, layer: int, head: int) -> Figure:
        figure, (axes,) = panels(3.6, height=3.2)
        table = maps[layer, sample, head]
        matrix(axes, table, f"sample {sample}, layer {layer}, head {head}", "key", "query", high=strongest(table))
        if labels is not None:
            names = [f"{int(label) if isinstance(label, torch.Tensor) else label}" for label in labels[sample]]
            name_ticks(axes.xaxis, names), name_ticks(axes.yaxis, names)
        return figure

    def describe(sample: int, layer: int, head: int) -> str:
        table = maps[layer, sample, head]  # [T, T]
        query, key = divmod(int(table.argmax()), table.shape[1])
        return (
            f"The attention of sample {sample} in layer {layer}, head {head}: the largest weight, {table.max():.2f}, "
            f"is that of query {query} on key {key}; the keys with the most weight, query by query, are "
            f"{', '.join(map(str, table.argmax(-1).tolist()))}."
        )

    return Explorer(
        draw,
        describe,
        sample=ipywidgets.IntSlider(min=0, max=samples - 1, description="sample"),
        layer=ipywidgets.IntSlider(min=0, max=layers - 1, description="layer"),
        head=ipywidgets.IntSlider(min=0, max=heads - 1, description="head"),
    )


def strongest(table: torch.Tensor) -> float:
    """The top of the colour scale: the largest weight, to one more tenth."""
    return min(1.0, int(table.max() * 10 + 1) / 10)
