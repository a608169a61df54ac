"""The hints of an exercise, as its page gives them: `course build` copies them from there."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "hints"


def hints_file(stage: str) -> Path:
    """Where the hints of a stage are kept."""
    return FOLDER / f"{stage}.json"


def hints_of(stage: str, exercise_id: str) -> tuple[str, ...]:
    """The hints in order, code between backticks; none if the page gives none, or if the file is missing."""
    try:
        return tuple(json.loads(hints_file(stage).read_text("utf-8")).get(exercise_id, ()))
    except FileNotFoundError:
        return ()
