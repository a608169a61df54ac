"""`course demo`: build, initialise, hand in, grade, give feedback, and show who got what and why."""

import json
from collections.abc import Callable
from pathlib import Path

import nbformat

from autograder.catalogue import exercises_of
from autograder.course.demo.submissions import CLASS, IN_WORDS, Handed
from autograder.course.init import init_course
from autograder.directory.course import Course, generate_feedback
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.grading.run import grade_stage
from autograder.stripping.strip import solved_source

STAGE, QUESTION = "01_attention", "why_the_root"
CELL_SECONDS = 3  # one student loops for ever; a demonstration need not wait a minute for it


def submission(handed: Handed, release: nbformat.NotebookNode, stage: str = STAGE) -> bytes:
    """The notebook that a made-up student hands in: the release, filled in."""
    notebook = nbformat.from_dict(release)
    solved = {e.id: solved_source(e.reference) for e in exercises_of(stage)} | {QUESTION: IN_WORDS}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in solved:
            answer = handed.answers.get(name, solved[name])
            cell.source = cell.source if answer is None else answer
    if handed.change:
        handed.change(notebook)
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode()


def demo(root: Path, jobs: int, tell: Callable[[str], None], progress: Callable) -> dict:
    """Make or refresh the demonstration course and grade its class; the object that `--json` writes."""
    tell("Building the stages, initialising the course …")
    course = _demo_course(root, tell)
    release = course.release(STAGE)
    for handed in CLASS:
        path = course.submitted_file(STAGE, handed.student)
        data = submission(handed, release)
        if not path.exists() or path.read_bytes() != data:
            write_whole(path, data)
    tell(f"Grading {len(CLASS)} submissions …")
    outcome = grade_stage(course, STAGE, jobs=jobs, progress=progress)
    tell("Writing feedback …")
    generate_feedback(course, STAGE)
    return outcome


def _demo_course(root: Path, tell: Callable[[str], None]) -> Course:
    try:
        course = Course.open(root)
    except CourseError:
        course = init_course(root, tell=tell)
    config = course.root / "nbgrader_config.py"
    line = f"\nc.Limits.cell_seconds = {CELL_SECONDS}\n"
    text = config.read_text("utf-8")
    if line not in text:
        write_whole(config, (text + line).encode())
    return Course.open(root)
