"""A student's scores, in one local file: no account, no network.

The file is `COURSE_PROGRESS`, or attention-workshop/progress.json in the user's data folder;
`COURSE_PROGRESS=off` keeps nothing.
"""

import json
import os
from pathlib import Path

FORMAT = 1


def score_file() -> Path | None:
    """Where the scores are kept; None if nothing should be kept."""
    named = os.environ.get("COURSE_PROGRESS")
    if named == "off":
        return None
    if named:
        return Path(named).expanduser()
    folder = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or "~/.local/share"
    return Path(folder).expanduser() / "attention-workshop" / "progress.json"


def read_scores() -> dict[str, dict]:
    """`{stage: {"points": {exercise: most}, "scores": {exercise: best so far}}}`; empty where nothing can be read."""
    try:
        content = json.loads(score_file().read_text(encoding="utf-8"))
        stages = content["stages"] if content["format"] == FORMAT else {}
        return {
            name: {"points": dict(stage["points"]), "scores": dict(stage["scores"])} for name, stage in stages.items()
        }
    except (AttributeError, KeyError, OSError, TypeError, ValueError):  # None, not ours, not there, not JSON
        return {}


def keep_score(stage: str, exercise: str, score: float, points: dict[str, float]) -> bool:
    """Remember the best score of an exercise; the file is written completely or not at all.

    Args:
        stage, exercise: their names.
        score: what it got.
        points: what every exercise of the stage is worth.

    Returns:
        Whether it could be written: a full disk or a read-only folder must not stop a lesson.
    """
    path = score_file()
    if path is None:
        return False
    stages = read_scores()
    scores = stages.get(stage, {}).get("scores", {})
    scores[exercise] = max(score, scores.get(exercise, 0.0))
    stages[stage] = {"points": points, "scores": scores}
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps({"format": FORMAT, "stages": stages}, indent=1), encoding="utf-8")
        temporary.replace(path)
    except OSError:
        return False
    return True
