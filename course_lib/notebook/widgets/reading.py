"""Type a text: what each head of a language model looks at while it reads it."""

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import beside, evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole

LONGEST = 40  # characters: what still can be read on an axis
SHOWN = str.maketrans({" ": "␣", "\n": "⏎"})


def head_reader(model, tokens, text: str) -> Explorer:
    """A line to type a text into: the map of one head, and the next token that the model expects.

    Args:
        model: `model.look(ids [1, T])` returns the logits [1, T, V], the attention [L, 1, h, T, T] and the states, as
            `AttentionOnly` and `Hooked` do.
        tokens: `encode` takes a text to ids and `decode` ids to a text.
        text: the first one. Of a longer text than 40 tokens the end is shown.
    """

    def read(text: str) -> tuple[list[str], torch.Tensor, str]:
        ids = tokens.encode(text)[-LONGEST:]
        if not ids:
            raise ValueError("there is nothing to read: type a text")
        with evaluating(model):
            logits, attention, _ = model.look(beside(model, torch.tensor([ids])))
        names = [tokens.decode([token]).translate(SHOWN) for token in [*ids, int(logits[0, -1].argmax())]]
        return names[:-1], attention[:, 0].cpu(), names[-1]  # [L, h, T, T]

    def draw(text: str, layer: int, head: int) -> list[Panel]:
        try:
            names, maps, following = read(text)
        except ValueError as error:
            return [Panel(str(error), "nothing to show", "", (0, 1), width=480, height=20, x_names=[], y_names=[])]
        places, title = whole(len(names)), f"layer {layer}, head {head}; next: “{following}”"
        square = {"width": 340, "height": 320, "x_names": names, "y_names": names}
        panel = Panel(title, "key", "query", places, places[::-1], **square)
        return [panel.matrix(maps[layer, head].tolist(), high=1.0)]

    def describe(text: str, layer: int, head: int) -> str:
        try:
            names, maps, following = read(text)
        except ValueError as error:
            return f"No map: {error}."
        weights = maps[layer, head, -1]  # [T]
        key = int(weights.argmax())
        return (
            f"The attention of layer {layer}, head {head} to “{''.join(names)}”: the last token looks most at token "
            f"{key}, “{names[key]}”, with {weights[key]:.2f}. The model expects “{following}” next."
        )

    layers, heads = read(text)[1].shape[:2]
    return Explorer(
        draw,
        describe,
        text=ipywidgets.Text(value=text, description="text", continuous_update=False, layout={"width": "42em"}),
        layer=ipywidgets.IntSlider(min=0, max=layers - 1, description="layer"),
        head=ipywidgets.IntSlider(min=0, max=heads - 1, description="head"),
    )
