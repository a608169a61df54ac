"""Small plots as inline SVG. A slider's tick costs a millisecond, and lines and words take the page's colour.

(A figure of matplotlib takes some 70 ms, and half a second at every twelfth, when its garbage is collected.)
"""

import html
import math
from collections.abc import Iterable, Sequence

from course_lib.notebook.widgets.pixels import colour_of, data_uri

BAR, CHOSEN = "#4a86c8", "#d9730d"  # both readable on white and on black
BOTTOM, TOP, LEFT, RIGHT, SCALE = 46, 28, 58, 18, 56  # margins in pixels; SCALE for a colour scale
CHARACTER = 6.5  # pixels
DASHED = 'stroke-dasharray="5 4"'


class Panel:
    """One pair of axes.

    Args:
        title, x, y: the words on it.
        x_range, y_range: what the axes span; a larger number first turns an axis round.
        width, height: between the axes, in pixels.
        x_names, y_names: words at 0, 1, 2, … instead of numbers; an empty list leaves the axis blank.
    """

    def __init__(
        self,
        title: str,
        x: str,
        y: str,
        x_range: tuple[float, float],
        y_range: tuple[float, float] = (0, 1),
        width: int = 260,
        height: int = 210,
        x_names: Sequence[str] | None = None,
        y_names: Sequence[str] | None = None,
    ):
        self.title, self.x, self.y = title, x, y
        self.x_range, self.y_range, self.width, self.height = x_range, y_range, width, height
        self.x_ticks, self.y_ticks = _ticks(x_range, x_names), _ticks(y_range, y_names)
        self.upright = bool(x_names) and max(map(len, x_names)) * CHARACTER > width / len(x_names)
        self.left = max(LEFT, 34 + _longest(self.y_ticks))
        self.right, self.bottom = RIGHT, BOTTOM + (_longest(self.x_ticks) - 10 if self.upright else 0)
        self.marks: list[str] = []

    def across(self, value: float) -> float:
        """The horizontal position of an x on the drawing."""
        low, high = self.x_range
        return self.left + (value - low) / (high - low) * self.width

    def down(self, value: float) -> float:
        """The vertical position of a y on the drawing."""
        low, high = self.y_range
        return TOP + self.height - (value - low) / (high - low) * self.height

    def bars(self, heights: Iterable[float], chosen: int | None = None, labels: bool = False) -> "Panel":
        """A bar at 0, 1, 2, …; a `chosen` one has a thick edge and another colour."""
        for place, height in enumerate(heights):
            corners = (place - 0.4, 0, place + 0.4, height)
            self._rectangle(*corners, CHOSEN if place == chosen else BAR, 2.5 if place == chosen else 0.8)
            if labels:
                self.words(place, max(height, 0), f"{height:.2f}", lift=4)
        return self

    def line(self, xs: Iterable[float], ys: Iterable[float]) -> "Panel":
        """Points joined by a line."""
        points = " ".join(f"{self.across(x):.1f},{self.down(y):.1f}" for x, y in zip(xs, ys, strict=True))
        self.marks.append(f'<polyline points="{points}" fill="none" stroke="{BAR}" stroke-width="2"/>')
        return self

    def guide_at_x(self, x: float, words: str = "") -> "Panel":
        """A dashed upright line, with words beside its top."""
        across = self.across(x)
        self.marks.append(_line(across, TOP, across, TOP + self.height, DASHED))
        self.marks.append(_text(across + 5, TOP + 13, words, "start"))
        return self

    def guide_at_y(self, y: float, words: str = "") -> "Panel":
        """A dashed level line, with words above its end."""
        down, end = self.down(y), self.left + self.width
        self.marks.append(_line(self.left, down, end, down, DASHED))
        self.marks.append(_text(end - 4, down - 5, words, "end"))
        return self

    def matrix(self, rows: Sequence[Sequence[float]], low: float = 0.0, high: float = 1.0) -> "Panel":
        """Fill the panel with colours, row 0 on top, and draw their scale next to it."""
        pixels = [[colour_of(entry, low, high) for entry in row] for row in rows]
        self.image(pixels, (self.x_range[0], self.y_range[0], self.x_range[1], self.y_range[1]))
        side = self.left + self.width + 10
        ramp = data_uri([[colour_of(level, 0, 63)] for level in range(63, -1, -1)])
        self.marks.append(_image(ramp, side, TOP, 10, self.height))
        for value, height in ((high, TOP + 9), ((low + high) / 2, TOP + self.height / 2 + 4), (low, TOP + self.height)):
            self.marks.append(_text(side + 14, height, f"{value:g}", "start"))
        self.right = SCALE
        return self

    def image(self, pixels: Sequence[Sequence[tuple[int, int, int]]], corners: tuple) -> "Panel":
        """Pixels (red, green, blue) between the corners (x0, y0, x1, y1), the first row at the larger y on the page."""
        left, right = sorted((self.across(corners[0]), self.across(corners[2])))
        top, bottom = sorted((self.down(corners[1]), self.down(corners[3])))
        self.marks.append(_image(data_uri(pixels), left, top, right - left, bottom - top))
        return self

    def row_frame(self, row: int) -> "Panel":
        """A frame around one row of a matrix."""
        corners = (self.x_range[0], row - 0.5, self.x_range[1], row + 0.5)
        return self._rectangle(*corners, "none", 5, "#000")._rectangle(*corners, "none", 2, "#fff")

    def words(self, x: float, y: float, words: str, lift: float = 0) -> "Panel":
        """Centred words, `lift` pixels above a point."""
        self.marks.append(_text(self.across(x), self.down(y) - lift, words))
        return self

    def svg(self) -> str:
        """The panel as SVG, without its position on the page."""
        middle, centre, end = self.left + self.width / 2, TOP + self.height / 2, TOP + self.height
        frame = (self.left, TOP, self.width, self.height)
        parts = [
            *self.marks,
            '<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="currentColor"/>'.format(*frame),
            _text(middle, 16, self.title, weight="bold"),
            _text(middle, end + self.bottom - 8, self.x),
            _text(13, centre, self.y, turned=True),
        ]
        for place, name in self.x_ticks:
            x = self.across(place)
            parts.append(_line(x, end, x, end + 4))
            parts.append(_text(x + 4, end + 8, name, "end", True) if self.upright else _text(x, end + 17, name))
        for place, name in self.y_ticks:
            y = self.down(place)
            parts += [_line(self.left - 4, y, self.left, y), _text(self.left - 7, y + 4, name, "end")]
        return "".join(parts)

    def _rectangle(self, x0, y0, x1, y1, fill: str, edge: float, stroke: str = "currentColor") -> "Panel":
        (left, right), (top, bottom) = (
            sorted((self.across(x0), self.across(x1))),
            sorted((self.down(y0), self.down(y1))),
        )
        size = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
        self.marks.append(f'<rect {size} fill="{fill}" stroke="{stroke}" stroke-width="{edge}"/>')
        return self


