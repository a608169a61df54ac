"""The positional encoding, as a picture and as distances."""

import ipywidgets
import torch
from matplotlib.figure import Figure

from course_lib.widgets.canvas import few_ticks, matrix, panels, words_on
from course_lib.widgets.evaluating import evaluating
from course_lib.widgets.explorer import Explorer


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

    def draw(d_model: int, position: int) -> Figure:
        figure, (left, right) = panels(3.0, 2.8)
        matrix(left, codes(d_model), f"encoding, d_model = {d_model}", "column", "position", low=-1, high=1)
        left.axhspan(position - 0.5, position + 0.5, fill=False, edgecolor="white", linewidth=2)
        right.plot(range(length), likeness(d_model, position).tolist(), color="tab:blue")
        right.axvline(position, color="black", linestyle="--", linewidth=1)
        right.set_ylim(-1.05, 1.05)
        words_on(right, f"likeness to position {position}", "position", "cosine of the angle")
        few_ticks(right.xaxis)
        return figure

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
