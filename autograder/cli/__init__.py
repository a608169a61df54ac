"""The command `course`: the table of its commands, each of which imports what it needs when it runs."""

import sys

import typer

from autograder.cli.authoring import build
from autograder.cli.directory import doctor, init, roster, upgrade
from autograder.cli.grading import collect, demo, grade, show
from autograder.cli.results import export, report
from autograder.cli.terminal import Commands

# jsonschema, which nbformat imports, would build a grammar of international web addresses, as long as torch takes.
sys.modules.setdefault("rfc3987_syntax", None)

SUMMARY = "Build the course, grade it, and show what a class understood."
app = typer.Typer(no_args_is_help=True, cls=Commands, help=SUMMARY)
for command in (build, init, roster, collect, grade, show, report, export, doctor, upgrade, demo):
    app.command()(command)
