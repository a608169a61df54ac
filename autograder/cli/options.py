"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import stop
from autograder.cores import cores

CORES = cores()
HERE = Path(".")


def _sandbox(wanted: str | None) -> str | None:
    if wanted not in (None, "bubblewrap", "limits"):
        stop(f"--sandbox must be bubblewrap or limits, not {wanted}.")
    return wanted


StageMeant = Annotated[str, typer.Argument(help="The stage, e.g. 01_attention or 1.")]
CourseDirectory = Annotated[Path, typer.Option(help="The course directory.")]
Jobs = Annotated[int, typer.Option(min=1, help="How many submissions to grade at once.")]
Sandbox = Annotated[
    str | None, typer.Option(callback=_sandbox, help="bubblewrap or limits (default: the stronger one available here).")
]
