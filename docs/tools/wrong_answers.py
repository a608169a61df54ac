"""The table of wrong answers, from the declarations of the exercises."""

from autograder.build.stage import Stage
from autograder.catalogue.exercise import Exercise, Misconception

HEAD = """\
# Wrong answers that have a name

{count} wrong answers to {exercises} exercises. Each is code that stands in the exercise's declaration, and is judged in
every run of the tests: it must lose the properties named here, keep all the others, and be told what stands under *what
is said*, followed by a question that leads to the mistake. Points are those of the exercise.
"""


def page(stages: list[Stage]) -> str:
    """One section a stage, one table an exercise."""
    exercises = [exercise for stage in stages for exercise in stage.exercises]
    count = sum(len(exercise.misconceptions) for exercise in exercises)
    sections = [HEAD.format(count=count, exercises=len(exercises))]
    for stage in stages:
        sections.append(f"## {stage.name[:2]} {stage.title}")
        sections += [_table(exercise) for exercise in stage.exercises]
    return "\n".join(sections)


def _table(exercise: Exercise) -> str:
    rows = [_row(exercise, wrong) for wrong in exercise.misconceptions]
    head = ["| wrong answer | what is said | loses | points |", "|---|---|---|---|"]
    return "\n".join([f"### `{exercise.id}`", "", f"{exercise.points:g} points.", "", *head, *rows, ""])


def _row(exercise: Exercise, wrong: Misconception) -> str:
    lost = sum(share.points for share in exercise.properties if share.name in wrong.loses)
    loses = "everything" if lost == exercise.points else ", ".join(wrong.loses)
    cells = (wrong.name, wrong.says, loses, f"−{lost:g}")
    return "| " + " | ".join(cell.replace("|", "\\|").replace("*", "\\*").replace("$", "\\$") for cell in cells) + " |"
