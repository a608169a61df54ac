"""`course regrade`: requests of students to look at an answer again."""

import getpass
from typing import Annotated

import typer

from autograder.cli.options import HERE, CourseDirectory
from autograder.cli.terminal import say, stop


def regrade(
    student: Annotated[str | None, typer.Argument(help="Who asks; all open requests if left out.")] = None,
    stage: Annotated[str | None, typer.Argument(help="The stage, e.g. 01_attention or 1.")] = None,
    exercise: Annotated[str | None, typer.Argument(help="The exercise, e.g. softmax, or a written question.")] = None,
    note: Annotated[str | None, typer.Option(help="What the student says.")] = None,
    answer: Annotated[str | None, typer.Option(help="Close the request with this answer.")] = None,
    by: Annotated[str | None, typer.Option(help="Who answers; your login name if left out.")] = None,
    closed: Annotated[bool, typer.Option("--all", help="List answered requests, too.")] = False,
    course: CourseDirectory = HERE,
) -> None:
    """Keep a regrade request, answer one, or list the open ones."""
    from autograder.course import regrade as requests
    from autograder.directory.course import Course

    opened = Course.open(course)
    if student is None or stage is None or exercise is None:
        if note is not None or answer is not None:
            stop("A request is about one exercise: course regrade STUDENT STAGE EXERCISE --note …")
        of = {"student": student} if student else {}
        of |= {"stage": opened.stage(stage)} if stage else {}
        found = requests.requests(opened, closed, **of)
        for request in found:
            say(f"{request}.")
        if not found:
            say("No requests." if closed else "No open requests.")
    elif note is not None and answer is None:
        say(f"Kept: {requests.ask(opened, opened.stage(stage), student, exercise, note)}.")
    elif answer is not None and note is None:
        answered_by = by or getpass.getuser()
        say(f"Answered: {requests.answer(opened, opened.stage(stage), student, exercise, answer, answered_by)}.")
    else:
        stop("Give --note to ask, or --answer to answer.")
