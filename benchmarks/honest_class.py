"""A class of honest submissions, every notebook different: no result can be taken from another one's."""

from itertools import cycle, islice

import nbformat

from autograder.course import Course, write_whole
from autograder.demo.run import submission
from autograder.demo.submissions import CLASS, Handed

STAGE = "01_attention"
HONEST = (
    "all-right",
    "right-einsum",
    "right-loop",
    "right-minus-infinity",
    "no-scaling",
    "softmax-over-queries",
    "inverted-mask",
)  # of the demonstration's class: code that a stock grader and ours must agree on


def names(count: int) -> list[str]:
    """The students of a class."""
    return [f"student-{number:04}" for number in range(count)]


def hand_in(course: Course, count: int) -> list[str]:
    """Put `count` submissions of stage 01 into a course; → the students."""
    release = course.release(STAGE)
    kinds = [handed for handed in CLASS if handed.student in HONEST]
    for student, handed in zip(names(count), islice(cycle(kinds), count), strict=True):
        write_whole(course.submitted_file(STAGE, student), _signed(handed, student, release))
    return names(count)


def _signed(handed: Handed, student: str, release: nbformat.NotebookNode) -> bytes:
    """The notebook of a kind, with the student's name in a comment of an answer."""
    notebook = nbformat.reads(submission(handed, release), as_version=4)
    answer = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax")
    answer.source = f"# {student}\n{answer.source}"
    return nbformat.writes(notebook).encode()
