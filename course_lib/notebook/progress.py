"""A student's progress: stages, exercises, points."""

import html
from dataclasses import dataclass

from course_lib.notebook.architecture import architecture
from course_lib.notebook.scores import read_scores


@dataclass(frozen=True)
class StageProgress:
    """One stage: how many of its exercises are right, and the points so far."""

    stage: str
    passed: int
    exercises: int
    score: float
    points: float
    open: tuple[str, ...]


class Progress(tuple):
    """The stages that were started; displays as a drawing of the whole with a table below it."""

    def __str__(self) -> str:
        if not self:
            return "No exercise has been checked here yet. Open notebooks/01_attention.ipynb and begin."
        lines = [
            f"{row.stage:<16} {row.passed} of {row.exercises} exercises, {row.score:g} of {row.points:g} points"
            + (f"; still open: {', '.join(row.open)}" if row.open else "")
            for row in self
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        if not self:
            return f"<p>{html.escape(str(self))}</p>"
        titles = ("stage", "exercises", "points", "still open")
        head = "".join(f'<th scope="col" style="text-align:left">{title}</th>' for title in titles)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_html_row, self))}</tbody></table>"
        return f"{architecture().svg()}{table}"


def progress() -> Progress:
    """What `check` has seen so far on this machine, the best of every exercise.

    It is kept in one local file (see `course_lib.notebook.scores`) and goes nowhere. Questions in words, which
    people grade, are not in it.
    """
    return Progress(_progress_in(stage, kept) for stage, kept in sorted(read_scores().items()))


def _progress_in(stage: str, kept: dict) -> StageProgress:
    points, scores = kept["points"], kept["scores"]
    still_open = tuple(name for name, most in points.items() if scores.get(name, 0.0) < most)
    score = sum(min(scores.get(name, 0.0), most) for name, most in points.items())
    return StageProgress(stage, len(points) - len(still_open), len(points), score, sum(points.values()), still_open)


def _html_row(row: StageProgress) -> str:
    bar = f'<progress max="{row.points:g}" value="{row.score:g}" aria-hidden="true"></progress>'
    cells = (
        html.escape(row.stage),
        f"{row.passed} of {row.exercises}",
        f'{bar} <span style="white-space:nowrap">{row.score:g} of {row.points:g}</span>',
        html.escape(", ".join(row.open)) or "nothing",
    )
    return "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>"
