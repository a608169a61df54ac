"""The command `course`."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

# jsonschema, which nbformat imports, would build a grammar of international web addresses, as long as torch takes.
sys.modules.setdefault("rfc3987_syntax", None)

FAILED, USAGE, INTERRUPTED = 1, 2, 130


class Commands(TyperGroup):
    """All commands: what the disk refuses, or was never installed, is one sentence."""

    def invoke(self, context):
        """Run one of them."""
        try:
            return super().invoke(context)
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            if missing in ("", "autograder", "course_lib"):
                raise
            stop(
                f"{missing} is not installed: this command is the instructor's, and needs "
                "pip install 'attention-workshop[instructor]'.",
                FAILED,
            )
        except Exception as error:
            from autograder.files import disk_trouble

            if not (trouble := disk_trouble(error)):
                raise
            stop(f"{trouble}. What was written before is kept: make room or allow it, and run this again.", FAILED)


app = typer.Typer(no_args_is_help=True, cls=Commands)
console = Console()


def stop(sentence: str, code: int = USAGE) -> None:
    """End with one sentence on stderr that says what to do."""
    Console(stderr=True).print(sentence, style="bold", highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(code)


@app.callback()
def course() -> None:
    """Build the course, grade it, and show what a class understood."""


@app.command()
def build(
    stages: Annotated[list[str] | None, typer.Argument(help="Only these stages, by number, name or beginning.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether the committed files are current.")] = False,
    root: Annotated[Path, typer.Option(help="The checkout with solutions/ and notebooks/.")] = Path("."),
) -> None:
    """Make notebooks/ and the public answers from solutions/ and course_lib."""
    from autograder.build.release import outputs
    from autograder.build.stage import StageError
    from autograder.files import write_whole
    from autograder.stages import UnknownStage, stage_meant

    if not (root / "solutions").is_dir():
        stop(f"{root.resolve()} holds no solutions/: run this in a checkout of the course, or give --root.")
    try:
        files = list(outputs(root, tuple(stage_meant(stage).name for stage in stages or ())))
    except UnknownStage as unknown:
        stop(str(unknown))
    except StageError as error:
        stop(str(error), FAILED)
    stale = [path for path, content in files if not path.exists() or path.read_bytes() != content]
    if check:
        for path in stale:
            console.print(f"differs: {path}", highlight=False)
        if stale:
            stop("The committed files are not what the build makes: run `course build` and commit.", FAILED)
        console.print(f"{len(files)} files are what the build makes.")
        return
    for path, content in files:
        if path in stale:
            write_whole(path, content)
    console.print(f"{len(files)} files built, {len(stale)} of them changed.")


@app.command()
def init(
    directory: Annotated[Path, typer.Argument(help="Where the course is to live.")],
    db: Annotated[str | None, typer.Option(help="An SQLAlchemy address of the gradebook, e.g. postgresql://…")] = None,
    stage: Annotated[
        list[str] | None, typer.Option(help="Only this stage, by number or name (may be given again).")
    ] = None,
) -> None:
    """Make an nbgrader course directory, with a secret seed of its own."""
    from autograder.build.stage import StageError
    from autograder.course.directory import CourseError
    from autograder.course.init import init_course

    try:
        with console.status("Building the stages and releasing them through nbgrader …"):
            kept: list[str] = []
            course = init_course(directory, db, tuple(stage or ()), kept.append)
    except CourseError as error:
        stop(str(error))
    except StageError as error:
        stop(str(error), FAILED)
    for sentence in kept:
        console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    names = ", ".join(sorted(path.name for path in (course.root / "release").iterdir()))
    console.print(f"{course.root} is a course: {names}.", highlight=False, soft_wrap=True)
    console.print("Put submissions in submitted/STUDENT/STAGE/STAGE.ipynb, then `course grade STAGE`.", highlight=False)


@app.command()
def grade(
    stage: Annotated[str, typer.Argument(help="The stage, e.g. 01_attention or 1; `all` for every one.")],
    jobs: Annotated[int, typer.Option(min=1, help="How many submissions at once.")] = os.cpu_count() or 1,
    student: Annotated[list[str] | None, typer.Option(help="Only this student (may be given again).")] = None,
    scheduler: Annotated[str | None, typer.Option(help="The address of a running dask scheduler.")] = None,
    sandbox: Annotated[str | None, typer.Option(help="bubblewrap or limits; the better one here if left out.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the verdicts to this file; - prints.")] = None,
    again: Annotated[bool, typer.Option("--again", "--force", help="Grade also what has not changed.")] = False,
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Grade the submissions of a stage, or of all; only what is new, changed or timed out is run."""
    from functools import partial

    from autograder.course.directory import Course, CourseError
    from autograder.course.grade import ALL, grade_round, stages_meant, students_meant
    from autograder.grading.report import harmless, score_lines, summary_lines, verdict_table, watched

    _check_sandbox(sandbox)
    screen = Console(stderr=True) if str(json_file) == "-" else console
    rounds = []
    try:
        opened = Course.open(course)
        names = stages_meant(opened, stage)
        if scheduler is None:
            _say_what_protects(sandbox)
        for name in names:
            whom = students_meant(opened, name, student)
            rounds.append(
                grade_round(opened, name, whom, jobs, sandbox, _spread(scheduler), partial(watched, screen), again)
            )
    except CourseError as error:
        stop(str(error))
    except KeyboardInterrupt:
        stop("Stopped. What was graded is kept: run the same command again to go on.", INTERRUPTED)
    if json_file:
        outcomes = [graded.outcome for graded in rounds]
        write_json(json_file, outcomes if stage == ALL else outcomes[0])
    for graded in rounds:
        screen.print(verdict_table(graded.outcome, graded.scores))
        for line in summary_lines(graded.outcome) + score_lines(graded.scores) + graded.said:
            screen.print(harmless(line), highlight=False, soft_wrap=True)
        if not graded.outcome["submissions"]:
            name = graded.outcome["stage"]
            place = opened.root / "submitted"
            stop(f"Nobody has handed in {name}: put notebooks into {place}/STUDENT/{name}/.", FAILED)
        screen.print(f"The students' pages: `nbgrader generate_feedback {graded.outcome['stage']}`.", highlight=False)
    if any(graded.failed for graded in rounds):
        raise typer.Exit(FAILED)


