"""The attention maps of a trained model: any sample, any layer, any head."""

from collections.abc import Sequence

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import beside, evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


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

    def draw(sample: int, layer: int, head: int) -> list[Panel]:
        table, names = maps[layer, sample, head], None
        if labels is not None:
            names = [f"{int(label) if isinstance(label, torch.Tensor) else label}" for label in labels[sample]]
        title, across, down = f"sample {sample}, layer {layer}, head {head}", table.shape[1], table.shape[0]
        square = {"width": 320, "height": 300, "x_names": names, "y_names": names}
        panel = Panel(title, "key", "query", whole(across), whole(down)[::-1], **square)
        return [panel.matrix(table.tolist(), high=strongest(table))]

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
