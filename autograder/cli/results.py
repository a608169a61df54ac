"""Commands that turn verdicts into reports and exports."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.options import HERE, CourseDirectory
from autograder.cli.terminal import FAILED, say, stop


def report(
    stage: Annotated[
        str | None, typer.Argument(help="The stage, e.g. 01_attention or 1 (default: the whole term).")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="The page to write (default: report/STAGE.html or report/term.html in the course)."),
    ] = None,
    course: CourseDirectory = HERE,
) -> None:
    """Report what the class did not understand, in a stage or over the term: an HTML page and a table."""
    from autograder.directory.course import Course
    from autograder.grading.lateness import settle
    from autograder.report.page import write_report
    from autograder.report.term_page import write_term

    try:
        opened = Course.open(course)
        for sentence in settle(opened):
            say(sentence)
        written = write_report(opened, opened.stage(stage), output) if stage else write_term(opened, output)
    except OSError as error:
        stop(f"The report could not be written: {error.filename}: {error.strerror}.", FAILED)
    for path in written:
        say(path)


def export(
    to: Annotated[
        str,
        typer.Option(
            help="csv, canvas, moodle; feedback, or moodle- or canvas-feedback; variants, gradescope, github-classroom"
        ),
    ],
    stage: Annotated[str | None, typer.Argument(help="The stage (default: every graded one).")] = None,
    roster: Annotated[
        Path | None, typer.Option(help="The file exported from Canvas or Moodle, to match students by.")
    ] = None,
    column: Annotated[str | None, typer.Option(help="The name of the assignment there, if it is not STAGE.")] = None,
    output: Annotated[Path | None, typer.Option(help="A directory (default: export/ in the course).")] = None,
    only_final: Annotated[
        bool, typer.Option("--only-final", help="Leave a grade blank while parts of it are still to be graded by hand.")
    ] = False,
    course: CourseDirectory = HERE,
) -> None:
    """Write grades or feedback in a form another system can import, or an autograder for Gradescope."""
    from autograder.directory.course import Course
    from autograder.exports.files import export_stages

    try:
        opened = Course.open(course)
        stages = [opened.stage(stage)] if stage else None
        for sentence in export_stages(opened, to, stages, roster, column, output, only_final):
            say(sentence)
    except OSError as error:
        stop(f"The export could not be written: {error.filename}: {error.strerror}.", FAILED)
