"""The command that builds committed files from `solutions/` and `course_lib`."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import FAILED, say, stop


def build(
    stages: Annotated[list[str] | None, typer.Argument(help="Only these stages, by number, name or beginning.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check whether the committed files are up to date, and change nothing.")
    ] = False,
    root: Annotated[Path, typer.Option(help="The checkout with solutions/ and notebooks/.")] = Path("."),
) -> None:
    """Build notebooks/ and the public answers from solutions/ and course_lib."""
    from autograder.build.release import outputs
    from autograder.files import write_whole
    from autograder.stage_meant import stage_meant

    if not (root / "solutions").is_dir():
        stop(f"{root.resolve()} has no solutions/: run this in a checkout of the course, or pass --root.")
    files = list(outputs(root, tuple(stage_meant(stage).name for stage in stages or ()), say))
    stale = [(path, content) for path, content in files if not path.exists() or path.read_bytes() != content]
    if check:
        for path, _ in stale:
            say(f"differs: {path}")
        if stale:
            stop(
                "The committed files differ from what the build makes; run `course build` and commit the result.",
                FAILED,
            )
        say(f"{len(files)} files are up to date.")
        return
    for path, content in stale:
        write_whole(path, content)
    say(f"{len(files)} files built, {len(stale)} of them changed.")
