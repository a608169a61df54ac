"""The hints of an exercise, as its page gives them: `course build` copies them from there."""

import json
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "hints"


class Hint(NamedTuple):
    """A hint, code between backticks; the title is empty if the page gives none."""

    title: str
    text: str


def hints_file(stage: str) -> Path:
    """Where the hints of a stage are kept."""
    return FOLDER / f"{stage}.json"


def hints_of(stage: str, exercise_id: str) -> tuple[Hint, ...]:
    """The hints in order; none if the page gives none, or if the file is missing."""
    try:
        return tuple(Hint(*hint) for hint in json.loads(hints_file(stage).read_text("utf-8")).get(exercise_id, ()))
    except FileNotFoundError:
        return ()
