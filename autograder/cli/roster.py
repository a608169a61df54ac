"""`course roster`: who is in the class."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from autograder.cli.options import HERE, CourseDirectory
from autograder.cli.terminal import FAILED, console, say, stop


class ImportByDefault(TyperGroup):
    """`course roster class.csv` is `course roster import class.csv`."""

    def resolve_command(self, context, arguments):
        """The command that is meant: what is no command is a file to import."""
        if arguments and arguments[0] not in self.commands:
            arguments = ["import", *arguments]
        return super().resolve_command(context, arguments)

    def parse_args(self, context, arguments):
        """The options of an import may come first, too."""
        if arguments and arguments[0].startswith("-") and arguments[0] != "--help":
            arguments = ["import", *arguments]
        return super().parse_args(context, arguments)


roster = typer.Typer(
    name="roster",
    cls=ImportByDefault,
    no_args_is_help=True,
    help="Tell the course who is in the class: used by grade, report, export and collect.",
)


@roster.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="CSV", help="nbgrader's list, Canvas's gradebook, or Moodle's.")],
    ids: Annotated[
        str | None, typer.Option(help="The column of the ids, e.g. “SIS User ID”; the first known one if left out.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show who is new, changed and missing.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take those missing out without asking.")] = False,
    course: CourseDirectory = HERE,
) -> None:
    """Add and update students from a list; Moodle's grading worksheet never removes anybody."""
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
        advice = "To take them out of the class, add --remove; --dry-run lists them."
        if not sys.stdin.isatty():
            stop(f"{file}: {said}. {advice}", FAILED)
        typer.confirm(f"{said}. Take them out of the class?", abort=True)
    for sentence in found.write():
        say(sentence)


@roster.command()
def remove(
    student: Annotated[str, typer.Argument(help="The student's id.")],
    course: CourseDirectory = HERE,
) -> None:
    """Take a student out of the class; what was handed in is kept."""
    from autograder.course.roster import remove_student
    from autograder.directory.course import Course

    say(remove_student(Course.open(course), student))


@roster.command()
def rename(
    old: Annotated[str, typer.Argument(help="The student's id.")],
    new: Annotated[str, typer.Argument(help="The id from now on.")],
    course: CourseDirectory = HERE,
) -> None:
    """Give a student another id, in the gradebook and in every directory."""
    from autograder.course.roster import rename_student
    from autograder.directory.course import Course

    for sentence in rename_student(Course.open(course), old, new):
        say(sentence)
