"""The class report as files: one page of HTML that needs nothing else, and a table beside it."""

import re
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from autograder.directory.course import Course
from autograder.exports.cells import csv_bytes
from autograder.files import write_whole
from autograder.practice.card import WORDS
from autograder.report.attention import FIRST, to_look_at
from autograder.report.data import ClassData, read_class
from autograder.report.plots import exercise_plot, score_plot, time_plot
from autograder.report.summary import summarise
from autograder.report.table import rows

SHOWN = 8  # students named at once; the rest unfold
ROWS = 30  # things to look at listed for one reason


def write_report(course: Course, stage: str, output: Path | None = None) -> tuple[Path, Path]:
    """Write the report of a stage; → the page and the table. A `CourseError` while nothing is graded."""
    page = (output or course.root / "report" / f"{stage}.html").resolve()
    table = page.with_suffix(".csv")
    data = read_class(course, stage)
    beside = page.with_name(f"{page.stem}-similar.html")
    content = html_page(data, course.course_id, table.name, beside.name).encode("utf-8", "replace")
    write_whole(table, csv_bytes(rows(data, summarise(data))))
    beside.unlink(missing_ok=True)
    if pairs := data.sharing[:FIRST]:
        shown = template("similar.html.j2").render(course=course.course_id, data=data, pairs=pairs, report=page.name)
        write_whole(beside, shown.encode("utf-8", "replace"))
    write_whole(page, content)
    return page, table


def html_page(data: ClassData, course_id: str, table: str, similar: str) -> str:
    """The page itself; `table` and `similar` are the names of the files beside it."""
    summary, attention = summarise(data), to_look_at(data)
    return template("report.html.j2").render(
        course=course_id,
        data=data,
        summary=summary,
        attention=attention,
        table=table,
        similar=similar,
        words=WORDS,
        plots={
            "scores": Markup(score_plot(summary)),
            "exercises": Markup(exercise_plot(summary.exercises)),
            "times": Markup(time_plot(summary)),
        },
    )


def with_code(sentence: str) -> Markup:
    """A sentence, escaped, with what stands between backticks set as code.

    >>> with_code("run `a <b`")
    Markup('run <code>a &lt;b</code>')
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(sentence))))


def percent(part: int, whole: int) -> str:
    """A share of a class in words.

    >>> percent(9, 15), percent(0, 0)
    ('60 %', '–')
    """
    return f"{100 * part / whole:.0f} %" if whole else "–"


def _short_number(number: float) -> str:
    return f"{round(number, 2):g}"


@cache
def template(name: str) -> jinja2.Template:
    """One of the templates beside this file."""
    folder = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    environment = jinja2.Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"code": with_code, "g": _short_number}
    environment.globals |= {"percent": percent, "SHOWN": SHOWN, "ROWS": ROWS, "FIRST": FIRST}
    return environment.get_template(name)
