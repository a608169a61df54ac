"""The command `course`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

app = typer.Typer(no_args_is_help=True)
console = Console()
FAILED, USAGE = 1, 2


def stop(sentence: str, code: int = USAGE) -> None:
    """End with one sentence on stderr that says what to do."""
    Console(stderr=True).print(sentence, style="bold", highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(code)


@app.callback()
def course() -> None:
    """Build the course, grade it, and show what a class understood."""


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Only say whether the committed files are current.")] = False,
    root: Annotated[Path, typer.Option(help="The checkout with solutions/ and notebooks/.")] = Path("."),
) -> None:
    """Make notebooks/ and the public answers from solutions/ and course_lib."""
    from autograder.build.release import outputs, write
    from autograder.build.stage import StageError

    if not (root / "solutions").is_dir():
        stop(f"{root.resolve()} holds no solutions/: run this in a checkout of the course, or give --root.")
    try:
        files = list(outputs(root))
    except StageError as error:
        stop(str(error), FAILED)
    stale = [path for path, content in files if not path.exists() or path.read_bytes() != content]
    if check:
        for path in stale:
            console.print(f"differs: {path}", highlight=False)
        if stale:
            stop("The committed files are not what the build makes: run `course build` and commit.", FAILED)
        console.print(f"{len(files)} files are what the build makes.")
        return
    for path, content in files:
        if path in stale:
            write(path, content)
    console.print(f"{len(files)} files built, {len(stale)} of them changed.")
