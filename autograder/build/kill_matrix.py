"""What each wrong answer loses, as a table that people read: committed, so that a change shows."""

from pathlib import Path

import autograder.catalogue
from autograder.build.stage import AuthoredStage
from autograder.catalogue.exercise import Exercise

HEAD = """\
# {title}: what each wrong answer loses

Computed by `course build` from the rows in `autograder/catalogue/`.
"""


def kill_matrix_file(stage: str) -> Path:
    """Where the table of a stage is kept."""
    return Path(autograder.catalogue.__file__).parent / "kill_matrix" / f"{stage}.md"


def kill_matrix(stage: AuthoredStage, answers: dict) -> bytes:
    """The table of a stage, given its public answers."""
    sections = [_section(exercise, answers[exercise.id]["loses"]) for exercise in stage.exercises]
    return "\n".join([HEAD.format(title=stage.title), *sections]).encode()


def _section(exercise: Exercise, loses: dict[str, list[str]]) -> str:
    points = {share.name: share.points for share in exercise.criteria}
    rows = ["| wrong answer | points | what it loses |", "|---|---|---|"]
    for mistake in exercise.mistakes:
        lost = loses[mistake.name]
        everything = len(lost) == len(points)
        cells = (
            mistake.name,
            f"−{sum(points[name] for name in lost):g}",
            "everything" if everything else "; ".join(lost),
        )
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([f"## `{exercise.id}`, {exercise.points:g} points", "", *rows, ""])
