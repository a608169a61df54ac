"""Submissions a minute: `course grade` with two jobs in the sandbox against stock `nbgrader autograde`.

Sixty honest submissions of stage 01, every notebook different. In each of three rounds our grader grades all of
them from a cold start, and the stock one, which takes minutes for sixty, a few of the same ones, or, with `EVERYBODY`,
all of them. What it would take for sixty is its start-up once and its pace sixty times. The scores of both
must be the same.
"""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from nbgrader.api import Gradebook

from autograder.directory.course import Course
from benchmarks.measure import entry
from benchmarks.synthetic_class import BIN, STAGE, copy_of, course_with_a_class, grading

JOBS = 2
STOCK_CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "stock"\n'


@dataclass(frozen=True)
class Size:
    """How many submissions, how many of them only warm up, and whom the stock grader grades: a glob for each round."""

    count: int
    warm_up: int
    stock: tuple[str, ...]


FULL = Size(60, 10, ("student-000[0-3]", "student-002[0-3]", "student-004[0-3]"))
EVERYBODY = Size(60, 10, ("student-00[01]?", "student-00[23]?", "student-00[45]?"))
TINY = Size(4, 1, ("student-000[01]",))


def run(size: Size = FULL) -> list[dict]:
    """Cold start included, and at the pace that a large class sees."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        ready = course_with_a_class(Path(folder) / "ready", size.count)
        stock = copy_of(ready, Path(folder) / "stock")
        (stock.root / "nbgrader_config.py").write_text(STOCK_CONFIG)
        ours, theirs = [], []
        for number, students in enumerate(size.stock):
            theirs.append(time_stock(stock, students))
            course = copy_of(ready, Path(folder) / f"ours-{number}")
            ours.append(time_ours(course, size.warm_up))
            compare(course, stock)
    start, pace = (median(times) for times in zip(*theirs, strict=True))
    whole, ours_pace = (median(times) for times in zip(*ours, strict=True))
    projected = start + size.count * pace
    how = "all measured" if size == EVERYBODY else f"projected from {len(size.stock)} × 4"
    print(f"stock: start-up {start:.1f} s, then {pace:.2f} s each ({how}); ours: {size.count} in {whole:.1f} s")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; the same scores in every notebook")
    unit = "submissions a minute"
    return [
        entry(
            f"grading {size.count}, cold start included; stock {how}",
            60 * size.count / whole,
            60 * size.count / projected,
            unit,
            25.0,
            True,
        ),
        entry("grading, steady pace", 60 / ours_pace, 60 / pace, unit, None, True),
    ]


def time_ours(course: Course, warm_up: int) -> tuple[float, float]:
    """Seconds for the whole command, and for one submission once it is warm."""
    began = time.monotonic()
    if grading(course, "--jobs", str(JOBS), "--sandbox", "bubblewrap").wait():
        raise RuntimeError("course grade failed")
    whole = time.monotonic() - began
    notes = sorted(path.stat().st_mtime for path in (course.private / "graded" / STAGE).glob("*.json"))
    return whole, (notes[-1] - notes[warm_up]) / (len(notes) - 1 - warm_up)


def time_stock(course: Course, students: str) -> tuple[float, float]:
    """Seconds until the stock grader is at work, and for one submission then."""
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    before, began = graded_by_stock(course), time.time()
    command = [BIN / "nbgrader", "autograde", STAGE, "--student", students]
    subprocess.run(command, cwd=course.root, env=os.environ | {"PATH": path}, check=True, capture_output=True)
    finished = sorted(path.stat().st_mtime for path in graded_by_stock(course) - before)
    pace = (finished[-1] - finished[0]) / (len(finished) - 1)
    return finished[0] - began - pace, pace


def graded_by_stock(course: Course) -> set[Path]:
    """The notebooks that are done."""
    return set(course.root.glob(f"autograded/*/{STAGE}/{STAGE}.ipynb"))


def compare(ours: Course, stock: Course) -> None:
    """The scores of everybody whom both have graded must be the same."""
    mine, theirs = scores(ours), scores(stock)
    differing = [key for key in theirs if mine[key] != theirs[key]]
    if differing or not theirs:
        raise RuntimeError(f"ours and stock disagree: {[(k, mine[k], theirs[k]) for k in differing[:3]]}")


def scores(course: Course) -> dict[tuple[str, str], float | None]:
    """(student, cell) → the automatic score."""
    with Gradebook(course.db_url) as book:
        graded = [n for s in book.assignment_submissions(STAGE) for n in s.notebooks]
        return {(n.student.id, grade.name): grade.auto_score for n in graded for grade in n.grades}
