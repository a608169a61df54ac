"""`course lateness`: when students handed in, for entry points that do not say."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.import_by_default import ImportByDefault
from autograder.cli.options import HERE, CourseDirectory
from autograder.cli.terminal import FAILED, say, stop

lateness = typer.Typer(
    name="lateness", cls=ImportByDefault, no_args_is_help=True, help="Tell the course when students submitted."
)


@lateness.callback()
def _group() -> None:
    """Without this, Typer would merge the only command, `import`, into its group."""


@lateness.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="csv",
            help="Moodle's worksheet, Canvas's user_id and submitted_at, or a table of student, stage and time.",
        ),
    ],
    stage: Annotated[
        str | None, typer.Argument(help="The stage of all rows; leave it out if the table has a column for it.")
    ] = None,
    course: CourseDirectory = HERE,
) -> None:
    """Write the times of a table into timestamp.txt next to each submission."""
    from autograder.course.lms_times import import_times
    from autograder.directory.course import Course

    opened = Course.open(course)
    done = import_times(opened, file, opened.stage(stage) if stage else None)
    for sentence in done.sentences:
        say(sentence)
    if done.unread or not done.stamped:
        stop("No times were written." if not done.stamped else "Some times could not be read.", FAILED)
