"""Pictures with words: every figure has a title, labelled axes and a text alternative."""

import base64
import html
import io
import os

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

MAP = "cividis"  # dark to light in any kind of colour vision


def show(figure: Figure, alt: str) -> None:
    """Display a figure with its text alternative, and close it.

    Args:
        figure: what to show.
        alt: one or two sentences that say what a reader sees in it.

    Where nobody looks (`COURSE_PICTURES=off`, as in grading) the words are shown alone.
    """
    bundle = {"text/plain": alt}
    if os.environ.get("COURSE_PICTURES") != "off":
        bundle["text/html"] = image(figure, alt)
    plt.close(figure)
    display(bundle, raw=True)


def image(figure: Figure, alt: str) -> str:
    """A figure as an HTML image that carries its own bytes and its text alternative."""
    data = base64.b64encode(png(figure)).decode()
    return f'<img alt="{html.escape(alt, quote=True)}" src="data:image/png;base64,{data}" style="max-width:100%">'


def png(figure: Figure) -> bytes:
    """A figure as PNG, on white, so that it reads on light and dark pages."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=96, bbox_inches="tight", facecolor="white")
    return file.getvalue()


def heat_map(axes, table, title: str, x: str, y: str, numbers: bool = False, **options) -> None:
    """Draw a matrix [rows, columns] as colours, row 0 on top.

    Args:
        axes: a matplotlib axes.
        table: a tensor or nested list [rows, columns].
        title, x, y: the words on it.
        numbers: also write every entry in its square.
        options: passed on to `imshow`.
    """
    rows = table.tolist() if hasattr(table, "tolist") else table
    picture = axes.imshow(rows, cmap=options.pop("cmap", MAP), **options)
    axes.set(title=title, xlabel=x, ylabel=y, xticks=range(len(rows[0])), yticks=range(len(rows)))
    if numbers:
        low, high = picture.get_clim()
        for row, entries in enumerate(rows):
            for column, entry in enumerate(entries):
                ink = "black" if entry > (low + high) / 2 else "white"
                axes.text(column, row, f"{entry:.2f}", ha="center", va="center", color=ink, fontsize=8)
