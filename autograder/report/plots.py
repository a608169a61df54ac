"""The plots of the class report: SVG from matplotlib, in the page's own colours, with text alternatives."""

import html
import io
import re

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.practice.card import WORDS
from autograder.report.summary import ExerciseSummary, Summary

INK = "#010203"  # stands for the page's text colour
FILLS = {  # stand-in → the page's colour
    "#010204": "--right",
    "#010205": "--partial",
    "#010206": "--wrong",
    "#010207": "--ended",
    "#010208": "--untried",
}
GROUPS = (  # statuses that a bar shows as one, with its colour and its texture
    ("right", ("right",), "#010204", ""),
    ("partly right", ("partial",), "#010205", "//"),
    ("not right", ("wrong",), "#010206", "xx"),
    ("error, time, crash or shortcut", ("error", "timeout", "crashed", "forbidden"), "#010207", ".."),
    ("not attempted or not graded", ("not_attempted", "ungradable"), "#010208", ""),
)
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "font.family": "sans-serif",
    "font.size": 10,
    "hatch.linewidth": 0.8,
    "hatch.color": INK,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
}


def score_plot(summary: Summary) -> str:
    """How many submissions have how many points."""
    bins = _bins(summary.max_points)
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(7, 2.6)
        counts, edges, _ = axes.hist(summary.points, bins, color="#010204", edgecolor=INK, linewidth=0.6)
        axes.set(xlabel=f"automatic points, of {summary.max_points:g}", ylabel="submissions")
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.axvline(summary.median, color=INK, linestyle="--", linewidth=1)
        axes.annotate(
            f"median {summary.median:g}",
            (summary.median, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-4, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
        )
        filled = [f"{n:.0f} from {a:g} to {b:g}" for n, a, b in zip(counts, edges, edges[1:], strict=False) if n]
        text = f"Median {summary.median:g} of {summary.max_points:g}. Submissions by points: {'; '.join(filled)}."
        return _svg(figure, "scores", "Score distribution", text)


def exercise_plot(exercises: tuple[ExerciseSummary, ...]) -> str:
    """For each exercise, how its submissions ended."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(7, 1.1 + 0.42 * len(exercises))
        rows, left = range(len(exercises)), [0] * len(exercises)
        for label, statuses, colour, texture in GROUPS:
            counts = [sum(e.statuses.get(status, 0) for status in statuses) for e in exercises]
            if any(counts):
                bars = axes.barh(rows, counts, 0.66, left, color=colour, edgecolor=INK, linewidth=0.6, label=label)
                for bar in bars:
                    bar.set_hatch(texture)
            left = [a + b for a, b in zip(left, counts, strict=True)]
        axes.set_yticks(rows, [e.id for e in exercises])
        axes.invert_yaxis()
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.set_xlim(0, max(left))
        axes.set_xlabel("submissions")
        figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=9)
        return _svg(figure, "exercises", "How each exercise ended", " ".join(map(_exercise_text, exercises)))


def time_plot(summary: Summary) -> str:
    """How long grading a submission took."""
    seconds = list(summary.seconds.values())
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(7, 1.9)
        axes.hist(seconds, min(30, max(5, len(seconds) // 3)), color="#010208", edgecolor=INK, linewidth=0.6)
        axes.set(xlabel="seconds for one submission", ylabel="submissions")
        axes.set_xlim(left=0)
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        text = f"From {min(seconds):.2f} to {max(seconds):.2f} seconds, median {summary.median_seconds:.2f}."
        return _svg(figure, "times", "Time spent grading", text)


def _bins(max_points: float) -> list[float]:
    """At most about thirty bins of a round width, the full marks in one of their own."""
    width = next(w for w in (0.5, 1, 2, 5, 10, 20, 50, max_points) if max_points / w <= 30)
    edges = [0.0]
    while edges[-1] <= max_points + 1e-9:
        edges.append(edges[-1] + width)
    return edges


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _exercise_text(exercise: ExerciseSummary) -> str:
    parts = [f"{count} {WORDS[status].lower()}" for status, count in exercise.statuses.items()]
    return f"{exercise.id}: {', '.join(parts)}."


def _svg(figure: Figure, name: str, title: str, description: str) -> str:
    """The figure to stand in a page: ids of its own, colours by variable, title and description."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\1{name}-", svg)
    svg = svg.replace(INK, "currentColor")
    for stand_in, variable in FILLS.items():
        svg = svg.replace(stand_in, f"var({variable})")
    (width, height), *_ = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    opening = (
        f'<svg role="img" aria-labelledby="{name}-title {name}-desc" viewBox="0 0 {width} {height}" '
        f'width="{float(width):.0f}" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-title">{html.escape(title)}</title>'
        f'<desc id="{name}-desc">{html.escape(description)}</desc>'
    )
    return re.sub(r"<svg[^>]*>", lambda _: opening, svg, count=1)
