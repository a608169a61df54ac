"""Large classes: is the time linear, is the memory flat? 60, 300 and 1,000 submissions, two jobs, in the sandbox."""

import contextlib
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil

from autograder.directory.course import Course
from autograder.grading.context import Context
from autograder.sandbox.processes import descendants
from autograder.sandbox.session import Worker
from benchmarks.measure import entry
from benchmarks.synthetic_class import STAGE, course_with_a_class, grading, hand_in

JOBS = 2
LIMIT = 1024.0  # MiB above the warm servers
EVERY = 0.5  # seconds between two looks at the memory
FULL, TINY = (60, 300, 1000), (2, 4)


def run(sizes: tuple[int, ...] = FULL) -> list[dict]:
    """Seconds for one more submission at each size, and the most memory that all processes together held."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        course = course_with_a_class(Path(folder) / "course", 0)
        servers, paces, usual, peaks, graded = warm_servers(course), {}, {}, {}, 0
        for size in sizes:
            hand_in(course, size)
            paces[size], usual[size], peaks[size] = grade_more(course, size - graded)
            graded = size
            above = peaks[size] - servers
            print(f"{size} submissions: {paces[size]:.3f} s each, at most {above:.0f} MiB above the servers")
    *_, many, all_ = sizes
    return [
        entry(f"a submission among {all_:,}, against among {many:,}", paces[all_], paces[many], "s", 0.8),
        entry(f"memory at {all_:,}, above the two warm servers", peaks[all_] - servers, LIMIT, "MiB", 1.0),
        entry(f"memory in the median, at {all_:,} against at {many:,}", usual[all_], usual[many], "MiB", 0.8),
    ]


def grade_more(course: Course, new: int) -> tuple[float, float, float]:
    """Grade what is new: seconds for one of them, from the first to the last; memory in MiB, median and peak."""
    began, held, process = time.time(), [], grading(course, "--jobs", str(JOBS), "--sandbox", "bubblewrap")
    while process.poll() is None:
        held.append(memory(process.pid))
        time.sleep(EVERY)
    if process.returncode:
        raise RuntimeError("course grade failed")
    notes = [path.stat().st_mtime for path in (course.private / "graded" / STAGE).glob("*.json")]
    done = sorted(when for when in notes if when > began)
    if len(done) != new:
        raise RuntimeError(f"{len(done)} submissions were graded, not the {new} new ones")
    return (done[-1] - done[0]) / (new - 1), median(held), max(held)


def warm_servers(course: Course) -> float:
    """MiB of as many warm servers as there are jobs."""
    context = Context.of(course, STAGE)
    workers = [Worker(context.stripped_package, context.limits, "bubblewrap") for _ in range(JOBS)]
    try:
        for worker in workers:
            worker.run([], {})
        return sum(memory(worker.server.process.pid) for worker in workers)
    finally:
        for worker in workers:
            worker.close()


def memory(pid: int) -> float:
    """MiB of a process and everything below it, each shared page divided among those that share it."""
    total = 0
    for one in [pid, *descendants(pid)]:
        with contextlib.suppress(psutil.Error):
            total += psutil.Process(one).memory_full_info().pss
    return total / 2**20
