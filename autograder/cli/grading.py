"""Commands that turn hand-ins into verdicts."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.cli.options import CORES, HERE, CourseDirectory, Jobs, Sandbox, StageMeant
from autograder.cli.terminal import FAILED, INTERRUPTED, console, say, stop


def collect(
    archive: Annotated[
        Path,
        typer.Argument(metavar="zip", help="The zip of submissions downloaded from the LMS, or a folder of clones."),
    ],
    stage: StageMeant,
    pattern: Annotated[
        str | None,
        typer.Option(help="A regular expression for paths in the zip, or names of clones, with (?P<student_id>…)."),
    ] = None,
    update: Annotated[bool, typer.Option("--update", help="Replace submissions that were collected before.")] = False,
    course: CourseDirectory = HERE,
) -> None:
    """Put submissions into submitted/: from the zip of Canvas, Moodle or another LMS, or from clones."""
    from autograder.counted import counted
    from autograder.course.clones import collect_clones
    from autograder.course.collect import collect_zip
    from autograder.directory.course import Course

    opened = Course.open(course)
    take = collect_clones if archive.is_dir() else collect_zip
    outcome = take(opened, opened.stage(stage), archive, pattern, update)
    for sentence in outcome.sentences:
        say(sentence)
    if outcome.left:
        stop(f"{counted(len(outcome.left), 'file')} could not be placed.", FAILED)


def grade(
    stage: Annotated[str, typer.Argument(help="The stage, e.g. 01_attention or 1; `all` for every stage.")],
    jobs: Jobs = CORES,
    student: Annotated[list[str] | None, typer.Option(help="Only this student (can be repeated).")] = None,
    scheduler: Annotated[str | None, typer.Option(help="The address of a running dask scheduler.")] = None,
    sandbox: Sandbox = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the verdicts to this file; - prints them.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", "--force", help="Grade unchanged submissions too.")] = False,
    course: CourseDirectory = HERE,
) -> None:
    """Grade the submissions of a stage, or of all; only new, changed and timed-out ones are run."""
    from functools import partial

    from autograder.grading.early import start_servers

    if scheduler is None:
        start_servers(course, stage, student, jobs, sandbox)  # while what comes next is imported

    from autograder.cli.tables import score_lines, summary_lines, verdict_table, watched
    from autograder.counted import counted
    from autograder.course.grade import ALL, grade_round, stages_meant, students_meant
    from autograder.directory.course import Course

    screen = Console(stderr=True) if str(json_file) == "-" else console
    opened = Course.open(course)
    names = stages_meant(opened, stage)
    if scheduler is None:
        say_what_protects(sandbox)
    rounds = []
    try:
        for number, name in enumerate(names, start=1):
            whom = students_meant(opened, name, student)
            what = f"{name} (stage {number} of {len(names)})" if stage == ALL else name
            if stage == ALL:
                say(f"{what}: {counted(len(whom), 'submission')}.", screen)
            watch = partial(watched, screen, what)
            graded = grade_round(opened, name, whom, jobs, sandbox, _spread(scheduler), watch, again)
            rounds.append(graded)
            screen.print(verdict_table(graded.outcome, graded.scores))
            for line in summary_lines(graded.outcome) + score_lines(graded.scores) + graded.said:
                say(line, screen)
            if graded.outcome["submissions"]:
                say(f"The students' pages: `nbgrader generate_feedback {name}`.", screen)
    except KeyboardInterrupt:
        stop("Stopped. Finished results are saved; run the same command again to continue.", INTERRUPTED)
    if json_file:
        outcomes = [graded.outcome for graded in rounds]
        write_json(json_file, outcomes if stage == ALL else outcomes[0])
    if empty := [graded.outcome["stage"] for graded in rounds if not graded.outcome["submissions"]]:
        place = opened.root / "submitted"
        stop(f"No submissions of {empty[0]} yet: put notebooks in {place}/STUDENT/{empty[0]}/.", FAILED)
    if any(graded.failed for graded in rounds):
        raise typer.Exit(FAILED)


def show(
    student: Annotated[str, typer.Argument(help="Whose answer.")],
    stage: StageMeant,
    exercise: Annotated[str, typer.Argument(help="The exercise, e.g. softmax.")],
    sandbox: Sandbox = None,
    course: CourseDirectory = HERE,
) -> None:
    """Show one answer to an instructor: its code, its verdict, and its numbers next to the hidden ones."""
    from autograder.course.show import show as lines_of
    from autograder.directory.course import Course

    say_what_protects(sandbox)
    opened = Course.open(course)
    for line in lines_of(opened, opened.stage(stage), student, exercise, sandbox):
        say(line)


def demo(
    directory: Annotated[Path, typer.Argument(help="Where to create the demonstration course.")] = Path("build/demo"),
    jobs: Jobs = CORES,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the verdicts to this file.")] = None,
) -> None:
    """Build everything, make submissions for a class, grade them, and show each result and its reasons."""
    from autograder.cli.tables import summary_lines, verdict_table, watched
    from autograder.course.demo import run as demonstration

    with watched(console, demonstration.STAGE, len(demonstration.CLASS)) as progress:
        outcome = demonstration.demo(directory, jobs, say, progress)
    if json_file:
        write_json(json_file, outcome)
    console.print(verdict_table(outcome))
    root = directory.resolve()
    jupyter = Path(sys.executable).with_name("jupyter")
    for line in summary_lines(outcome):
        say(line)
    say(f"Feedback, one page per student: {root / 'feedback'}")
    say(f"The gradebook: `cd {root}`, `{jupyter} lab`, there the menu Nbgrader → Formgrader.")


def say_what_protects(wanted: str | None) -> None:
    """Stop where the sandbox that was asked for cannot run; warn, every time, where there is none."""
    from autograder.sandbox import sandbox

    try:
        if sandbox.choose(wanted) == "limits":
            sentence = f"{sandbox.UNPROTECTED} Why: {sandbox.refusal() or '--sandbox limits was asked for'}."
            Console(stderr=True).print(sentence, style="yellow", highlight=False, markup=False, soft_wrap=True)
    except RuntimeError as error:
        stop(f"{error}.")


def _spread(scheduler: str | None) -> Callable | None:
    """The function that runs tasks on a cluster, or None for this machine."""
    if scheduler is None:
        return None
    from autograder.grading.cluster import over

    return over(scheduler)


def write_json(path: Path, outcome: dict | list) -> None:
    """Write the machine-readable result, completely or not at all; `-` is standard output."""
    from autograder.files import write_whole

    text = json.dumps(outcome, indent=2, ensure_ascii=False) + "\n"
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_whole(path.resolve(), text.encode())
