"""Pictures with words: every figure has a title, labelled axes and a text alternative."""

import base64
import html
import io
import os
from collections.abc import Mapping
from contextlib import suppress

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

DPI = 96
DARK, INK = "#111111", "#e6e6e6"  # JupyterLab's dark paper, and what is written on it
OTHERS = {0.0: INK, 1.0: DARK}  # of black and white
IN_THE_DARK = ('body[data-jp-theme-light="false"]', 'html[theme="dark"]')  # JupyterLab, Colab
THEMES = "<style>{} {{display:block!important}}{} {{display:none!important}}</style>".format(
    *(",".join(f"{theme} .course-{kind}" for theme in IN_THE_DARK) for kind in ("dark", "light"))
)
SHOWN = {"light": "max-width:100%", "dark": "max-width:100%;display:none"}  # inline: pages have rules for images
MAP = "cividis"  # dark to light in any kind of colour vision


def show(figure: Figure, alt: str) -> None:
    """Display a figure with its text alternative, and close it.

    Args:
        figure: what to show.
        alt: one or two sentences that say what a reader sees in it.

    Where nobody looks (`COURSE_PICTURES=off`) the words are shown alone.
    """
    bundle = {"text/plain": alt}
    if os.environ.get("COURSE_PICTURES") != "off":
        bundle["text/html"] = image(figure, alt)
    plt.close(figure)
    display(bundle, raw=True)


def image(figure: Figure, alt: str) -> str:
    """A figure as self-contained HTML with its text alternative: on white, and on black in the dark theme.

    What is black in the figure is turned white for the second, and stays so.
    """
    area = _laid_out(figure)
    drawn = {"light": png(figure, area=area)}
    _turn_dark(figure)
    drawn["dark"] = png(figure, DARK, area)
    return THEMES + "".join(
        f'<img class="course-{theme}" alt="{html.escape(alt, quote=True)}" style="{SHOWN[theme]}" '
        f'src="data:image/png;base64,{base64.b64encode(data).decode()}">'
        for theme, data in drawn.items()
    )


def png(figure: Figure, paper: str = "white", area: Bbox | str = "tight") -> bytes:
    """A figure as PNG, on paper of this colour; of the figure this area, in inches, or all that is drawn on."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=DPI, bbox_inches=area, facecolor=paper)
    return file.getvalue()


def _laid_out(figure: Figure) -> Bbox:
    """Lay a figure out, once and for all; the area that is drawn on, in inches, with a margin.

    For a "tight" area, or with any layout engine, matplotlib would go through the whole figure before each drawing. And
    laid out again, an axis may get new ticks, which would be black on dark paper.
    """
    figure.set_dpi(DPI)
    figure.draw_without_rendering()
    figure.set_layout_engine(None)
    return figure.get_tightbbox().padded(plt.rcParams["savefig.pad_inches"])


def _turn_dark(figure: Figure) -> None:
    """Swap black and white in everything drawn, except images and text on images or labels."""
    kept = {text for axes in figure.axes if axes.images for text in axes.texts}
    kept |= {text for axes in figure.axes for text in axes.texts if text.get_bbox_patch()}
    arrows = [text.arrow_patch for text in figure.findobj(Annotation) if text.arrow_patch]
    for artist in (*figure.findobj(), *arrows):
        if artist not in kept and artist is not figure.patch:
            _exchange(artist)


def _exchange(artist: Artist) -> None:
    for part in ("color", "edgecolor", "facecolor", "markeredgecolor"):
        get, put = getattr(artist, f"get_{part}", None), getattr(artist, f"set_{part}", None)
        if get is None or put is None:
            continue
        with suppress(ValueError):  # no colour, or one for each of many points
            red, green, blue, alpha = np.squeeze(to_rgba_array(get()))
            if red == green == blue in OTHERS:
                put(to_rgba(OTHERS[red], alpha))


def heat_map(axes, table, title: str, x: str, y: str, numbers: bool = False, **options) -> None:
    """Draw a matrix [rows, columns] as colours, row 0 on top.

    Args:
        axes: a matplotlib axes.
        table: a tensor or nested list [rows, columns].
        title, x, y: the words on it.
        numbers: also write every entry in its square; without, a scale of the colours stands beside the map,
            unless it is a mask.
        options: passed on to `imshow`.
    """
    rows = table.tolist() if hasattr(table, "tolist") else table
    picture = axes.imshow(rows, cmap=options.pop("cmap", MAP), **options)
    ticks = {"xticks": range(0, len(rows[0]), _step(len(rows[0]))), "yticks": range(0, len(rows), _step(len(rows)))}
    axes.set(title=title, xlabel=x, ylabel=y, **ticks)
    if not numbers and not all(isinstance(entry, bool) for row in rows for entry in row):
        if axes.figure.get_layout_engine() is None:
            axes.figure.set_layout_engine("constrained")
        axes.figure.colorbar(picture, cax=axes.inset_axes((1.04, 0, 0.05, 1)))  # as tall as the map, whatever its shape
    if numbers:
        low, high = picture.get_clim()
        for row, entries in enumerate(rows):
            for column, entry in enumerate(entries):
                ink = "black" if entry > (low + high) / 2 else "white"
                axes.text(column, row, f"{entry:.2f}", ha="center", va="center", color=ink, fontsize=8)


def _step(places: int) -> int:
    """The distance between two ticks, for at most eleven per axis: more would touch if four maps share a row."""
    return -(-places // 11)


def heat_maps(
    tables: Mapping, alt: str, x: str, y: str, title: str = "", size: tuple[float, float] = (11, 3.4), **options
) -> None:
    """Show matrices side by side.

    Args:
        tables: the name of each, and the matrix [rows, columns].
        alt: the text alternative.
        x, y: what the columns and the rows are.
        title: over all of them.
        size: of the whole, in inches.
        options: of `heat_map`, the same for all.
    """
    figure, panels = plt.subplots(1, len(tables), figsize=size, squeeze=False, layout="constrained")
    for axes, (name, table) in zip(panels[0], tables.items(), strict=True):
        heat_map(axes, table, name, x, y, **options)
    if title:
        figure.suptitle(title)
    show(figure, alt)


def in_words(values, form: str = ".2f") -> str:
    """Numbers as a text alternative lists them.

    >>> in_words([0.5, 0.25])
    '0.50, 0.25'
    """
    return ", ".join(format(float(value), form) for value in values)
