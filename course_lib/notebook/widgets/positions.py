"""The positional encoding, as a picture and as distances."""

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


def position_explorer(encoding_class: type | None = None, length: int = 48) -> Explorer:
    """The code of every position, and how much the code of one resembles those of the others.

    Args:
        encoding_class: made as `encoding_class(d_model)`, called with [1, T, d_model]: yours, for instance;
            None takes course_lib's `PositionalEncoding`.
        length: T, positions shown.

    Source: "Attention Is All You Need", section 3.5.
    """
    if encoding_class is None:
        from course_lib import PositionalEncoding as encoding_class

    def codes(d_model: int) -> torch.Tensor:
        encoding = encoding_class(d_model)
        with evaluating(encoding):
            return encoding(torch.zeros(1, length, d_model))[0]  # [T, d_model]

    def likeness(d_model: int, position: int) -> torch.Tensor:
        directions = torch.nn.functional.normalize(codes(d_model), dim=-1)  # [T, d_model]
        return directions @ directions[position]  # [T]

    def draw(d_model: int, position: int) -> list[Panel]:
        table = Panel(
            f"encoding, d_model = {d_model}", "column", "position", whole(d_model), whole(length)[::-1], height=280
        )
        table.matrix(codes(d_model).tolist(), -1, 1).row_frame(position)
        curve = Panel(f"likeness to position {position}", "position", "cosine", (0, length - 1), (-1, 1.1), height=280)
        return [table, curve.line(range(length), likeness(d_model, position).tolist()).guide_at_x(position)]

    def describe(d_model: int, position: int) -> str:
        values = likeness(d_model, position)
        near, far = values[min(position + 1, length - 1)], values[0 if position > length // 2 else -1]
        return (
            f"The encoding of {length} positions in {d_model} columns, sines and cosines from fast (left) to slow, and "
            f"the cosine between position {position} and every other: {near:.2f} with the next, {far:.2f} with the "
            "farthest."
        )

    widths = ipywidgets.SelectionSlider(options=[4, 8, 16, 32, 64, 128], value=32, description="d_model")
    position = ipywidgets.IntSlider(value=length // 3, min=0, max=length - 1, description="position")
    return Explorer(draw, describe, d_model=widths, position=position)
