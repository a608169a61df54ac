"""A class of sixty with ten hostile submissions, against the fifty others alone: time, memory, and the same verdicts.

A cell may take five seconds, two jobs, in the sandbox. The ten come from the corpus of attacks. Two of them run into
that limit, are tried once more, and take ten seconds: the quicker the honest ones are graded, the lower the ratio.
"""

import contextlib
import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import nbformat
import psutil

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.directory.course import Course
from autograder.files import write_whole
from benchmarks.measure import entry
from benchmarks.synthetic_class import STAGE, copy_of, course_with_a_class, grading, names
from tests.attacks.attack import CORPUS, load

JOBS = 2
ATTACKS = (
    "chain_of_functions",
    "full_sockets",
    "memory_bomb",
    "messages_in_ports_and_files",
    "names_without_end",
    "nested_display",
    "page_tables",
    "picture_bomb",
    "prose_without_end",
    "spinning_processes",
)
PLACES = {"@COURSE@": "/course", "@HOME@": "/home", "@CHECKOUT@": "/checkout", "@PORT@": "9"}
LIMITS = "\nc.Limits.cell_seconds = 5\n"
MEMORY_LIMIT = 1500.0  # MiB
EVERY = 0.2  # seconds between two looks at the memory
COMPARED = ("score", "status", "flags", "repairs")


class Size(NamedTuple):
    """How many submissions, and how many of them are hostile."""

    count: int
    hostile: int


FULL, TINY = Size(60, 10), Size(4, 1)


def run(size: Size = FULL) -> list[dict]:
    """Seconds of the whole command, and the most memory that all grading processes together held."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        attackers = dict(zip(names(size.count)[3 :: size.count // size.hostile], ATTACKS, strict=False))
        hostile = course_with_a_class(Path(folder) / "hostile", size.count)
        with (hostile.root / "nbgrader_config.py").open("a") as config:
            config.write(LIMITS)
        honest = copy_of(hostile, Path(folder) / "honest")
        solved = nbformat.reads(submission(Handed("", 20), hostile.release(STAGE)).decode(), as_version=4)
        for student, attack in attackers.items():
            shutil.rmtree(honest.submitted_file(STAGE, student).parent)
            data = load(CORPUS / f"{attack}.py").handed_in(solved, PLACES)
            write_whole(hostile.submitted_file(STAGE, student), data)
        alone, _, expected = graded(honest)
        beside, peak, found = graded(hostile)
    differing = [student for student in expected if found[student] != expected[student]]
    if differing or len(expected) != size.count - size.hostile:
        raise RuntimeError(f"{size.hostile} hostile submissions changed the verdicts on {differing}")
    return [
        entry(f"grading {size.count}, {size.hostile} hostile, against the others", beside, alone, "s", 0.5),
        entry("memory of the grading processes meanwhile", peak, MEMORY_LIMIT, "MiB", 1.0),
    ]


def graded(course: Course) -> tuple[float, float, dict[str, list]]:
    """Seconds, MiB at most, and what must not depend on others: student → verdict."""
    out, peak, began = course.root / "verdicts.json", 0.0, time.monotonic()
    process = grading(course, "--jobs", str(JOBS), "--sandbox", "bubblewrap", "--json", str(out))
    while process.poll() is None:
        peak = max(peak, trusted(process.pid))
        time.sleep(EVERY)
    seconds = time.monotonic() - began
    verdicts = {s["student"]: s for s in json.loads(out.read_text("utf-8"))["submissions"]}
    kept = {name: [s[key] for key in COMPARED] + [e["score"] for e in s["exercises"]] for name, s in verdicts.items()}
    return seconds, peak, kept


def trusted(pid: int) -> float:
    """MiB of a process and of what it started, but the workers; each shared page divided among those that share it."""
    total = 0.0
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        if any("bwrap" in word for word in process.cmdline()):
            return 0.0
        total = process.memory_full_info().pss / 2**20 + sum(trusted(child.pid) for child in process.children())
    return total
