"""The command `course`: the table of its commands, each of which imports what it needs when it runs."""

import atexit
import gc
from typing import Annotated

import typer

from autograder import quick_imports  # noqa: F401
from autograder.cli.authoring import build
from autograder.cli.directory import doctor, drop, init, points, upgrade
from autograder.cli.division import divide, mark, queue
from autograder.cli.grading import collect, demo, grade, show
from autograder.cli.lateness import lateness
from autograder.cli.regrade import regrade
from autograder.cli.results import export, report
from autograder.cli.roster import roster
from autograder.cli.terminal import VERBOSE, Commands

gc.set_threshold(50_000)  # importing makes hardly any garbage, and looking for it takes a tenth of the time
atexit.register(gc.freeze)  # the last collections would go through all of torch, for half a second

SUMMARY = "Build the course, grade it, and show what a class understood."
app = typer.Typer(no_args_is_help=True, cls=Commands, help=SUMMARY)


@app.callback()
def course(
    verbose: Annotated[
        bool, typer.Option(VERBOSE, help="Show what is logged, with tracebacks, on stderr; goes with every command.")
    ] = False,
) -> None:
    """Options of all commands."""
    if verbose:
        from autograder.logs import be_verbose

        be_verbose()


NEGATIVE_NUMBERS = {"ignore_unknown_options": True}  # -1 is refused as a number, not as an option

for command in (
    build,
    init,
    points,
    drop,
    collect,
    grade,
    show,
    regrade,
    divide,
    queue,
    mark,
    report,
    export,
    doctor,
    upgrade,
    demo,
):
    app.command(context_settings=NEGATIVE_NUMBERS if command is points else None)(command)
app.add_typer(roster)
app.add_typer(lateness)
