"""Commands for several graders: who marks what, what is left, and second marks."""

from collections import Counter
from typing import Annotated

import typer

from autograder.cli.options import HERE, CourseDirectory, StageMeant
from autograder.cli.terminal import console, say


def divide(
    stage: StageMeant,
    graders: Annotated[str, typer.Option(help="Their names, with commas between: ann,bob.")],
    by: Annotated[str, typer.Option(help="question or student.")] = "student",
    double: Annotated[float, typer.Option(help="The share of students whose answers are marked twice, e.g. 0.1.")] = 0,
    course: CourseDirectory = HERE,
) -> None:
    """Divide the written answers of a stage among graders."""
    from autograder.counted import counted
    from autograder.directory.course import Course
    from autograder.grading.division import divide as share_out

    opened = Course.open(course)
    name = opened.stage(stage)
    division = share_out(opened, name, [grader.strip() for grader in graders.split(",")], by, double)
    for grader in division.graders:
        mine = [what for what, whose in division.of.items() if whose == grader]
        say(f"{grader}: {counted(len(mine), by)}{f' ({chr(44).join(mine)})' if by == 'question' else ''}.")
    if division.double:
        say(f"Marked twice: {counted(len(division.double), 'student')}.")
    say("`course queue` shows what is left.")


def queue(
    stage: Annotated[str | None, typer.Argument(help="The stage; all that are divided if left out.")] = None,
    grader: Annotated[str | None, typer.Option(help="Only this grader's answers, each with its page.")] = None,
    course: CourseDirectory = HERE,
) -> None:
    """Show which written answers are left, by grader."""
    from rich.table import Table

    from autograder.cli.tables import harmless
    from autograder.course.queue import left
    from autograder.directory.course import Course
    from autograder.errors import CourseError
    from autograder.grading.division import read_division

    opened = Course.open(course)
    stages = [opened.stage(stage)] if stage else list(opened.stages)
    divided = {name: found for name in stages if (found := read_division(opened, name))}
    if not divided:
        raise CourseError("Nothing is divided: `course divide STAGE --graders ann,bob` does it.")
    everybody = {one for division in divided.values() for one in division.graders}
    if grader is not None and grader not in everybody:
        raise CourseError(f"{grader} is not one of the graders: {', '.join(sorted(everybody))}.")
    tasks = [task for name in divided for task in left(opened, name)]
    if grader is not None:
        mine = [task for task in tasks if task.grader == grader]
        for task in mine:
            say(task)
        say(f"{len(mine)} left.")
        return
    counts = Counter((task.stage, task.grader, task.second) for task in tasks)
    table = Table("stage", "grader", "left", "second marks left", title="Written answers", title_justify="left")
    for name, division in divided.items():
        for one in division.graders:
            table.add_row(name, harmless(one), str(counts[name, one, False]), str(counts[name, one, True]))
    console.print(table)


def mark(
    student: Annotated[str, typer.Argument(help="Whose answer.")],
    stage: StageMeant,
    question: Annotated[str, typer.Argument(help="The written question.")],
    points: Annotated[float | None, typer.Argument(help="The second mark; shows the answer if left out.")] = None,
    grader: Annotated[str, typer.Option(help="Who gives it.")] = "",
    course: CourseDirectory = HERE,
) -> None:
    """Give the second mark of an answer, without seeing the first; the grade is the first grader's."""
    from autograder.course.queue import answer_of
    from autograder.directory.course import Course
    from autograder.grading.division import mark_again

    opened = Course.open(course)
    name = opened.stage(stage)
    if points is None:
        say(answer_of(opened, name, student, question))
        return
    mark_again(opened, name, student, question, grader, points)
    say(f"Kept: {grader} gives {points:g}.")
