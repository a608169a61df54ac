"""The table of wrong answers that have words, from the rows of the catalogue and what they were computed to lose."""

from autograder.build.stage import AuthoredStage
from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Exercise
from autograder.judging import answer_key

HEAD = """\
# Wrong answers that have a name

{count} wrong answers to {exercises} exercises. Each is a row of the catalogue, mostly an edit of the reference, and is
judged in every run of the tests: what it loses is computed, and it must be told what stands under *what is said*, then
asked a question that leads to the mistake. Points are those of the exercise.
"""


def page(stages: list[AuthoredStage]) -> str:
    """One section a stage, one table an exercise."""
    exercises = [exercise for stage in stages for exercise in stage.exercises]
    count = sum(len(exercise.mistakes) for exercise in exercises)
    sections = [HEAD.format(count=count, exercises=len(exercises))]
    for stage in stages:
        known = answer_key.load(answer_key.public_file(stage.name))
        sections.append(f"## {stage.name[:2]} {stage.title}")
        sections += [_table(exercise, known[exercise.id]["loses"]) for exercise in stage.exercises]
    return "\n".join(sections)


def _table(exercise: Exercise, loses: dict[str, list[str]]) -> str:
    rows = [_row(exercise, mistake, loses[mistake.name]) for mistake in exercise.mistakes]
    head = ["| wrong answer | what is said | loses | points |", "|---|---|---|---|"]
    return "\n".join([f"### `{exercise.id}`", "", f"{exercise.points:g} points.", "", *head, *rows, ""])


def _row(exercise: Exercise, mistake: KnownMistake, loses: list[str]) -> str:
    lost = sum(share.points for share in exercise.criteria if share.name in loses)
    gone = "everything" if lost == exercise.points else ", ".join(loses)
    cells = (mistake.name, mistake.says, gone, f"−{lost:g}")
    return "| " + " | ".join(cell.replace("|", "\\|").replace("*", "\\*").replace("$", "\\$") for cell in cells) + " |"
