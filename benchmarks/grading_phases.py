"""What one submission costs, phase by phase: in one process, one after another, in the sandbox."""

import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat.v4 import reads_json

from autograder.directory.course import Course
from autograder.grading.context import Context
from autograder.grading.gradebook import Writer
from autograder.grading.submission import grade, sanitised
from autograder.sandbox.session import Worker
from benchmarks.measure import entry, limited
from benchmarks.synthetic_class import STAGE, course_with_a_class, names

GRADEBOOK_LIMIT = 40.0  # milliseconds
SECOND_LOOK = 1 / 1.1  # judging again may add a tenth to a class


class Phases:
    """Milliseconds of each phase, over all submissions."""

    def __init__(self):
        self.spent = defaultdict(float)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.spent[name] += 1000 * (time.perf_counter() - began)


class Timed:
    """A worker whose runs count as a phase."""

    def __init__(self, worker: Worker, phase: Phases):
        self.worker, self.phase = worker, phase

    def run(self, cells, probes, clock, in_place=False):
        """As the worker's own."""
        with self.phase("second look" if in_place else "fork and run"):
            return self.worker.run(cells, probes, clock, in_place)


class Size(NamedTuple):
    """How many submissions, and how many of them only warm up."""

    count: int
    warm_up: int


FULL, TINY = Size(40, 7), Size(4, 1)


def run(size: Size = FULL) -> list[dict]:
    """The phases as they are; the gradebook and the second runs have limits to be held against."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        spent = measured(course_with_a_class(Path(folder) / "course", size.count), size)
    spent = {"second look": 0.0} | spent  # none, in a small class without a slip
    spent["judge"] -= spent["fork and run"] + spent["second look"]
    each = {name: total / (size.count - size.warm_up) for name, total in spent.items()}
    print("milliseconds a submission: " + ", ".join(f"{name} {cost:.0f}" for name, cost in each.items()))
    again = each["second look"]
    return [
        limited("gradebook writing, a submission", each["gradebook"], GRADEBOOK_LIMIT, "ms"),
        entry("a submission, second runs included", sum(each.values()), sum(each.values()) - again, "ms", SECOND_LOOK),
    ]


def measured(course: Course, size: Size) -> dict[str, float]:
    """Grade the class; the first few only warm up."""
    context, phase = Context.of(course, STAGE), Phases()
    with Worker(context.stripped_package, context.limits) as worker, Writer(course, STAGE) as writer:
        for number, student in enumerate(names(size.count)):
            if number == size.warm_up:
                phase.spent.clear()
            data = course.submitted_file(STAGE, student).read_bytes()
            with phase("repair"):
                notebook, _, _ = sanitised(data, context)
            with phase("judge"):
                graded = grade(notebook, context, Timed(worker, phase))
            with phase("notebook writing"):
                text = nbformat.writes(graded.notebook)
            with phase("gradebook"):
                writer.write(student, reads_json(text), flagged=False)
    return dict(phase.spent)
