"""Start the servers that `course grade` will need before anything heavy is imported."""

import contextlib
from pathlib import Path

from autograder.sandbox import ahead
from autograder.stage_meant import stage_meant
from autograder.stages import UnknownStage
from autograder.stripping.package import stripped_package


def start_servers(root: Path, stage: str, students: list[str] | None, jobs: int, sandbox: str | None) -> None:
    """One for each job, where somebody was not graded yet. What is wrong with the arguments is for others to say."""
    private = root.resolve() / ".course"
    if not (private / "course.json").is_file():
        return
    with contextlib.suppress(UnknownStage, OSError):
        name = stage_meant(stage).name
        handed_in = students or [path.parent.name for path in (root / "submitted").glob(f"*/{name}")]
        new = [student for student in handed_in if not (private / "graded" / name / f"{student}.json").exists()]
        if new:
            ahead.start(stripped_package(name, private / "packages"), sandbox, min(jobs, len(new)))
