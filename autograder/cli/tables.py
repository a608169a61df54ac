"""What the terminal shows of a grading run: a progress bar with an ETA, a table, a summary."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from autograder.cli.terminal import say
from autograder.counted import counted
from autograder.practice.card import WORDS
from autograder.sandbox.sandbox import UNPROTECTED
from autograder.shorten_list import shorten_list

if TYPE_CHECKING:  # it brings nbgrader, which takes a while
    from autograder.exports.scores import GradebookScore

NAMED = 10
LOST = 2  # criteria named of an answer that loses many
NO_PYTHON = re.compile(r"((?:Syntax|Indentation|Tab)Error): (.*?) \(\S+, line (\d+)\)")
LINE_SECONDS = 30  # between two lines of progress in a log


@contextmanager
def watched(console: Console, what: str, total: int, now: Callable[[], float] = time.monotonic) -> Iterator:
    """Progress in `what`, as a bar, or in a file as a line now and then; it yields what to call with each result."""
    if not console.is_terminal:
        yield _lines(console, what, total, now)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda student, result: bar.update(task, advance=1, description=escape(f"{what}, graded {student}"))


def _lines(console: Console, what: str, total: int, now: Callable[[], float]) -> Callable:
    """Progress for a log file: how many are done, at most every LINE_SECONDS."""
    began, done, said = now(), 0, 0

    def advance(student: str, result: dict) -> None:
        nonlocal done, said
        done += 1
        if (lines := int((now() - began) / LINE_SECONDS)) > said:
            said = lines
            say(f"{what}: {done} of {total} graded.", console)

    return advance


def verdict_table(outcome: dict, scores: "Mapping[str, GradebookScore] | None" = None) -> Table:
    """Student, automatic points, with `scores` what the gradebook makes of them, and what was wrong."""
    table = Table(title=outcome["stage"], title_justify="left")
    table.add_column("student", no_wrap=True)
    table.add_column("automatic" if scores else "score", justify="right", no_wrap=True)
    if scores:
        table.add_column("gradebook", justify="right", no_wrap=True)
    table.add_column("what went wrong")
    for submission in outcome["submissions"]:
        table.add_row(
            harmless(submission["student"]),
            "not graded"
            if submission["status"] == "ungradable"
            else f"{submission['score']:g} / {submission['max_score']:g}",
            *([_total(scores.get(submission["student"]))] if scores else []),
            Text("\n").join(map(harmless, what_was_wrong(submission))) or "nothing",
        )
    return table


def score_lines(scores: "Mapping[str, GradebookScore]") -> list[str]:
    """Why the gradebook's totals are not the automatic points: what is by hand, open, late, or in the way."""
    lines = []
    if still := [score.student for score in scores.values() if score.by_hand_open and score.grade is not None]:
        lines.append(f"Written answers still to be graded, not yet in the gradebook's totals: {_named(still)}.")
    if late := [f"{score.student} ({score.penalty:g})" for score in scores.values() if score.penalty]:
        lines.append(f"Points taken off for lateness: {_named(late)}.")
    below = [f"{s.student} ({name}: {hand:g}, not {auto:g})" for s in scores.values() for name, hand, auto in s.below]
    if below:
        lines.append(f"Manual points that override higher automatic ones: {_named(below)}.")
    return lines


def _total(score: "GradebookScore | None") -> str:
    """The gradebook's total; a plus if a person may still add points."""
    if score is None or score.grade is None:
        return "-"
    return f"{score.grade:g}{' +' if score.by_hand_open else ''} / {score.max_score:g}"


def _named(names: list[str]) -> str:
    return shorten_list(names, NAMED)


def harmless(text: str) -> Text:
    """A text that students chose, as plain text: without rich's markup and terminal codes.

    >>> str(harmless("a[/b]\x1b[2J"))
    'a[/b]\ufffd[2J'
    """
    return Text("".join(letter if letter.isprintable() else "\ufffd" for letter in text))


def what_was_wrong(submission: dict) -> list[str]:
    """A line for each exercise that is not right, then repairs and flags."""
    flags = [sentence for sentence in submission["flags"] if sentence != UNPROTECTED]
    lines, passed_over = [], ("right", "ungradable") if flags else ("right",)  # the flags say why
    for exercise in submission["exercises"]:
        if exercise["status"] not in passed_over:
            named = exercise["misconception"] or WORDS[exercise["status"]].lower()
            if exercise["status"] in ("partial", "wrong") and not exercise["misconception"]:
                lost = [share["name"] for share in exercise["properties"] if not share["passed"]]
                named = f"lost: {shorten_list(lost, LOST)}"
            elif found := NO_PYTHON.search(exercise["message"]):
                named = f"{found[1]}, line {found[3]}: {found[2]}"
            lines.append(f"{exercise['id']}: {named}")
    untouched = [line for line in lines if line.endswith("not attempted yet")]
    if untouched and len(untouched) == len(submission["exercises"]):
        lines = ["nothing attempted"]
    lines += [f"repaired: {sentence}" for sentence in submission["repairs"][:2]]
    lines += [f"please check: {sentence}" for sentence in flags]
    return lines


def summary_lines(outcome: dict) -> list[str]:
    """How many, how long, and whom to look at by hand."""
    submissions = outcome["submissions"]
    lines = [f"{counted(len(submissions), 'submission')} in {outcome['seconds']:.1f} s."]
    repaired = [s["student"] for s in submissions if s["repairs"]]
    flagged = [s["student"] for s in submissions if set(s["flags"]) - {UNPROTECTED}]
    if outcome["versions"].get("sandbox") == "limits":
        lines.append(UNPROTECTED)
    ungraded = [s["student"] for s in submissions if s["status"] == "ungradable"]
    late = [s["student"] for s in submissions if any(e["status"] == "timeout" for e in s["exercises"])]
    again = set(outcome["tried_again"])
    if first := [student for student in late if student in again]:
        lines.append(f"Timed out on their own: {_named(first)}. The next `course grade` tries again.")
    if kept := [student for student in late if student not in again]:
        lines.append(f"Timed out twice, so kept until the file changes or you pass `--again`: {_named(kept)}.")
    if ungraded:
        lines.append(
            f"Not graded: {', '.join(ungraded)}. These do not count as zero; fix the problem above, or grade by hand."
        )
    if repaired:
        lines.append(f"Repaired before grading: {', '.join(repaired)}.")
    if flagged:
        lines.append(f"Please check by hand: {', '.join(flagged)}.")
    return lines
