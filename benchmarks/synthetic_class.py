"""A class of honest submissions, every notebook different: no result can be taken from another one's."""

import shutil
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path

import nbformat

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS, Handed
from autograder.course.init import init_course
from autograder.directory.course import Course
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.sandbox.sandbox import refusal
from benchmarks.measure import Skipped

STAGE = "01_attention"
BIN = Path(sys.executable).parent
HONEST = (
    "all-right",
    "right-einsum",
    "right-loop",
    "right-minus-infinity",
    "no-scaling",
    "softmax-over-queries",
    "inverted-mask",
)  # of the demonstration's class: code that a stock grader and ours must agree on


def new_course(root: Path, stage: str = STAGE) -> Course:
    """A course of one stage without submissions, and all that is made once for a course."""
    course = init_course(root, only=(stage,))
    Context.of(course, stage)
    return course


def course_with_a_class(root: Path, count: int) -> Course:
    """Such a course with `count` submissions; `Skipped` where they could not be graded in a sandbox."""
    if why := refusal():
        raise Skipped(f"bubblewrap cannot run here: {why}")
    course = new_course(root)
    hand_in(course, count)
    return course


def copy_of(course: Course, root: Path) -> Course:
    """The same course in another directory."""
    shutil.copytree(course.root, root)
    return Course.open(root)


def names(count: int) -> list[str]:
    """The students of a class."""
    return [f"student-{number:04}" for number in range(count)]


def hand_in(course: Course, count: int) -> None:
    """Put `count` submissions into a course."""
    release = course.release(STAGE)
    kinds = [handed for handed in CLASS if handed.student in HONEST]
    for student, handed in zip(names(count), islice(cycle(kinds), count), strict=True):
        write_whole(course.submitted_file(STAGE, student), signed(handed, student, release))


def grading(course: Course, *options: str) -> subprocess.Popen:
    """`course grade` of stage 01, started as a process of its own."""
    return start("course", "grade", STAGE, "--course", course.root, *options)


def start(name: str, *arguments: object) -> subprocess.Popen:
    """Start one of the environment's commands."""
    return subprocess.Popen([str(word) for word in (BIN / name, *arguments)], stdout=subprocess.DEVNULL)


def signed(handed: Handed, student: str, release: nbformat.NotebookNode) -> bytes:
    """The notebook of a kind, with the student's name in a comment of an answer."""
    notebook = nbformat.reads(submission(handed, release), as_version=4)
    answer = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax")
    answer.source = f"# {student}\n{answer.source}"
    return nbformat.writes(notebook).encode()
