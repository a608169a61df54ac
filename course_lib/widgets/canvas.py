"""Drawing fast enough to follow a slider: no pyplot, no automatic layout, few ticks.

A figure of one panel takes some 30 ms; with pyplot's layout and a tick for every row it was 150.
"""

import base64
import html
import io

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

COLOURS = "cividis"  # dark to light in any kind of colour vision
DPI = 88
LEFT, RIGHT, BOTTOM, TOP, BETWEEN = 0.75, 0.2, 0.6, 0.45, 0.85  # margins, in inches


def panels(*widths: float, height: float = 2.6) -> tuple[Figure, list[Axes]]:
    """Axes side by side, with room for their words.

    Args:
        widths: of the axes, in inches.
        height: of all of them, in inches.
    """
    wide, high = LEFT + sum(widths) + BETWEEN * (len(widths) - 1) + RIGHT, BOTTOM + height + TOP
    figure, left, row = Figure(figsize=(wide, high), dpi=DPI, facecolor="white"), LEFT, []
    FigureCanvasAgg(figure)
    for width in widths:
        row.append(figure.add_axes((left / wide, BOTTOM / high, width / wide, height / high)))
        left += width + BETWEEN
    return figure, row


def words_on(axes: Axes, title: str, x: str, y: str) -> None:
    """The title of a panel, and what its axes mean."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def matrix(axes: Axes, table, title: str, x: str, y: str, low: float = 0.0, high: float = 1.0) -> None:
    """A matrix [rows, columns] as colours between `low` and `high`, row 0 on top, with a scale beside it."""
    drawn = axes.imshow(table.tolist(), cmap=COLOURS, vmin=low, vmax=high, aspect="auto", interpolation="nearest")
    scale = axes.inset_axes((1.02, 0, 0.03, 1))
    axes.figure.colorbar(drawn, cax=scale, ticks=[low, (low + high) / 2, high]).ax.tick_params(labelsize=7)
    few_ticks(axes.xaxis, axes.yaxis)
    words_on(axes, title, x, y)


def few_ticks(*sides) -> None:
    """At most six whole numbers along an axis."""
    for side in sides:
        side.set_major_locator(MaxNLocator(6, integer=True))


def picture(figure: Figure, alt: str) -> str:
    """A figure as an HTML image that carries its own bytes and its text alternative."""
    file = io.BytesIO()
    figure.canvas.print_png(file)
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img alt="{html.escape(alt, quote=True)}" src="data:image/png;base64,{data}" style="max-width:100%">'


def name_ticks(side, names) -> None:
    """Words instead of numbers along an axis."""
    upright = side.axis_name == "x" and max(map(len, names)) > 2
    side.set_ticks(range(len(names)), list(names), fontsize=8, rotation=90 if upright else 0)
