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

    def name_of(layer: int) -> str:
        return f"layer {layer}" + (", the last" if layer == task.model["num_layers"] - 1 else "")

    def draw(text: str, layer: int) -> list[Panel]:
        try:
            read, written, weights = aligned(task, model, text)
        except ValueError as refused:
            return [Panel(str(refused), "nothing to show", "", (0, 1), width=480, height=20, x_names=[], y_names=[])]
        table = weights[layer].mean(dim=0)  # [T, S]
        names = {"x_names": read, "y_names": written}
        across, down = whole(len(read)), whole(len(written))[::-1]
        panel = Panel(f"{name_of(layer)}, mean over the heads", "read", "written", across, down, 480, 380, **names)
        return [panel.matrix(table.tolist(), high=strongest(table))]

    def describe(text: str, layer: int) -> str:
        try:
            read, written, weights = aligned(task, model, text)
        except ValueError as refused:
            return f"No translation: {refused}."
        strongest_word = weights[layer].mean(dim=0).argmax(dim=-1).tolist()  # [T]
        from_where = ", ".join(f"{word} ← {read[place]}" for word, place in zip(written, strongest_word, strict=True))
        return f"“{text}” becomes “{' '.join(written[:-1])}”. Most of the attention in {name_of(layer)}: {from_where}."

    return Explorer(
        draw,
        describe,
        text=ipywidgets.Text(value=text, description="English", continuous_update=False, layout={"width": "90%"}),
        layer=ipywidgets.IntSlider(
            value=task.model["num_layers"] - 1, min=0, max=task.model["num_layers"] - 1, description="layer"
        ),
    )
