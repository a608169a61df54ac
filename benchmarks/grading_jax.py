"""What a submission of a JAX stage costs: processor seconds of the worker and its memory, and the seconds of a `check`.

The solved page of each stage is handed in, one worker per stage: its first submission is the cold one, and pays for the
start of the worker, too. Seconds are the processor's, so other work on the machine counts little.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.grading.context import Context
from autograder.grading.submission import grade, sanitised
from autograder.sandbox.session import Worker
from autograder.stages import STAGES
from benchmarks import synthetic_class
from benchmarks.measure import Skipped, entry, limited

COLD, WARM, PEAK, FIRST, LATER = 8.0, 4.0, 700.0, 3.0, 1.0  # s, s, MB, s, s: what each may be at most
EVERY = 0.1  # seconds between two looks at the memory
CHECK = """
import contextlib, io, json, sys, time
from autograder.catalogue import find
from autograder.practice.check import check

def seconds(exercise):
    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        check(exercise, find(exercise).reference)
    return time.process_time() - began

print(json.dumps([[seconds(exercise) for _ in range(2)] for exercise in sys.argv[1:]]))
"""


class Size(NamedTuple):
    """Which stages, and how many submissions of each are warm."""

    stages: tuple[str, ...]
    warm: int


JAX_STAGES = tuple(stage for stage in STAGES if stage.track == "jax")
FULL, TINY = Size(tuple(stage.name for stage in JAX_STAGES), 3), Size((JAX_STAGES[0].name,), 1)


def run(size: Size = FULL) -> list[dict]:
    """The most expensive stage and exercise, against what they may cost."""
    try:
        import jax  # noqa: F401
    except ImportError:
        raise Skipped("jax is not installed") from None
    cold, warm, peak = zip(*(of_stage(stage, size.warm) for stage in size.stages), strict=True)
    first, later = zip(*(checked(stage.exercises) for stage in JAX_STAGES if stage.name in size.stages), strict=True)
    return [
        limited("a JAX submission, cold", max(cold), COLD, "CPU s"),
        limited("a JAX submission, warm", max(warm), WARM, "CPU s"),
        entry("a JAX submission, memory at most", max(peak), PEAK, "MB", 1.0),
        limited("the first check of a JAX exercise in a kernel", max(first), FIRST, "CPU s"),
        limited("a later check of a JAX exercise", max(later), LATER, "CPU s"),
    ]


def of_stage(stage: str, warm: int) -> tuple[float, float, float]:
    """CPU seconds of the first submission and of a later one, and the most MB that one held."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        course = synthetic_class.new_course(Path(folder) / "course", stage)
        context = Context.of(course, stage)
        data = submission(Handed("", 0), context.release, stage)
        spent = []
        with Worker(context.stripped_package, context.limits) as worker, watched(worker) as peak:
            for _ in range(1 + warm):
                before = seconds_of(worker)
                grade(sanitised(data, context)[0], context, worker)
                spent.append(seconds_of(worker) - before)
    average = sum(spent[1:]) / warm
    print(f"{stage}: {spent[0]:.1f} CPU s cold, {average:.1f} warm, {peak[0]:.0f} MB")
    return spent[0], average, peak[0]


def seconds_of(worker: Worker) -> float:
    """CPU seconds of the worker's server and of all that it has waited for."""
    if worker.server is None:
        return 0.0
    times = psutil.Process(worker.server.pid).cpu_times()
    return times.user + times.system + times.children_user + times.children_system


@contextmanager
def watched(worker: Worker) -> Iterator[list[float]]:
    """The most MB that the processes of one submission held together so far, what a fork inherited included.

    A page that several of them share counts once: the process that waits in front of a sandbox has touched hardly one.
    """
    peak, over = [0.0], threading.Event()

    def look() -> None:
        while not over.wait(EVERY):
            with contextlib.suppress(psutil.Error, AttributeError, ValueError):
                held = [psutil.Process(pid).memory_full_info() for pid in worker.server.below()]
                largest = max(held, key=lambda process: process.rss)
                others = sum(process.uss for process in held if process is not largest)
                peak[0] = max(peak[0], (largest.rss + others) / 1e6)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def checked(exercises: tuple[str, ...]) -> tuple[float, float]:
    """CPU seconds of the most expensive first and second `check` of these, in a kernel that has imported JAX."""
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", CHECK, *exercises], check=True, capture_output=True, text=True)
    table = json.loads(done.stdout.splitlines()[-1])
    for exercise, (first, later) in zip(exercises, table, strict=True):
        print(f"  check {exercise}: {first:.2f} CPU s, then {later:.2f}")
    print(f"  {time.monotonic() - began:.0f} s")
    return max(first for first, _ in table), max(later for _, later in table)
