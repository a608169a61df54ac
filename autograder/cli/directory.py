"""Commands on a course directory: create it, change points, check and upgrade it."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.options import CORES, HERE, CourseDirectory, Jobs, Sandbox, StageMeant
from autograder.cli.terminal import console, say


def init(
    directory: Annotated[Path, typer.Argument(help="Where to create the course.")],
    db: Annotated[str | None, typer.Option(help="An SQLAlchemy address of the gradebook, e.g. postgresql://…")] = None,
    stage: Annotated[
        list[str] | None, typer.Option(help="Only this stage, by number or name (can be repeated).")
    ] = None,
    track: Annotated[
        str | None, typer.Option(help="torch or jax: all stages of one framework. A new course has torch.")
    ] = None,
) -> None:
    """Create an nbgrader course directory with its own secret seed."""
    from autograder.course.init import init_course
    from autograder.directory.course import MARK

    kept: list[str] = []
    if stage and (directory / MARK).exists():
        kept.append(f"{directory} is a course already: only stage {', '.join(stage)} is added or brought up to date.")
    with console.status("Building the stages and releasing them through nbgrader …"):
        made = init_course(directory, db, tuple(stage or ()), kept.append, track)
    for sentence in kept:
        say(sentence)
    names = ", ".join(sorted(path.name for path in (made.root / "release").iterdir()))
    say(f"{made.root} is ready, with the stages {names}.")
    say("Put submissions in submitted/STUDENT/STAGE/STAGE.ipynb, then `course grade STAGE`.")


def points(
    stage: StageMeant,
    exercise: Annotated[str, typer.Argument(help="The exercise, e.g. softmax, or a written question.")],
    number: Annotated[
        float, typer.Argument(metavar="points", help="Its points from now on; 0 leaves it out of every total.")
    ],
    course: CourseDirectory = HERE,
) -> None:
    """Change an exercise's points, even in the middle of a term."""
    from autograder.course.points import set_points
    from autograder.directory.course import Course

    opened = Course.open(course)
    for sentence in set_points(opened, opened.stage(stage), exercise, number):
        say(sentence)


def drop(
    stage: StageMeant,
    exercise: Annotated[str, typer.Argument(help="The exercise, e.g. softmax, or a written question.")],
    course: CourseDirectory = HERE,
) -> None:
    """Leave an exercise out of every total; it is still judged."""
    points(stage, exercise, 0.0, course)


def doctor(
    course: Annotated[Path | None, typer.Option(help="Also show which version made this course.")] = None,
) -> None:
    """Show what protects grading on this machine, and what is missing."""
    from importlib.metadata import version

    from rich.table import Table

    from autograder.directory.course import MARK, Course
    from autograder.logs import NAME, last_fault
    from autograder.sandbox.doctor import describe
    from autograder.versions import PACKAGES

    opened = Course.open(course or HERE) if course is not None or (HERE / MARK).exists() else None
    protections = describe()
    table = Table(title="What protects you here", title_justify="left")
    for heading in ("protection", "here", "how"):
        table.add_column(heading)
    for name, active, detail in protections:
        table.add_row(name, "yes" if active else "NO", detail)
    console.print(table)
    say(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    missing = [name for name, active, _ in protections if not active]
    if missing:
        advice = "install bubblewrap (Debian, Ubuntu: `apt-get install bubblewrap`) and allow user namespaces"
        say(f"Missing: {', '.join(missing)}. For full protection, {advice}.")
    if opened:
        from autograder.course.upgrade import what_changed

        for sentence in what_changed(opened):
            say(sentence)
        if trouble := last_fault(opened.private):
            say(f"The last fault of the autograder itself: {trouble} Its traceback is in {opened.private / NAME}.")


def upgrade(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list the scores that would change.")] = False,
    jobs: Jobs = CORES,
    sandbox: Sandbox = None,
    course: CourseDirectory = HERE,
) -> None:
    """Move a course to the installed version; edited files are kept."""
    from autograder.cli.grading import say_what_protects
    from autograder.counted import counted
    from autograder.course.upgrade import upgrade as move
    from autograder.course.upgrade import would_change
    from autograder.directory.course import Course

    opened = Course.open(course)
    if dry_run:
        say_what_protects(sandbox)
        changes = would_change(opened, jobs, sandbox, say)
        for change in changes:
            say(change)
        say(f"{counted(len(changes), 'score')} would change.")
        if by_points := [change for change in changes if change.by_points]:
            say(f"{len(by_points)} of them by points that you set since they were graded, not by the upgrade.")
    else:
        move(opened, say)
        say("Up to date. Run `course grade all` to recompute the verdicts.")
