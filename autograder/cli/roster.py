"""`course roster`: who is in the class."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.import_by_default import ImportByDefault
from autograder.cli.options import HERE, CourseDirectory
from autograder.cli.terminal import FAILED, console, say, stop

roster = typer.Typer(
    name="roster",
    cls=ImportByDefault,
    no_args_is_help=True,
    help="Tell the course who is in the class: used by grade, report, export and collect.",
)


@roster.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="csv",
            help="nbgrader's list of students, Canvas's gradebook, or Moodle's participants or grading worksheet.",
        ),
    ],
    ids: Annotated[
        str | None, typer.Option(help="The column with the ids, e.g. “SIS User ID” (default: the first known one).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show who is new, changed and missing.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove missing students without asking.")] = False,
    course: CourseDirectory = HERE,
) -> None:
    """Add and update students from a list; Moodle's grading worksheet never removes anyone."""
    from rich.table import Table

    from autograder.cli.tables import harmless
    from autograder.course.roster import read_import
    from autograder.directory.course import Course

    found = read_import(Course.open(course), file, ids)
    if dry_run:
        table = Table("", "student", "", title="What this import would change", title_justify="left")
        for row in found.plan.rows:
            table.add_row(*map(harmless, row))
        console.print(table)
        say(f"{len(found.plan.new)} new, {len(found.plan.changed)} changed, {len(found.plan.missing)} missing.")
        return
    if (said := found.many_missing) and not remove:
        advice = "Add --remove to remove them from the class; --dry-run lists them."
        if not sys.stdin.isatty():
            stop(f"{file}: {said}. {advice}", FAILED)
        typer.confirm(f"{said}. Remove them from the class?", abort=True)
    for sentence in found.write():
        say(sentence)


@roster.command()
def remove(
    student: Annotated[str, typer.Argument(help="The student's id.")],
    course: CourseDirectory = HERE,
) -> None:
    """Remove a student from the class; submissions are kept."""
    from autograder.course.roster import remove_student
    from autograder.directory.course import Course

    say(remove_student(Course.open(course), student))


@roster.command()
def rename(
    old: Annotated[str, typer.Argument(help="The student's id.")],
    new: Annotated[str, typer.Argument(help="The new id.")],
    course: CourseDirectory = HERE,
) -> None:
    """Change a student's id, in the gradebook and in every directory."""
    from autograder.course.roster import rename_student
    from autograder.directory.course import Course

    for sentence in rename_student(Course.open(course), old, new):
        say(sentence)