@app.command()
def show(
    student: Annotated[str, typer.Argument(help="Whose answer.")],
    stage: Annotated[str, typer.Argument(help="The stage, e.g. 01_attention or 1.")],
    exercise: Annotated[str, typer.Argument(help="The exercise, e.g. softmax.")],
    sandbox: Annotated[str | None, typer.Option(help="bubblewrap or limits; the better one here if left out.")] = None,
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Show one answer to a teacher: the code, the verdict, and the hidden numbers beside what was found."""
    from autograder.course.directory import Course, CourseError
    from autograder.course.show import show as lines_of
    from autograder.grading.report import harmless

    _check_sandbox(sandbox)
    _say_what_protects(sandbox)
    try:
        opened = Course.open(course)
        for line in lines_of(opened, opened.stage(stage), student, exercise, sandbox):
            console.print(harmless(line), highlight=False, soft_wrap=True)
    except CourseError as error:
        stop(str(error))


@app.command()
def demo(
    directory: Annotated[Path, typer.Argument(help="Where the demonstration course is to live.")] = Path("build/demo"),
    jobs: Annotated[int, typer.Option(min=1, help="How many submissions at once.")] = os.cpu_count() or 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the verdicts to this file.")] = None,
) -> None:
    """Build everything, make a class of submissions, grade it, and show who got what and why."""
    from autograder.course.demo import run as demonstration
    from autograder.course.directory import CourseError
    from autograder.grading.report import summary_lines, verdict_table, watched

    try:
        with watched(console, len(demonstration.CLASS)) as progress:
            outcome = demonstration.demo(directory, jobs, console.print, progress)
    except CourseError as error:
        stop(str(error))
    if json_file:
        write_json(json_file, outcome)
    console.print(verdict_table(outcome))
    for line in summary_lines(outcome):
        console.print(line, highlight=False, soft_wrap=True)
    root = directory.resolve()
    console.print(f"Feedback, one page a student: {root / 'feedback'}", highlight=False, soft_wrap=True)
    jupyter = Path(sys.executable).with_name("jupyter")
    gradebook = f"The gradebook: `cd {root}`, `{jupyter} lab`, there the menu Nbgrader → Formgrader."
    console.print(gradebook, highlight=False, soft_wrap=True)


@app.command()
def doctor(
    course: Annotated[Path | None, typer.Option(help="Say also which version made this course.")] = None,
) -> None:
    """Say what protects grading on this machine, and what is missing."""
    from importlib.metadata import version

    from autograder.grading.context import PACKAGES
    from autograder.sandbox import sandbox

    protections = sandbox.describe()
    table = Table(title="What protects you here", title_justify="left")
    for heading in ("protection", "here", "how"):
        table.add_column(heading)
    for name, active, detail in protections:
        table.add_row(name, "yes" if active else "NO", detail)
    console.print(table)
    console.print(", ".join(f"{name} {version(name)}" for name in PACKAGES), highlight=False)
    missing = [name for name, active, _ in protections if not active]
    if missing:
        advice = "install bubblewrap (Debian, Ubuntu: `apt-get install bubblewrap`) and allow user namespaces"
        console.print(f"Missing: {', '.join(missing)}. For full protection, {advice}.", highlight=False, soft_wrap=True)
    if course is not None:
        from autograder.course.directory import Course, CourseError
        from autograder.course.upgrade import what_changed

        try:
            for sentence in what_changed(Course.open(course)):
                console.print(sentence, highlight=False, markup=False, soft_wrap=True)
        except CourseError as error:
            stop(str(error))


@app.command()
def upgrade(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list whose score would change.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many submissions at once.")] = os.cpu_count() or 1,
    sandbox: Annotated[str | None, typer.Option(help="bubblewrap or limits; the better one here if left out.")] = None,
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Move a course to the version that is installed; what somebody edited stays."""
    from autograder.course.directory import Course, CourseError
    from autograder.course.upgrade import upgrade as move
    from autograder.course.upgrade import would_change
    from autograder.grading.report import harmless

    def say(sentence: object) -> None:
        console.print(harmless(str(sentence)), highlight=False, soft_wrap=True)

    _check_sandbox(sandbox)
    try:
        opened = Course.open(course)
        if dry_run:
            _say_what_protects(sandbox)
            changes = would_change(opened, jobs, sandbox, say)
            for change in changes:
                say(change)
            say(f"{len(changes)} scores would change.")
        else:
            move(opened, say)
            say("Up to date: `course grade all` makes the verdicts anew.")
    except CourseError as error:
        stop(str(error))


@app.command()
def report(
    stage: Annotated[
        str | None, typer.Argument(help="The stage, e.g. 01_attention or 1; the term if left out.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The page; report/STAGE.html or report/term.html in the course if left out.")
    ] = None,
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Write what the class did not understand, in a stage or over the term: an HTML page, and a table beside it."""
    from autograder.course.directory import Course, CourseError
    from autograder.course.report.page import write_report
    from autograder.course.report.term_page import write_term

    try:
        opened = Course.open(course)
        written = write_report(opened, opened.stage(stage), output) if stage else write_term(opened, output)
    except CourseError as error:
        stop(str(error))
    except OSError as error:
        stop(f"The report could not be written: {error}.", FAILED)
    console.print("\n".join(map(str, written)), highlight=False, soft_wrap=True, markup=False)


@app.command()
def export(
    to: Annotated[str, typer.Option(help="csv, canvas, moodle or gradescope.")],
    stage: Annotated[str | None, typer.Argument(help="The stage; every graded one if left out.")] = None,
    roster: Annotated[Path | None, typer.Option(help="What Canvas or Moodle exported, to match students by.")] = None,
    column: Annotated[str | None, typer.Option(help="The name of the assignment there, if it is not STAGE.")] = None,
    output: Annotated[Path | None, typer.Option(help="A directory; export/ in the course if left out.")] = None,
    only_final: Annotated[
        bool, typer.Option("--only-final", help="Leave out whom a person still has to grade.")
    ] = False,
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Write grades in the form that another system imports, or an autograder for Gradescope."""
    from autograder.course.directory import Course, CourseError
    from autograder.course.export.files import export_stages

    try:
        opened = Course.open(course)
        stages = [opened.stage(stage)] if stage else None
        for sentence in export_stages(opened, to, stages, roster, column, output, only_final):
            console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    except CourseError as error:
        stop(str(error))
    except OSError as error:
        stop(f"The export could not be written: {error}.", FAILED)


@app.command()
def roster(
    file: Annotated[Path, typer.Argument(metavar="CSV", help="Names, e-mails, ids: nbgrader's, Canvas's or Moodle's.")],
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Tell the course who is in the class: used by grade, report, export and collect."""
    from autograder.course.directory import Course, CourseError
    from autograder.course.roster import import_roster

    try:
        for sentence in import_roster(Course.open(course), file):
            console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    except CourseError as error:
        stop(str(error))


@app.command()
def collect(
    archive: Annotated[Path, typer.Argument(metavar="ZIP", help="The zip of submissions that the LMS gave out.")],
    stage: Annotated[str, typer.Argument(help="The stage, e.g. 01_attention or 1.")],
    pattern: Annotated[
        str | None, typer.Option(help="A regular expression for paths in the zip, with (?P<student_id>…).")
    ] = None,
    update: Annotated[bool, typer.Option("--update", help="Replace submissions that are there already.")] = False,
    course: Annotated[Path, typer.Option(help="The course directory.")] = Path("."),
) -> None:
    """Unpack the submissions that Canvas, Moodle or another LMS gave out into submitted/."""
    from autograder.course.directory import Course, CourseError
    from autograder.course.export.collect import collect_zip
    from autograder.grading.report import harmless

    try:
        opened = Course.open(course)
        outcome = collect_zip(opened, opened.stage(stage), archive, pattern, update)
    except CourseError as error:
        stop(str(error))
    for sentence in outcome.sentences:
        console.print(harmless(sentence), highlight=False, soft_wrap=True)
    if outcome.left:
        stop(f"{len(outcome.left)} files could not be placed.", FAILED)


def _check_sandbox(wanted: str | None) -> None:
    if wanted not in (None, "bubblewrap", "limits"):
        stop(f"--sandbox is bubblewrap or limits, not {wanted}.")


def _say_what_protects(wanted: str | None) -> None:
    """Stop where the sandbox that was asked for cannot run; warn, every time, where there is none."""
    from autograder.sandbox import sandbox

    try:
        if sandbox.choose(wanted) == "limits":
            sentence = f"{sandbox.UNPROTECTED} Why: {sandbox.refusal() or '--sandbox limits was asked for'}."
            Console(stderr=True).print(sentence, style="yellow", highlight=False, markup=False, soft_wrap=True)
    except RuntimeError as error:
        stop(f"{error}.")


def _spread(scheduler: str | None):
    """How tasks reach a cluster, or None for this machine."""
    if scheduler is None:
        return None
    from autograder.grading.cluster import over

    return over(scheduler)


def write_json(path: Path, outcome: dict | list) -> None:
    """Write the machine-readable result, whole or not at all; `-` is standard output."""
    from autograder.files import write_whole

    text = json.dumps(outcome, indent=2, ensure_ascii=False) + "\n"
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_whole(path.resolve(), text.encode())