def whole(count: int) -> tuple[float, float]:
    """The range of an axis on which the places 0 to count − 1 have one unit each."""
    return -0.5, count - 0.5


def picture(panels: Sequence[Panel], alt: str) -> str:
    """Panels side by side as one image with its text alternative."""
    parts, left = [], 0.0
    for panel in panels:
        parts.append(f'<g transform="translate({left:.0f} 0)">{panel.svg()}</g>')
        left += panel.left + panel.width + panel.right
    high = max(TOP + panel.height + panel.bottom for panel in panels)
    return (
        f'<svg role="img" aria-label="{html.escape(alt, quote=True)}" viewBox="0 0 {left:.0f} {high:.0f}" '
        f'width="{left:.0f}" style="max-width:100%;height:auto;font:12px sans-serif" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def _ticks(span: tuple[float, float], names: Sequence[str] | None) -> list[tuple[float, str]]:
    """At most seven round numbers in a range, or all the names."""
    if names is not None:
        return list(enumerate(names))
    low, high = min(span), max(span)
    rough = (high - low) / 6
    if low % 1 == 0.5:  # places, of `whole`: nothing lies between them
        rough = max(rough, 1)
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    return [(k * step, f"{k * step:.6g}") for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _longest(ticks: list[tuple[float, str]]) -> float:
    return max((len(name) * CHARACTER for _, name in ticks), default=0)


def _line(x0: float, y0: float, x1: float, y1: float, style: str = "") -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="currentColor" {style}/>'


def _image(uri: str, left: float, top: float, width: float, height: float) -> str:
    size = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<image href="{uri}" {size} preserveAspectRatio="none" style="image-rendering:pixelated"/>'


def _text(x: float, y: float, words: str, anchor: str = "middle", turned: bool = False, weight: str = "normal") -> str:
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}"'
    return f"<text {place}{turn}>{html.escape(words)}</text>"
