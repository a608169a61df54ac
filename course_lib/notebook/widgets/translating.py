"""A box to type a sentence into: its translation, and where the model looked for each word."""

import ipywidgets
from torch import nn

from course_lib.notebook.translations import aligned
from course_lib.notebook.widgets.attention_maps import strongest
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


def translation_box(task, model: nn.Module, text: str) -> Explorer:
    """Type a sentence, press Enter, and choose the layer whose attention is drawn.

    Args:
        task: a `TranslationTask`, which knows the words.
        model: a `TranslationModel` of this task.
        text: the sentence to begin with.
    """

    def found(text: str):
        try:
            return aligned(task, model, text), ""
        except ValueError as error:
            return None, str(error)

    def draw(text: str, layer: int) -> list[Panel]:
        answer, _ = found(text)
        if answer is None:
            return []
        read, written, weights = answer
        table = weights[layer].mean(dim=0)  # [T, S]
        across, down = whole(len(read)), whole(len(written))[::-1]
        title = f"layer {layer}, mean over the heads"
        panel = Panel(title, "read", "written", across, down, width=480, height=380, x_names=read, y_names=written)
        return [panel.matrix(table.tolist(), high=strongest(table))]

    def describe(text: str, layer: int) -> str:
        answer, wrong = found(text)
        if answer is None:
            return wrong
        read, written, weights = answer
        pairs = zip(written, weights[layer].mean(dim=0).argmax(dim=-1).tolist(), strict=True)
        return f"“{text}” becomes “{' '.join(written[:-1])}”. Most of the attention in layer {layer}: " + ", ".join(
            f"{word} ← {read[place]}" for word, place in pairs
        )

    return Explorer(
        draw,
        describe,
        text=ipywidgets.Text(value=text, description="English", continuous_update=False, layout={"width": "90%"}),
        layer=ipywidgets.IntSlider(
            value=task.model["num_layers"] - 1, min=0, max=task.model["num_layers"] - 1, description="layer"
        ),
    )
